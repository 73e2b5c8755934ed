import { addressBlock } from "./address-block.ts";

/** How much of something each client address holds at the moment. */
export interface AddressCounts {
  /** False, and nothing counted, when the address holds as much as it may. */
  take(address: string): boolean;
  give(address: string): void;
  readonly total: number;
  /** The most that one address may hold; 0 for any number. */
  readonly limit: number;
}

/** An IPv6 client counts by its /64, since all of it is one customer's. `limit` 0 counts without refusing. */
export function createAddressCounts(limit: number): AddressCounts {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    limit,
    take(address) {
      const block = addressBlock(address);
      const count = counts.get(block) ?? 0;
      if (limit > 0 && count >= limit) return false;
      counts.set(block, count + 1);
      total += 1;
      return true;
    },
    give(address) {
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
