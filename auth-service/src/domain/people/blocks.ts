import { MAX_BLOCKS, ProblemError, authSubjects } from "@hearth/contracts";
import type { Block } from "@hearth/contracts";
import type { Bus, Clock } from "@hearth/runtime";
import type { AccountStore } from "../store.ts";
import type { BlockStore } from "../people-store.ts";

/** AB12: the users that an account has blocked. */
export interface Blocks {
  list(accountId: string): Promise<Block[]>;
  /** Refuses with `NOT_FOUND` and `QUOTA_EXCEEDED`. */
  put(accountId: string, userId: string): Promise<void>;
  remove(accountId: string, userId: string): Promise<void>;
  has(accountId: string, userId: string): Promise<boolean>;
}

export interface BlocksDeps {
  readonly store: BlockStore & AccountStore;
  readonly bus: Pick<Bus, "publish">;
  readonly clock: Clock;
}

/** Refuses ids that no account has, so that nobody can store reports and blocks of invented ids. */
export async function requireUser(store: AccountStore, userId: string): Promise<void> {
  const account = await store.findAccount(userId);
  if (account === null || account.state === "deleted")
    throw new ProblemError("NOT_FOUND", "There is no such user");
}

export function createBlocks({ store, bus, clock }: BlocksDeps): Blocks {
  const changed = (userId: string, otherUserId: string, blocked: boolean): Promise<void> =>
    bus.publish(authSubjects.blockChanged, { userId, otherUserId, blocked });

  return {
    list: async (accountId) => [...(await store.listBlocks(accountId))],
    put: async (accountId, userId) => {
      if (userId === accountId) throw new ProblemError("INVALID_REQUEST", "Nobody can block themselves");
      await requireUser(store, userId);
      const outcome = await store.putBlock(accountId, userId, clock.now(), MAX_BLOCKS);
      if (outcome === "too_many")
        throw new ProblemError("QUOTA_EXCEEDED", `An account can block ${MAX_BLOCKS} users`, {
          reason: "blocks",
        });
      // Also if the block existed: the client may repeat the request because the first event was lost.
      await changed(accountId, userId, true);
    },
    remove: async (accountId, userId) => {
      await store.deleteBlock(accountId, userId);
      await changed(accountId, userId, false);
    },
    has: (accountId, userId) => store.isBlocked(accountId, userId),
  };
}
