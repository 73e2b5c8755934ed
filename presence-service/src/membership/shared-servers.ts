import { discoverySubjects } from "@hearth/contracts";
import type { Bus, Clock } from "@hearth/runtime";

const KEEP_MS = 10_000;
const MAX_PAIRS = 10_000;

/** WS10: which users share a server; cached briefly because icons come in many chunks. */
export class SharedServers {
  private readonly known = new Map<string, number>();
  private readonly bus: Bus;
  private readonly clock: Clock;
  private generation = 0;

  constructor(bus: Bus, clock: Clock) {
    this.bus = bus;
    this.clock = clock;
  }

  /** Rejects with `UNAVAILABLE` or `TIMEOUT` when discovery cannot be asked. */
  async has(userId: string, otherUserId: string): Promise<boolean> {
    if (userId === otherUserId) return true;
    const pair = userId < otherUserId ? `${userId} ${otherUserId}` : `${otherUserId} ${userId}`;
    const now = this.clock.now();
    if ((this.known.get(pair) ?? 0) > now) return true;
    const { generation } = this;
    const { shared } = await this.bus.request(discoverySubjects.shared, { userId, otherUserId });
    if (this.known.size >= MAX_PAIRS) this.known.clear();
    // An answer from before somebody left serves this once and is not kept.
    if (shared && generation === this.generation) this.known.set(pair, now + KEEP_MS);
    return shared;
  }

  /** Somebody left a server: ask again. */
  forget(): void {
    this.generation += 1;
    this.known.clear();
  }
}
