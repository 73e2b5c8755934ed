import { LIMITS } from "@hearth/contracts";
import { AddresseeBudgets } from "./addressee-budgets.ts";
import { type Budgets, TokenBucket } from "./token-bucket.ts";

/** Budgets are kept this long after the last connection, so that reconnecting does not refill them. */
const KEEP_MS = 60_000;

/** AB5: the budget that all connections of one account on this node share. */
export class AccountBudget {
  readonly oderId: string;
  readonly addressees: AddresseeBudgets;
  connections = 0;
  leftAt = 0;
  private readonly budgets: Budgets;
  private readonly messages: TokenBucket;
  private readonly bytes: TokenBucket;
  private sync: TokenBucket | null = null;

  constructor(oderId: string, budgets: Budgets, now: number) {
    this.oderId = oderId;
    this.budgets = budgets;
    this.addressees = new AddresseeBudgets(budgets);
    this.messages = new TokenBucket(budgets.accountMessages, now);
    this.bytes = new TokenBucket(budgets.accountBytes, now);
  }

  /** Takes a message of so many bytes. Returns 0, or the milliseconds to wait. */
  take(bytes: number, now: number): number {
    return this.messages.take(now) || this.bytes.take(now, bytes);
  }

  /** Takes an `account_sync`. A small one costs sync-service as much as one of a few KiB. */
  takeSync(bytes: number, now: number): number {
    this.sync ??= new TokenBucket(this.budgets.accountSyncBytes, now);
    return this.sync.take(now, Math.max(bytes, LIMITS.smallestSyncBytes));
  }

  /** True while the account has sent too little lately to flood a room. */
  get isQuiet(): boolean {
    return this.bytes.spent <= LIMITS.quietBytes;
  }
}

/** Budgets of accounts that have a connection here, or had one within the last minute. */
export type AccountBudgets = ReturnType<typeof createAccountBudgets>;

export const createAccountBudgets = (budgets: Budgets) => {
  const accounts = new Map<string, AccountBudget>();
  const rooms = new Map<string, { readonly bucket: TokenBucket; usedAt: number }>();
  return {
    enter(oderId: string, now: number): AccountBudget {
      const account = accounts.get(oderId) ?? new AccountBudget(oderId, budgets, now);
      accounts.set(oderId, account);
      account.connections += 1;
      return account;
    },

    leave(account: AccountBudget, now: number): void {
      account.connections -= 1;
      account.leftAt = now;
    },

    /** Returns 0, or the milliseconds that a noisy account must wait before it sends to the room again. */
    takeRoom(room: string, bytes: number, now: number): number {
      const known = rooms.get(room) ?? { bucket: new TokenBucket(budgets.roomBytes, now), usedAt: now };
      rooms.set(room, known);
      known.usedAt = now;
      return known.bucket.take(now, bytes);
    },

    forget(oderId: string): void {
      if (accounts.get(oderId)?.connections === 0) accounts.delete(oderId);
    },

    sweep(now: number): void {
      for (const [oderId, { connections, leftAt }] of accounts)
        if (connections === 0 && leftAt + KEEP_MS <= now) accounts.delete(oderId);
      for (const [room, { usedAt }] of rooms) if (usedAt + KEEP_MS <= now) rooms.delete(room);
    },
  };
};
