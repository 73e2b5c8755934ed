import { ProblemError } from "@hearth/contracts";
import type { RouteContract } from "@hearth/contracts";
import { TokenBuckets, addressBlock } from "@hearth/runtime";

/** Requests per second that one account and one address may make (rule AB3); 0 for any number. */
export interface BudgetRates {
  readonly accountWrites: number;
  readonly addressWrites: number;
  readonly addressSearches: number;
  /** Of public routes, without a token, or with one that nobody knows. */
  readonly addressReads: number;
}

type Kind = "write" | "search" | "read";

/** What one request may cost its sender; each method throws `RATE_LIMITED` past a budget. */
export interface Budgets {
  /** To be called before anybody is asked who the sender is. */
  arrive(route: RouteContract, clientAddress: string): void;
  /** To be called with whom the sender turned out to be. */
  identify(route: RouteContract, clientAddress: string, userId: string | undefined): void;
}

/** How many seconds' worth of a budget may be used at once. */
const BURST_SECONDS: Readonly<Record<Kind, number>> = { write: 3, search: 4, read: 4 };

const SEARCHES: ReadonlySet<string> = new Set(["searchServers"]);

const kindOf = ({ method, operationId }: RouteContract): Kind => {
  if (method !== "get") return "write";
  return SEARCHES.has(operationId) ? "search" : "read";
};

/**
 * Budgets are counted by each process of the gateway for itself. They guard the processes behind it against a flood of
 * seconds, so twice the rate on two gateways is still bounded, and a request never waits for a counter elsewhere. What
 * must hold to the number over hours (AU8, AB4) is counted where all processes see it.
 */
export function createBudgets(rates: BudgetRates, onRefused: (budget: string) => void): Budgets {
  const budget = (name: string, kind: Kind, perSecond: number) => {
    if (perSecond === 0) return () => undefined;
    const buckets = new TokenBuckets({ name, perSecond, burst: perSecond * BURST_SECONDS[kind] });
    return (key: string): void => {
      try {
        buckets.take(key);
      } catch (error) {
        if (error instanceof ProblemError) onRefused(name);
        throw error;
      }
    };
  };
  const accountWrites = budget("account-writes", "write", rates.accountWrites);
  const ofAddress = {
    write: budget("address-writes", "write", rates.addressWrites),
    search: budget("address-searches", "search", rates.addressSearches),
    read: budget("address-reads", "read", rates.addressReads),
  };
  return {
    arrive(route, clientAddress) {
      const kind = kindOf(route);
      if (kind !== "read") ofAddress[kind](addressBlock(clientAddress));
    },
    identify(route, clientAddress, userId) {
      const kind = kindOf(route);
      if (kind === "write" && userId !== undefined) accountWrites(userId);
      if (kind === "read" && userId === undefined) ofAddress.read(addressBlock(clientAddress));
    },
  };
}
