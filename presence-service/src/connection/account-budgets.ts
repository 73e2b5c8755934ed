import { LIMITS } from "@hearth/contracts";
import { Addressees } from "./addressee-budgets.ts";
import { type Budgets, TokenBucket } from "./token-bucket.ts";

/** Budgets are kept this long after the last connection, so that reconnecting does not refill them. */
const KEEP_MS = 60_000;

/** AB5: the budget of one account on this node, shared by all its connections. */
export class AccountBudget {
  readonly oderId: string;
  readonly addressees: Addressees;
  connections = 0;
  leftAt = 0;
  private readonly budgets: Budgets;
  private readonly messages: TokenBucket;
  private readonly bytes: TokenBucket;
  private sync: TokenBucket | null = null;

  constructor(oderId: string, budgets: Budgets, now: number) {
    this.oderId = oderId;
    this.budgets = budgets;
    this.addressees = new Addressees(budgets);
    this.messages = new TokenBucket(budgets.accountMessages, now);
    this.bytes = new TokenBucket(budgets.accountBytes, now);
  }

  /** 0, or the milliseconds to wait. */
  take(bytes: number, now: number): number {
    return this.messages.take(now) || this.bytes.take(now, bytes);
  }

  /** The same for `account_sync`; a small one costs sync-service as much as one of a few KiB. */
  takeSync(bytes: number, now: number): number {
    this.sync ??= new TokenBucket(this.budgets.accountSyncBytes, now);
    return this.sync.take(now, Math.max(bytes, LIMITS.smallestSyncBytes));
  }

  /** It sent little lately, so it is not what floods a room. */
  get isQuiet(): boolean {
    return this.bytes.spent <= LIMITS.quietBytes;
  }
}

/** Budgets of accounts that have a connection here, or had one within the last minute. */
export class AccountBudgets {
  private readonly accounts = new Map<string, AccountBudget>();
  private readonly rooms = new Map<string, { readonly bucket: TokenBucket; usedAt: number }>();
  private readonly budgets: Budgets;

  constructor(budgets: Budgets) {
    this.budgets = budgets;
  }

  enter(oderId: string, now: number): AccountBudget {
    const account = this.accounts.get(oderId) ?? new AccountBudget(oderId, this.budgets, now);
    this.accounts.set(oderId, account);
    account.connections += 1;
    return account;
  }

  leave(account: AccountBudget, now: number): void {
    account.connections -= 1;
    account.leftAt = now;
  }

  /** 0, or the milliseconds that a noisy account must wait before it sends to the room again. */
  takeRoom(room: string, bytes: number, now: number): number {
    const known = this.rooms.get(room) ?? {
      bucket: new TokenBucket(this.budgets.roomBytes, now),
      usedAt: now,
    };
    this.rooms.set(room, known);
    known.usedAt = now;
    return known.bucket.take(now, bytes);
  }

  forget(oderId: string): void {
    if (this.accounts.get(oderId)?.connections === 0) this.accounts.delete(oderId);
  }

  sweep(now: number): void {
    for (const [oderId, { connections, leftAt }] of this.accounts)
      if (connections === 0 && leftAt + KEEP_MS <= now) this.accounts.delete(oderId);
    for (const [room, { usedAt }] of this.rooms) if (usedAt + KEEP_MS <= now) this.rooms.delete(room);
  }
}
