import type { PresenceNode } from "../node.ts";

/**
 * Tells the cluster what it has to know. What it cannot be told now is owed to it and tried again with every
 * tick; `work` must not do harm by then.
 */
export const tellCluster = async (node: PresenceNode, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    owe(node, work, error);
  }
};

/** The same for what has failed already. */
export const owe = (node: PresenceNode, work: () => Promise<void>, error: unknown): void => {
  node.owed.add(work);
  node.log.warn({ err: error }, "the cluster could not be told; it will be");
};

/** Tries again; stops at the first that fails once more. */
export const settleDebts = async (node: PresenceNode): Promise<void> => {
  for (const work of node.owed) {
    await work();
    node.owed.delete(work);
  }
};
