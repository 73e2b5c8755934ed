/** How many sending connections of one account are remembered; more than can be open at once. */
const MAX_SENDERS = 256;

/**
 * The latest `account_sync` of each sending connection that was delivered on this node. A delayed sync-service may
 * deliver an envelope after its sender was answered with a failure; that must not come behind a newer one (rule AS1).
 * No acknowledged envelope is lost: a connection sends on the next only when the one before is answered, the answer
 * leaves after the envelope is with NATS, and one NATS server keeps that order for every node.
 */
export class SyncSequences {
  /** By account, then by sending connection; the one that was silent longest comes first. */
  private readonly latest = new Map<string, Map<string, number>>();

  /** Notes a delivery; false for one that is not above the latest of its connection. */
  take(oderId: string, connectionId: string, sequence: number): boolean {
    const senders = this.latest.get(oderId) ?? new Map<string, number>();
    if (sequence <= (senders.get(connectionId) ?? 0)) return false;
    senders.delete(connectionId);
    this.latest.set(oderId, senders.set(connectionId, sequence));
    const [silent] = senders.keys();
    if (senders.size > MAX_SENDERS && silent !== undefined) senders.delete(silent);
    return true;
  }

  /** Call it when the account has no connection on this node any more. */
  forget(oderId: string): void {
    this.latest.delete(oderId);
  }
}
