const MINUTE = 60_000;
const KIB = 1024;
const MIB = 1024 * KIB;

/** Every limit of the protocol in one place; durations in milliseconds, sizes in bytes. */
export const LIMITS = {
  /** GW7 */
  httpBodyBytes: 256 * KIB,
  /** Maximum nesting of arrays and objects in JSON from outside. */
  jsonDepth: 32,
  /** AU8: register and login together, per client address. */
  authAttempts: { points: 100, windowMs: 15 * MINUTE },
  /** AU8: failed logins of one account, per address and for all addresses that the account never used before. */
  accountFailures: { perAddress: 10, fromStrangers: 100, windowMs: 15 * MINUTE },
  /** DI6: joins per user. */
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
  /** AB5, AB6: budgets per node, in bytes unless the name says otherwise. */
  budgets: {
    connectionBytes: { perSecond: 256 * KIB, burst: MIB },
    /** Enough for four devices that each use up the burst of their connection. */
    accountMessages: { perSecond: 120, burst: 960 },
    accountBytes: { perSecond: 512 * KIB, burst: 4 * MIB },
    accountSyncBytes: { perSecond: 2 * MIB, burst: 8 * MIB },
    /** Into one room from all accounts that are not quiet; well below the limit of a slow reader (rule WS13). */
    roomBytes: { perSecond: MIB, burst: 2 * MIB },
    /** From one account to one recipient. A call sends dozens of ICE candidates, so these have their own rate. */
    directMessages: { perSecond: 10, burst: 40 },
    directIce: { perSecond: 50, burst: 240 },
    directBytes: { perSecond: 64 * KIB, burst: 256 * KIB },
    /** To one recipient from all users who share no server with them. ICE and typing have their own budget, in KiB. */
    strangerMessages: { perSecond: 20 / 60, burst: 20 },
    strangerSignals: { perSecond: 4, burst: 240 },
  },
  /** AB5: the least that one `account_sync` is charged, in bytes. */
  smallestSyncBytes: 8 * KIB,
  /** AB5: an account is quiet, and cannot be flooding a room, while its budget is within this many bytes of full. */
  quietBytes: 256 * KIB,
  /** WS13: unsent bytes of one connection. */
  unsent: { dropStrangers: 256 * KIB, dropEphemeral: MIB, close: 8 * MIB },
  /** VO3 */
  voiceGraceMs: 10_000,
} as const;

/** The limits that `identified` sends to a client (rule WS3). */
export interface ClientLimits {
  readonly messageBytes: number;
  readonly accountSyncBytes: number;
  readonly messagesPerSecond: number;
  readonly burst: number;
}
