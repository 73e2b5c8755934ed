import { LRUCache } from "@hearth/runtime";

const MAX_PAIRS = 10_000;

/** AB6: who wrote to whom lately, on any node. A user who wrote to another wants to receive their reply. */
export type Correspondence = ReturnType<typeof createCorrespondence>;

export const createCorrespondence = () => {
  const pairs = new LRUCache<string, true>({ max: MAX_PAIRS });
  return {
    note: (from: string, to: string): void => void pairs.set(`${from} ${to}`, true),
    hasWritten: (from: string, to: string): boolean => pairs.has(`${from} ${to}`),
  };
};
