import { discoverySubjects } from "@hearth/contracts";
import type { Announce, Announcements } from "./announcements.ts";
import type { Ending, Store } from "./store.ts";

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

  constructor(deps: EndingsDeps) {
    this.#deps = deps;
  }

  announce(ending: Ending): Promise<void> {
    const { name } =
      ending.userId === null ? discoverySubjects.serverDeleted : discoverySubjects.membershipEnded;
    return this.#deps.announcements.deliver(name, () => this.#send(ending));
  }

  /** Those that an earlier run could not announce any more. */
  async resume(): Promise<void> {
    for (const ending of await this.#deps.store.endings.list()) await this.announce(ending);
  }

  async #send(ending: Ending): Promise<void> {
    const { store, publish } = this.#deps;
    const { id, serverId, userId } = ending;
    if (userId === null) await publish(discoverySubjects.serverDeleted, { serverId });
    else if (!(await this.#isBack(serverId, userId))) {
      await publish(discoverySubjects.membershipEnded, { serverId, userId, reason: ending.reason });
    }
    await store.endings.forget(id);
  }

  /** Whoever has become a member again since must not be thrown out by old news. */
  async #isBack(serverId: string, userId: string): Promise<boolean> {
    return (await this.#deps.store.members.standing(serverId, userId))?.member != null;
  }
}
