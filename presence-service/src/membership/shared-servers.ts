import { discoverySubjects } from "@hearth/contracts";
import type { Bus, Clock } from "@hearth/runtime";

const KEEP_MS = 10_000;
const MAX_PAIRS = 10_000;

/** WS10: which users share a server; cached briefly because icons come in many chunks. */
export type SharedServers = ReturnType<typeof createSharedServers>;

export const createSharedServers = (bus: Bus, clock: Clock) => {
  const knownUntil = new Map<string, number>();
  let generation = 0;
  return {
    /** Rejects with `UNAVAILABLE` or `TIMEOUT` if discovery does not answer. */
    async has(userId: string, otherUserId: string): Promise<boolean> {
      if (userId === otherUserId) return true;
      const pair = userId < otherUserId ? `${userId} ${otherUserId}` : `${otherUserId} ${userId}`;
      const now = clock.now();
      if ((knownUntil.get(pair) ?? 0) > now) return true;
      const asked = generation;
      const { shared } = await bus.request(discoverySubjects.shared, { userId, otherUserId });
      if (knownUntil.size >= MAX_PAIRS) knownUntil.clear();
      // Somebody may have left a server meanwhile: then the answer serves only this call.
      if (shared && asked === generation) knownUntil.set(pair, now + KEEP_MS);
      return shared;
    },

    /** Call it when somebody has left a server. */
    forget(): void {
      generation += 1;
      knownUntil.clear();
    },
  };
};
