import { addressBlock } from "./address-block.ts";

/** Counts what each client address holds at the moment, such as open connections. */
export interface AddressCounts {
  /** Counts one more and returns true, or returns false when the address has reached the limit. */
  acquire(address: string): boolean;
  release(address: string): void;
  readonly total: number;
  /** The limit for one address; 0 for none. */
  readonly limit: number;
}

/** An IPv6 client is counted by its /64, because one customer owns all of it. `limit` 0 counts without refusing. */
export function createAddressCounts(limit: number): AddressCounts {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    limit,
    acquire(address) {
      const block = addressBlock(address);
      const count = counts.get(block) ?? 0;
      if (limit > 0 && count >= limit) return false;
      counts.set(block, count + 1);
      total += 1;
      return true;
    },
    release(address) {
      const block = addressBlock(address);
      const count = counts.get(block) ?? 0;
      if (count > 1) counts.set(block, count - 1);
      else counts.delete(block);
      total = Math.max(0, total - 1);
    },
    get total() {
      return total;
    },
  };
}
