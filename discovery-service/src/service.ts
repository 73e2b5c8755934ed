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
import { Accounts } from "./domain/membership/accounts.ts";
import { Announcements } from "./domain/announcements.ts";
import { Bans } from "./domain/membership/bans.ts";
import { askPresence, connectBus } from "./edge/bus.ts";
import type { DiscoveryConfig } from "./config.ts";
import { Directory } from "./domain/directory/directory.ts";
import { createDiscoveryMetrics } from "./edge/metrics.ts";
import { Endings } from "./domain/endings.ts";
import { FeaturedServers } from "./domain/featured.ts";
import { moderationHandlers, pluginHandlers, requestHandlers, serverHandlers } from "./edge/http.ts";
import type { Discovery } from "./edge/http.ts";
import { Invites } from "./domain/membership/invites.ts";
import { Listings } from "./domain/directory/listings.ts";
import { Memberships } from "./domain/membership/membership.ts";
import { OnlineCounts } from "./domain/online.ts";
import { Plugins } from "./domain/directory/plugins.ts";
import type { Ports } from "./domain/ports.ts";
import { Presentation } from "./domain/presentation.ts";
import { Requests } from "./domain/membership/requests.ts";
import { Roster } from "./domain/membership/roster.ts";
import { SearchIndex } from "./domain/directory/search.ts";
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
  /** Also checks what the routes answer; for tests. */
  readonly validateAnswers?: boolean;
}

function createPorts({ store, bus, log, config, clock = systemClock }: DiscoveryServiceDeps) {
  const announcements = new Announcements({
    publish: (subject, payload) => bus.publish(subject, payload),
    log,
    wait: (ms) => wait(ms, undefined, { ref: false }),
  });
  const endings = new Endings({
    store,
    announcements,
    publish: (subject, payload) => bus.publish(subject, payload),
  });
  const online = new OnlineCounts({ ask: askPresence(bus), clock, log });
  const featured = new FeaturedServers({
    configured: config.featuredServers,
    store: store.featured,
    clock,
    log,
  });
  const presentation = new Presentation(online, featured);
  const index = new SearchIndex(store.servers);
  const { announce } = announcements;
  const written = (serverId: string): void => index.changed(serverId);
  const { quotas } = config;
  const ports: Ports = { store, clock, newId, announce, endings, presentation, quotas, written };
  return { ports, announcements, endings, index, featured };
}

const HOUR_MS = 60 * 60_000;

function createDomain(
  deps: DiscoveryServiceDeps,
  { ports, index, featured }: Pick<ReturnType<typeof createPorts>, "ports" | "index" | "featured">,
): Discovery {
  const { store, presentation } = ports;
  const metrics = createDiscoveryMetrics(deps.metrics);
  const made = deps.limiters({
    name: "servers-made",
    points: ports.quotas.serversMadePerHour,
    windowMs: HOUR_MS,
  });
  const joins = deps.limiters({ name: "server-joins", ...LIMITS.serverJoins });
  return {
    store,
    presentation,
    listings: new Listings({
      store,
      presentation,
      index,
      featured,
      searched: (found) => metrics.searches.inc({ found: String(found) }),
    }),
    directory: new Directory({ ...ports, made }),
    memberships: new Memberships({
      ...ports,
      joins,
      counted: (outcome) => metrics.joins.inc({ outcome }),
    }),
    roster: new Roster(ports),
    bans: new Bans(ports),
    invites: new Invites({ ...ports, random: randomInt }),
    requests: new Requests(ports),
    plugins: new Plugins(ports),
    accounts: new Accounts(ports, deps.log),
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

/** An operator's deletion reaches the rooms after two of these at most. */
const COLLECT_MS = 2_000;
const READ_AGAIN_MS = 1_000;

/** A store that is away at the start has perhaps kept endings that an earlier run could not announce. */
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
  let collecting: Repetition | undefined;
  const ready = (): boolean => started && store.ready() && bus.connected;
  return {
    name: "discovery",
    routes: createRoutes(deps, discovery),
    ready,
    start: async () => {
      // Whoever answers without its store gives trouble to those whom another process would have served.
      if (!store.ready()) throw new ProblemError("UNAVAILABLE", "The store is not ready");
      const { memberships, accounts } = discovery;
      subscriptions = connectBus({ bus, store, clock: ports.clock, memberships, accounts, index, ready });
      collecting = repeat(() => endings.collect(), { everyMs: COLLECT_MS, name: "endings", log });
      started = true;
      const read = async (): Promise<boolean> => {
        try {
          await index.load();
          await endings.resume();
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
      await collecting?.stop();
      for (const subscription of subscriptions) subscription.close();
      announcements.stop();
      await store.close();
    },
  };
}
