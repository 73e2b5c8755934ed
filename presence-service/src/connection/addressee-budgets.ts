import type { ClientMessageType } from "@hearth/contracts";
import { type Budgets, TokenBucket } from "./token-bucket.ts";

/** One call or message brings dozens of these. */
const SIGNALS: ReadonlySet<string> = new Set<ClientMessageType>(["direct_typing", "ice_candidate"]);

const MAX_ADDRESSEES = 1_000;
const MAX_STRANGER_BUDGETS = 100_000;
const KIB = 1024;

/** AB6: what one account may send to one addressee. */
class AddresseeBudget {
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

/** AB6: the budgets of one account, by addressee. */
export class AddresseeBudgets {
  private readonly byId = new Map<string, AddresseeBudget>();
  private readonly budgets: Budgets;

  constructor(budgets: Budgets) {
    this.budgets = budgets;
  }

  take(userId: string, type: string, bytes: number, now: number): number {
    let budget = this.byId.get(userId);
    if (!budget) {
      // The oldest budget is full again: writing to so many others takes longer than filling it.
      const [oldest] = this.byId.keys();
      if (this.byId.size >= MAX_ADDRESSEES && oldest !== undefined) this.byId.delete(oldest);
      this.byId.set(userId, (budget = new AddresseeBudget(this.budgets, now)));
    }
    return budget.take(type, bytes, now);
  }
}

/** AB6: what all strangers together may send to one addressee. */
export type StrangerBudgets = ReturnType<typeof createStrangerBudgets>;

interface StrangerBudget {
  readonly messages: TokenBucket;
  readonly signals: TokenBucket;
  usedAt: number;
}

export const createStrangerBudgets = ({ strangerMessages, strangerSignals }: Budgets) => {
  const byAddressee = new Map<string, StrangerBudget>();
  return {
    /** Returns 0, or the milliseconds to wait. */
    take(addressee: string, type: string, bytes: number, now: number): number {
      let budget = byAddressee.get(addressee);
      if (!budget) {
        const messages = new TokenBucket(strangerMessages, now);
        const signals = new TokenBucket(strangerSignals, now);
        const [oldest] = byAddressee.keys();
        if (byAddressee.size >= MAX_STRANGER_BUDGETS && oldest !== undefined) byAddressee.delete(oldest);
        byAddressee.set(addressee, (budget = { messages, signals, usedAt: now }));
      }
      budget.usedAt = now;
      return SIGNALS.has(type) ? budget.signals.take(now, Math.ceil(bytes / KIB)) : budget.messages.take(now);
    },

    /** Drops the budgets that have had enough time to fill: a new one is equal. */
    sweep(now: number): void {
      const { perSecond, burst } = strangerMessages;
      const fillMs = Math.max(60_000, (burst / perSecond) * 1000);
      for (const [addressee, { usedAt }] of byAddressee)
        if (usedAt + fillMs <= now) byAddressee.delete(addressee);
    },
  };
};
