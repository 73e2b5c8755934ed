import { Redis } from "ioredis";
import { errorCode } from "../errors/error-code.ts";
import type { Log } from "../log/log.ts";
import { TroubleLog } from "../log/trouble-log.ts";

export interface RedisOptions {
  /** `redis://host:port`, without credentials. */
  readonly url: string;
  /** The service's own user, whose rights `deploy/redis.acl` lists; Redis' `default` user without one. */
  readonly user?: string;
  readonly password?: string;
  readonly log: Log;
  /** Longest wait of a command for its answer; default 1,000. */
  readonly commandTimeoutMs?: number;
  /** For a connection whose user subscribes, again whenever it is `ready`. */
  readonly subscriber?: boolean;
}

const RETRY_MS = 250;
const REFUSAL = /^[A-Z]{3,20}(?= )/;

/** A code of the system, or the first word of what Redis itself answered; never what it was asked. */
const reasonOf = (error: unknown): string | undefined =>
  errorCode(error) ?? (error instanceof Error ? REFUSAL.exec(error.message)?.[0] : undefined);

/**
 * A connection that dials for as long as it takes, and again whenever it is lost. While there is none a command fails
 * at once instead of waiting in a queue; no loss of it ends the process.
 */
export function openRedis({
  url,
  user,
  password,
  log,
  commandTimeoutMs = 1_000,
  subscriber = false,
}: RedisOptions): Redis {
  const redis = new Redis(url, {
    ...(user !== undefined && { username: user }),
    ...(password !== undefined && { password }),
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: !subscriber,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMs,
    connectTimeout: 3_000,
    keepAlive: 5_000,
    retryStrategy: () => RETRY_MS * (1 + Math.random()),
    reconnectOnError: () => false,
  });
  const trouble = new TroubleLog(log);
  redis.on("ready", () => {
    trouble.clear();
    log.info({}, "Redis is connected");
  });
  redis.on("error", (error: unknown) => {
    trouble.report(reasonOf(error) ?? "unknown", "Redis cannot be reached");
  });
  return redis;
}
