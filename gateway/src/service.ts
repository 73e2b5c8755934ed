import type { RequestListener } from "node:http";
import { allRoutes } from "@hearth/contracts";
import { createAddressCounts } from "@hearth/runtime";
import type { Bus, Clock, ConnectionLimits, LimiterFactory, Log, Metrics } from "@hearth/runtime";
import type { GatewayConfig } from "./config.ts";
import { createBudgets } from "./edge/budgets.ts";
import { plainAddress } from "./edge/client-address.ts";
import { createOriginPolicy } from "./edge/origins.ts";
import { createRequestAddress } from "./edge/client-address.ts";
import { createRestListener } from "./edge/rest.ts";
import { createIdentities } from "./identity/identities.ts";
import { createGatewayMetrics } from "./edge/metrics.ts";
import type { GatewayMetrics } from "./edge/metrics.ts";
import { openApiDocument } from "./openapi/document.ts";
import { createHealth } from "./own/health.ts";
import { createOwnRoutes } from "./own/own-routes.ts";
import { createPages } from "./own/pages.ts";
import { leave } from "./upgrades/leaving.ts";
import { createUpgradeListener } from "./upgrades/upgrades.ts";
import type { UpgradeListener } from "./upgrades/upgrades.ts";
import type { Upstream } from "./upstreams/upstream.ts";

/** The services that the gateway passes requests and upgrades to. */
export type Upstreams = Readonly<Record<"auth" | "discovery" | "presence", Upstream>>;

export interface GatewayDeps {
  readonly upstreams: Upstreams;
  readonly bus: Bus;
  readonly limiters: LimiterFactory;
  readonly config: GatewayConfig;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly clock: Clock;
  /** The id under which presence knows this gateway; absent when both are one process. */
  readonly id?: string;
  /** The folder of the built web client. */
  readonly webRoot?: string | undefined;
}

/** The only public door (GW1). */
export interface Gateway {
  readonly name: "gateway";
  /** For `createHttpListener`, together with `onUpgrade`. */
  readonly listener: RequestListener;
  readonly onUpgrade: UpgradeListener;
  /** For the same listener. Trusted proxies are exempt, because they carry many clients. */
  readonly connectionLimits: ConnectionLimits;
  /** Accepts requests and upgrades from now on. */
  start(): Promise<void>;
  /** Refuses new upgrades, waits until open sockets have left (rule WS15), and then refuses everything. */
  stop(): Promise<void>;
  ready(): boolean;
}

const connectionLimitsOf = (
  { connectionsPerAddress, trustProxy }: GatewayConfig,
  metrics: GatewayMetrics,
): ConnectionLimits => ({
  maxPerAddress: connectionsPerAddress,
  isExempt: (address) => trustProxy(plainAddress(address) ?? address, 0),
  onRefused: metrics.countRefusedConnection,
});

export function createGatewayService(deps: GatewayDeps): Gateway {
  const { upstreams, bus, limiters, config, log, clock, webRoot, id } = deps;
  const { trustProxy, version } = config;
  const metrics = createGatewayMetrics(deps.metrics);
  const identities = createIdentities({ bus, clock, metrics: deps.metrics });
  const origins = createOriginPolicy(config.corsAllowlist);
  let accepting = false;

  const own = createOwnRoutes({
    health: createHealth({ bus, clock, version }),
    document: openApiDocument(version, allRoutes),
    pages: createPages(webRoot),
  });
  const addressOf = createRequestAddress(trustProxy, log);
  const budgets = createBudgets(config.budgets, metrics.countBudgetRefusal);
  const rest = { upstreams, identities, origins, addressOf, budgets, own, log, metrics };
  const listener = createRestListener(rest);
  const { upgradesPerMinute, socketsPerAddress } = config;
  const open = createAddressCounts(socketsPerAddress);
  const onUpgrade = createUpgradeListener({
    presence: upstreams.presence,
    origins,
    addressOf,
    open,
    rate:
      upgradesPerMinute === 0
        ? undefined
        : limiters({ name: "gateway-upgrades", points: upgradesPerMinute, windowMs: 60_000 }),
    accepting: () => accepting,
    log,
    metrics,
  });

  return {
    name: "gateway",
    listener,
    onUpgrade,
    connectionLimits: connectionLimitsOf(config, metrics),
    async start() {
      accepting = true;
      for (const variable of config.unknownVariables) log.warn({ variable }, "nobody reads this variable");
      if (origins.permissive) {
        log.warn({ variable: "CORS_ALLOWLIST" }, "no origins are listed: pages of every origin may call");
      }
    },
    async stop() {
      accepting = false;
      if (id !== undefined) await leave({ gatewayId: id, bus, open, log });
      identities.close();
      await Promise.all(Object.values(upstreams).map((upstream) => upstream.close()));
    },
    ready: () => accepting && bus.connected,
  };
}
