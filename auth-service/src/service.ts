import { availableParallelism } from "node:os";
import { ProblemError, userRoutes } from "@hearth/contracts";
import { createHttpEdge, createJwtVerifier, repeat, systemClock } from "@hearth/runtime";
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
import { createAccounts } from "./domain/accounts/accounts.ts";
import { createAttempts } from "./domain/passwords/attempts.ts";
import { connectBus } from "./edge/bus.ts";
import type { AuthConfig } from "./config.ts";
import { readCommonPasswords } from "./domain/passwords/common-passwords.ts";
import { createDeviceTokens } from "./domain/sessions/device-tokens.ts";
import { createHashingGate } from "./domain/passwords/hashing-gate.ts";
import { createUserHandlers } from "./edge/http.ts";
import { createAuthMetrics } from "./edge/metrics.ts";
import { createNewPasswords } from "./domain/passwords/new-passwords.ts";
import { createRegistration } from "./domain/accounts/registration.ts";
import { createResets } from "./domain/accounts/resets.ts";
import { createPasswordCheck } from "./domain/passwords/password-check.ts";
import { createPasswords } from "./domain/passwords/passwords.ts";
import type { Bcrypt } from "./domain/passwords/passwords.ts";
import { createBlocks } from "./domain/people/blocks.ts";
import { createDeletions } from "./domain/people/deletions.ts";
import { createExport } from "./domain/people/export.ts";
import { createReports } from "./domain/people/reports.ts";
import { createSessionEndings } from "./domain/sessions/session-endings.ts";
import type { SessionEndings } from "./domain/sessions/session-endings.ts";
import { createSessionNotice } from "./domain/sessions/session-notice.ts";
import { createSessionUse } from "./domain/sessions/session-use.ts";
import { createSessions } from "./domain/sessions/sessions.ts";
import { createSigningKeys } from "./domain/sessions/signing-keys.ts";
import type { AuthStore } from "./domain/store.ts";

export interface AuthServiceDeps {
  /** Closed by the service's `stop`. */
  readonly store: AuthStore;
  readonly bus: Bus;
  readonly limiters: LimiterFactory;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly config: AuthConfig;
  readonly clock?: Clock;
  /** Verifies the internal JWT; default: with this service's own key set. */
  readonly identity?: JwtVerifier;
  /** The longest that a password may wait to be hashed; default 10 s. */
  readonly hashingPatienceMs?: number;
  /** Default: the native one. */
  readonly bcrypt?: Bcrypt;
}

/** AU6: the sockets of an expired session close within a second. */
const SWEEP_MS = 500;
const FORGET_MS = 60 * 60_000;

function createDomain(deps: AuthServiceDeps) {
  const { store, bus, log, config, clock = systemClock } = deps;
  const metrics = createAuthMetrics(deps.metrics);
  const attempts = createAttempts(deps.limiters);
  const passwords = createPasswords(config.bcryptCost, deps.bcrypt);
  const slots = Math.max(1, availableParallelism() - 1);
  const gate = createHashingGate({
    clock,
    slots,
    waitingPerAddress: config.maxWaitingPerAddress,
    patienceMs: deps.hashingPatienceMs,
    onChange: metrics.showHashing,
  });
  const checkPassword = createPasswordCheck({ store, passwords, gate, attempts });
  const endings = createSessionEndings({ store, bus, clock, log, onEnded: metrics.countEnded });
  const use = createSessionUse(store, clock, log);
  const sessions = createSessions({ store, endings, use, clock, ttlMs: config.sessionTtlMs });
  const signingKeys = createSigningKeys(store, clock, log);
  const notice = createSessionNotice(bus, log);
  const newPasswords = createNewPasswords(readCommonPasswords());
  const registration = createRegistration(config.registration, store, clock);
  const shared = { store, passwords, newPasswords, gate, sessions, endings, notice, bus, clock, log };
  const accounts = createAccounts({ ...shared, registration, checkPassword });
  const deviceTokens = createDeviceTokens(store, clock, config.maxDeviceTokens);
  const identity =
    deps.identity ?? createJwtVerifier({ keys: async () => ({ keys: await signingKeys.keySet() }), clock });
  const credentials = { metrics, attempts, registration, accounts, resetPassword: createResets(shared) };
  return {
    ...{ ...credentials, ...createPeople({ ...shared, limiters: deps.limiters }) },
    ...{ endings, use, sessions, signingKeys, deviceTokens, identity },
  };
}

type PeopleDeps = Required<Pick<AuthServiceDeps, "store" | "bus" | "limiters" | "log" | "clock">> & {
  readonly endings: SessionEndings;
};

/** AB12 */
const createPeople = (deps: PeopleDeps) => ({
  blocks: createBlocks(deps),
  reports: createReports(deps),
  deletions: createDeletions(deps),
  exportAccount: createExport(deps),
});

export function createAuthService(deps: AuthServiceDeps): ServiceModule {
  const { store, bus, log, clock = systemClock } = deps;
  const { identity, endings, use, ...domain } = createDomain(deps);
  const edge = createHttpEdge({ service: "auth", log, metrics: deps.metrics, identity });
  edge.mount(userRoutes, createUserHandlers(domain));

  let started = false;
  let subscriptions: readonly Subscription[] = [];
  let repetitions: readonly Repetition[] = [];
  const ready = (): boolean => started && store.ready() && bus.connected;

  return {
    name: "auth",
    routes: edge.listener(),
    ready,
    start: async () => {
      // Without its store this replica would refuse requests that another replica can serve.
      if (!store.ready()) throw new ProblemError("UNAVAILABLE", "The store is not ready");
      subscriptions = connectBus({ bus, clock, audit: store, ready, ...domain });
      const often = { everyMs: SWEEP_MS, immediately: true, log };
      repetitions = [
        repeat(endings.sweep, { ...often, name: "sweep" }),
        repeat(domain.deletions.announce, { ...often, name: "deletions" }),
        repeat(use.flush, { ...often, name: "flush" }),
        repeat(endings.forget, { ...often, everyMs: FORGET_MS, name: "forget" }),
      ];
      started = true;
    },
    stop: async () => {
      started = false;
      for (const subscription of subscriptions) subscription.close();
      for (const repetition of repetitions) await repetition.stop();
      await use.flush();
      await store.close();
    },
  };
}
