const MINUTE = 60_000;
const KIB = 1024;
const MIB = 1024 * KIB;

/** Every limit of the protocol in one place; durations in milliseconds, sizes in bytes. */
export const LIMITS = {
  /** GW7 */
  httpBodyBytes: 256 * KIB,
  /** Deepest nesting of arrays and objects that JSON from outside may have. */
  jsonDepth: 32,
  /** AU8: register and login together, per client address. */
  authAttempts: { points: 100, windowMs: 15 * MINUTE },
  /** AU8: failed passwords of one account from one address, and of one account from addresses it never used. */
  accountFailures: { perAddress: 10, fromStrangers: 100, windowMs: 15 * MINUTE },
  /** DI6: becoming a member of a server, per user. */
  serverJoins: { points: 30, windowMs: MINUTE },
  /** GW2 */
  identityCacheMs: 30_000,
  internalJwtMs: 60_000,
  page: { default: 50, max: 100 },
  /** WS2: the inbound queue of one connection. */
  queue: { messages: 256, bytes: 4 * MIB },
  /** WS5 */
  identify: { failures: 5, deadlineMs: 15_000 },
  /** WS11 */
  heartbeat: { intervalMs: 25_000, timeoutMs: 60_000 },
  /** WS12: the largest frame, and the largest message that is not `account_sync`. */
  frameBytes: MIB,
  messageBytes: 64 * KIB,
  /** WS12: token buckets per connection, in messages per second. */
  messageRate: { perSecond: 60, burst: 240 },
  ephemeralRate: { perSecond: 60, burst: 240 },
  connectionsPerUser: 100,
  /** WS13: unsent bytes of one connection. */
  unsent: { dropEphemeral: MIB, close: 8 * MIB },
  /** VO3 */
  voiceGraceMs: 10_000,
} as const;

/** The part of {@link LIMITS} that `identified` tells a client (rule WS3). */
export interface ClientLimits {
  readonly messageBytes: number;
  readonly accountSyncBytes: number;
  readonly messagesPerSecond: number;
  readonly burst: number;
}
