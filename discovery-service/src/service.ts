import { randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import {
  LIMITS,
  ProblemError,
  moderationRoutes,
  pluginRoutes,
  requestRoutes,
  serverRoutes,
} from "@hearth/contracts";
import { createHttpEdge, newId, repeat, systemClock } from "@hearth/runtime";
import type {
  Bus,
  Clock,
  JwtVerifier,
  LimiterFactory,
  Log,
  Metrics,
  Repetition,
  ServiceModule,
  Subscription,
} from "@hearth/runtime";
import { createAccounts } from "./domain/membership/accounts.ts";
import { createAnnouncements } from "./domain/announcements.ts";
import { createBans } from "./domain/membership/bans.ts";
import { askPresence, connectBus } from "./edge/bus.ts";
import type { DiscoveryConfig } from "./config.ts";
import { createDirectory } from "./domain/directory/directory.ts";
import { createDiscoveryMetrics } from "./edge/metrics.ts";
import { createEndings } from "./domain/endings.ts";
import { createFeaturedServers } from "./domain/featured.ts";
import { moderationHandlers, pluginHandlers, requestHandlers, serverHandlers } from "./edge/http.ts";
import type { Discovery } from "./edge/http.ts";
import { createInvites } from "./domain/membership/invites.ts";
import { createListings } from "./domain/directory/listings.ts";
import { createMemberships } from "./domain/membership/membership.ts";
import { createOnlineCounts } from "./domain/online.ts";
import { createPlugins } from "./domain/directory/plugins.ts";
import type { Ports } from "./domain/ports.ts";
import { createPresentation } from "./domain/presentation.ts";
import { createRequests } from "./domain/membership/requests.ts";
import { createRoster } from "./domain/membership/roster.ts";
import { createSearchIndex } from "./domain/directory/search.ts";
import type { Store } from "./domain/store.ts";

export interface DiscoveryServiceDeps {
  /** Closed by the service's `stop`. */
  readonly store: Store;
  readonly bus: Bus;
  readonly limiters: LimiterFactory;
  /** Verifies the internal JWT. */
  readonly identity: JwtVerifier;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly config: DiscoveryConfig;
  readonly clock?: Clock;
  /** Validates responses too; for tests. */
  readonly validateAnswers?: boolean;
}

function createPorts({ store, bus, log, config, clock = systemClock }: DiscoveryServiceDeps) {
  const announcements = createAnnouncements({
    publish: (subject, payload) => bus.publish(subject, payload),
    log,
    wait: (ms) => wait(ms, undefined, { ref: false }),
  });
  const endings = createEndings({
    store,
    announcements,
    publish: (subject, payload) => bus.publish(subject, payload),
  });
  const online = createOnlineCounts({ ask: askPresence(bus), clock, log });
  const featured = createFeaturedServers({
    configured: config.featuredServers,
    store: store.featured,
    clock,
    log,
  });
  const presentation = createPresentation(online, featured);
  const index = createSearchIndex(store.servers);
  const { announce } = announcements;
  const onServerWritten = (serverId: string): void => index.changed(serverId);
  const { quotas } = config;
  const ports: Ports = { store, clock, newId, announce, endings, presentation, quotas, onServerWritten };
  return { ports, announcements, endings, index, featured };
}

const HOUR_MS = 60 * 60_000;

function createDomain(
  deps: DiscoveryServiceDeps,
  { ports, index, featured }: Pick<ReturnType<typeof createPorts>, "ports" | "index" | "featured">,
): Discovery {
  const { store, presentation } = ports;
  const metrics = createDiscoveryMetrics(deps.metrics);
  const creations = deps.limiters({
    name: "servers-made",
    points: ports.quotas.serversMadePerHour,
    windowMs: HOUR_MS,
  });
  const joins = deps.limiters({ name: "server-joins", ...LIMITS.serverJoins });
  return {
    store,
    presentation,
    listings: createListings({
      store,
      presentation,
      index,
      featured,
      countSearch: (found) => metrics.searches.inc({ found: String(found) }),
    }),
    directory: createDirectory({ ...ports, creations }),
    memberships: createMemberships({
      ...ports,
      joins,
      countJoin: (outcome) => metrics.joins.inc({ outcome }),
    }),
    roster: createRoster(ports),
    bans: createBans(ports),
    invites: createInvites({ ...ports, random: randomInt }),
    requests: createRequests(ports),
    plugins: createPlugins(ports),
    accounts: createAccounts({ ...ports, log: deps.log }),
  };
}

function createRoutes(deps: DiscoveryServiceDeps, discovery: Discovery) {
  const { log, metrics, identity, validateAnswers = false } = deps;
  const edge = createHttpEdge({ service: "discovery", log, metrics, identity, validateAnswers });
  edge.mount(serverRoutes, serverHandlers(discovery));
  edge.mount(moderationRoutes, moderationHandlers(discovery));
  edge.mount(requestRoutes, requestHandlers(discovery));
  edge.mount(pluginRoutes, pluginHandlers(discovery));
  return edge.listener();
}

/** An operator's deletion is announced after at most two of these. */
const ABANDONED_CHECK_MS = 2_000;
const READ_AGAIN_MS = 1_000;

/** Reads again until it succeeds: the store may hold endings that an earlier run could not announce. */
async function readLater(read: () => Promise<boolean>, wanted: () => boolean): Promise<void> {
  do await wait(READ_AGAIN_MS, undefined, { ref: false });
  while (wanted() && !(await read()));
}

export function createDiscoveryService(deps: DiscoveryServiceDeps): ServiceModule {
  const { store, bus, log } = deps;
  const created = createPorts(deps);
  const { ports, announcements, endings, index } = created;
  const discovery = createDomain(deps, created);
  let started = false;
  let subscriptions: readonly Subscription[] = [];
  let checks: Repetition | undefined;
  const ready = (): boolean => started && store.ready() && bus.connected;
  return {
    name: "discovery",
    routes: createRoutes(deps, discovery),
    ready,
    start: async () => {
      // Without its store this replica would refuse requests that another replica can serve.
      if (!store.ready()) throw new ProblemError("UNAVAILABLE", "The store is not ready");
      const { memberships, accounts } = discovery;
      subscriptions = connectBus({ bus, store, clock: ports.clock, memberships, accounts, index, ready });
      checks = repeat(() => endings.announceAbandoned(), {
        everyMs: ABANDONED_CHECK_MS,
        name: "endings",
        log,
      });
      started = true;
      const read = async (): Promise<boolean> => {
        try {
          await index.load();
          await endings.announceStored();
          return true;
        } catch (error) {
          log.warn({ err: error }, "the store was not read yet");
          return false;
        }
      };
      if (!(await read())) void readLater(read, () => started);
    },
    stop: async () => {
      started = false;
      await checks?.stop();
      for (const subscription of subscriptions) subscription.close();
      announcements.stop();
      await store.close();
    },
  };
}
