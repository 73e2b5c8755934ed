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
  /** How long a command waits for its answer; default 1,000. */
  readonly commandTimeoutMs?: number;
  /** The owner of the connection subscribes by itself whenever it is `ready`. */
  readonly subscriber?: boolean;
}

const RETRY_MS = 250;
const REFUSAL = /^[A-Z]{3,20}(?= )/;

/** An error code of the system, or the first word of Redis's answer. Never part of a command. */
const reasonOf = (error: unknown): string | undefined =>
  errorCode(error) ?? (error instanceof Error ? REFUSAL.exec(error.message)?.[0] : undefined);

/**
 * A connection that dials until it succeeds, and again after every loss. Without it a command fails at once instead of
 * waiting in a queue. A lost connection never ends the process.
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
