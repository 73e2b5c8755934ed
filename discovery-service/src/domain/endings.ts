import { discoverySubjects } from "@hearth/contracts";
import type { Announce, Announcements } from "./announcements.ts";
import type { Ending } from "./records.ts";
import type { Store } from "./store.ts";

export interface EndingsDeps {
  readonly store: Pick<Store, "endings" | "members">;
  readonly publish: Announce;
  readonly announcements: Pick<Announcements, "deliver">;
}

/**
 * DI7: that somebody has to leave a room is security, so it is kept with the write that decided it until the bus has taken
 * it: a crash in between only delays it to the next start.
 */
export class Endings {
  readonly #deps: EndingsDeps;
  readonly #underWay = new Set<string>();
  #seen: ReadonlySet<string> = new Set();

  constructor(deps: EndingsDeps) {
    this.#deps = deps;
  }

  async announce(ending: Ending): Promise<void> {
    const { name } =
      ending.userId === null ? discoverySubjects.serverDeleted : discoverySubjects.membershipEnded;
    this.#underWay.add(ending.id);
    await this.#deps.announcements.deliver(name, () => this.#send(ending));
  }

  /** Those that an earlier run could not announce any more. */
  async resume(): Promise<void> {
    for (const ending of await this.#deps.store.endings.list()) await this.announce(ending);
  }

  /**
   * Announces what nobody has announced since the last call: the operator's command writes endings and has no bus, and
   * a replica may have died. What is new is left to whoever wrote it until the next call.
   */
  async collect(): Promise<void> {
    const kept = await this.#deps.store.endings.list();
    const orphans = kept.filter(({ id }) => this.#seen.has(id) && !this.#underWay.has(id));
    this.#seen = new Set(kept.map(({ id }) => id));
    for (const ending of orphans) await this.announce(ending);
  }

  async #send(ending: Ending): Promise<void> {
    const { store, publish } = this.#deps;
    const { id, serverId, userId } = ending;
    if (userId === null) await publish(discoverySubjects.serverDeleted, { serverId });
    else if (!(await this.#isBack(serverId, userId))) {
      await publish(discoverySubjects.membershipEnded, { serverId, userId, reason: ending.reason });
    }
    await store.endings.forget(id);
    this.#underWay.delete(id);
  }

  /** Whoever has become a member again since must not be thrown out by old news. */
  async #isBack(serverId: string, userId: string): Promise<boolean> {
    return (await this.#deps.store.members.serverAndMember(serverId, userId))?.member != null;
  }
}
