/** Digests of messages in received or sent snapshots, so that they are not sent back. */
export interface ReceivedSnapshots {
  /** Call it for every message of a running snapshot. */
  note(snapshotId: string, digest: string): void;
  /** The snapshot is complete; other devices may know that. */
  close(snapshotId: string): void;
  /** Ids of complete snapshots, newest last. */
  complete(): readonly string[];
  /** Whether one of these snapshots contained the message. */
  among(snapshotIds: readonly string[]): (digest: string) => boolean;
}

const MAX_SNAPSHOTS = 16;
const MAX_DIGESTS = 200_000;

export function createReceivedSnapshots(): ReceivedSnapshots {
  const digests = new Map<string, Set<string>>();
  const completed = new Set<string>();
  let count = 0;

  const forgetOldest = (): void => {
    for (const [id, known] of digests) {
      if (digests.size <= MAX_SNAPSHOTS && count <= MAX_DIGESTS) return;
      digests.delete(id);
      completed.delete(id);
      count -= known.size;
    }
  };
  return {
    note(snapshotId, digest) {
      const known = digests.get(snapshotId) ?? new Set();
      if (known.has(digest)) return;
      digests.set(snapshotId, known.add(digest));
      count += 1;
      forgetOldest();
    },
    close(snapshotId) {
      if (!digests.has(snapshotId)) return;
      completed.add(snapshotId);
    },
    complete: () => [...completed],
    among(snapshotIds) {
      const sets = snapshotIds.flatMap((id) => digests.get(id) ?? []);
      return (digest) => sets.some((known) => known.has(digest));
    },
  };
}
