import type { ClientMessageType } from "@hearth/contracts";
import { type Budgets, TokenBucket } from "./token-bucket.ts";

/** One call or message brings dozens of these. */
const MINOR: ReadonlySet<string> = new Set<ClientMessageType>(["direct_typing", "ice_candidate"]);

const MAX_ADDRESSEES = 1_000;
const MAX_STRANGER_BUDGETS = 100_000;
const KIB = 1024;

/** AB6: what one account may send to one addressee. */
class Addressee {
  private readonly budgets: Budgets;
  private readonly messages: TokenBucket;
  private readonly bytes: TokenBucket;
  private ice: TokenBucket | null = null;

  constructor(budgets: Budgets, now: number) {
    this.budgets = budgets;
    this.messages = new TokenBucket(budgets.directMessages, now);
    this.bytes = new TokenBucket(budgets.directBytes, now);
  }

  take(type: string, bytes: number, now: number): number {
    if (type !== "ice_candidate") return this.messages.take(now) || this.bytes.take(now, bytes);
    this.ice ??= new TokenBucket(this.budgets.directIce, now);
    return this.ice.take(now) || this.bytes.take(now, bytes);
  }
}

/** The addressees of one account. */
export class Addressees {
  private readonly byId = new Map<string, Addressee>();
  private readonly budgets: Budgets;

  constructor(budgets: Budgets) {
    this.budgets = budgets;
  }

  take(userId: string, type: string, bytes: number, now: number): number {
    let addressee = this.byId.get(userId);
    if (!addressee) {
      // Its budget has filled again in the time that it takes to write to so many others.
      const [oldest] = this.byId.keys();
      if (this.byId.size >= MAX_ADDRESSEES && oldest !== undefined) this.byId.delete(oldest);
      this.byId.set(userId, (addressee = new Addressee(this.budgets, now)));
    }
    return addressee.take(type, bytes, now);
  }
}

/** AB6: what all strangers together may send to one addressee. */
export class Strangers {
  private readonly byAddressee = new Map<
    string,
    Record<"messages" | "signals", TokenBucket> & { usedAt: number }
  >();
  private readonly budgets: Budgets;

  constructor(budgets: Budgets) {
    this.budgets = budgets;
  }

  take(addressee: string, type: string, bytes: number, now: number): number {
    const { strangerMessages, strangerSignals } = this.budgets;
    let budget = this.byAddressee.get(addressee);
    if (!budget) {
      const messages = new TokenBucket(strangerMessages, now);
      const signals = new TokenBucket(strangerSignals, now);
      const [oldest] = this.byAddressee.keys();
      if (this.byAddressee.size >= MAX_STRANGER_BUDGETS && oldest !== undefined)
        this.byAddressee.delete(oldest);
      this.byAddressee.set(addressee, (budget = { messages, signals, usedAt: now }));
    }
    budget.usedAt = now;
    return MINOR.has(type) ? budget.signals.take(now, Math.ceil(bytes / KIB)) : budget.messages.take(now);
  }

  /** Drops budgets that have had the time to fill: a new one is equal. */
  sweep(now: number): void {
    const { perSecond, burst } = this.budgets.strangerMessages;
    const fillMs = Math.max(60_000, (burst / perSecond) * 1000);
    for (const [addressee, { usedAt }] of this.byAddressee)
      if (usedAt + fillMs <= now) this.byAddressee.delete(addressee);
  }
}
