import { ProblemError } from "@hearth/contracts";
import type { RouteContract } from "@hearth/contracts";
import { TokenBuckets, addressBlock } from "@hearth/runtime";

/** Requests per second of one account and of one address (rule AB3); 0 for no limit. */
export interface BudgetRates {
  readonly accountWrites: number;
  readonly addressWrites: number;
  readonly addressSearches: number;
  /** Reads of public routes, without a token or with an unknown one. */
  readonly addressReads: number;
}

type Kind = "write" | "search" | "read";

/** The budgets of senders. Each method throws `RATE_LIMITED` when one is used up. */
export interface Budgets {
  /** Must be called before auth is asked about the token. */
  arrive(route: RouteContract, clientAddress: string): void;
  /** Must be called once the user is known, or known to be nobody. */
  identify(route: RouteContract, clientAddress: string, userId: string | undefined): void;
}

/** How many seconds' worth of a budget a client may use at once. */
const BURST_SECONDS: Readonly<Record<Kind, number>> = { write: 3, search: 4, read: 4 };

const SEARCHES: ReadonlySet<string> = new Set(["searchServers"]);

const kindOf = ({ method, operationId }: RouteContract): Kind => {
  if (method !== "get") return "write";
  return SEARCHES.has(operationId) ? "search" : "read";
};

/**
 * Each process of the gateway counts its own budgets. They guard the services against floods of seconds: twice the rate on
 * two gateways is still bounded, and no request waits for a remote counter. Limits that must be exact over hours (AU8, AB4)
 * are counted in Redis.
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
