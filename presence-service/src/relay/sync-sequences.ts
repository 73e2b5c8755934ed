/** How many sending connections of one account are remembered; more than can be open at once. */
const MAX_SENDERS = 256;

/**
 * AS1: the latest `account_sync` of each sending connection that was delivered on this node. A delayed sync-service may
 * deliver an envelope after its sender received a failure; such an envelope must not arrive after a newer one.
 *
 * No acknowledged envelope is lost. A connection sends an envelope only when the one before is answered; the answer leaves
 * after the envelope has reached NATS; and one NATS server delivers in the same order to every node.
 */
export type SyncSequences = ReturnType<typeof createSyncSequences>;

export const createSyncSequences = () => {
  /** By account, then by sending connection; the connection that has been silent longest comes first. */
  const latest = new Map<string, Map<string, number>>();
  return {
    /** Notes a delivery. Returns false if its number is not above the latest one of the connection. */
    take(oderId: string, connectionId: string, sequence: number): boolean {
      const senders = latest.get(oderId) ?? new Map<string, number>();
      if (sequence <= (senders.get(connectionId) ?? 0)) return false;
      senders.delete(connectionId);
      latest.set(oderId, senders.set(connectionId, sequence));
      const [silent] = senders.keys();
      if (senders.size > MAX_SENDERS && silent !== undefined) senders.delete(silent);
      return true;
    },

    /** Call it when the account has no connection on this node any more. */
    forget(oderId: string): void {
      latest.delete(oderId);
    },
  };
};
