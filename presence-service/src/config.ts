import { LIMITS } from "@hearth/contracts";
import { type Environment, readConfig, variables } from "@hearth/runtime";
import { z } from "zod";
import type { BucketRate, Budgets } from "./connection/token-bucket.ts";

export interface PresenceConfig {
  readonly budgets: Budgets;
}

const KIB = 1024;
const { budgets } = LIMITS;

/** A rate in units of so many; the burst grows with it. */
const rate = (standard: BucketRate, unit: number) =>
  variables
    .whole(1, 1_000_000)
    .default(Math.round(standard.perSecond * unit))
    .transform((value): BucketRate => {
      const perSecond = value / unit;
      return { perSecond, burst: Math.ceil((perSecond * standard.burst) / standard.perSecond) };
    });

const schema = z
  .object({
    CONNECTION_KIB_PER_SECOND: rate(budgets.connectionBytes, 1 / KIB),
    ACCOUNT_MESSAGES_PER_SECOND: rate(budgets.accountMessages, 1),
    ACCOUNT_KIB_PER_SECOND: rate(budgets.accountBytes, 1 / KIB),
    ACCOUNT_SYNC_KIB_PER_SECOND: rate(budgets.accountSyncBytes, 1 / KIB),
    ROOM_KIB_PER_SECOND: rate(budgets.roomBytes, 1 / KIB),
    DIRECT_MESSAGES_PER_SECOND: rate(budgets.directMessages, 1),
    DIRECT_KIB_PER_SECOND: rate(budgets.directBytes, 1 / KIB),
    STRANGER_MESSAGES_PER_MINUTE: rate(budgets.strangerMessages, 60),
  })
  .transform(
    (env): PresenceConfig => ({
      budgets: {
        ...budgets,
        connectionBytes: env.CONNECTION_KIB_PER_SECOND,
        accountMessages: env.ACCOUNT_MESSAGES_PER_SECOND,
        accountBytes: env.ACCOUNT_KIB_PER_SECOND,
        accountSyncBytes: env.ACCOUNT_SYNC_KIB_PER_SECOND,
        roomBytes: env.ROOM_KIB_PER_SECOND,
        directMessages: env.DIRECT_MESSAGES_PER_SECOND,
        directBytes: env.DIRECT_KIB_PER_SECOND,
        strangerMessages: env.STRANGER_MESSAGES_PER_MINUTE,
      },
    }),
  );

/** Throws a `ConfigError` that names every variable that cannot be used. */
export const readPresenceConfig = (env: Environment = process.env): PresenceConfig =>
  readConfig(schema, env, { service: "presence" });
