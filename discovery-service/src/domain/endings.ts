import { discoverySubjects } from "@hearth/contracts";
import type { Announce, Announcements } from "./announcements.ts";
import type { Ending } from "./records.ts";
import type { Store } from "./store.ts";

/**
 * DI7: that a user has to leave a room matters for security. The write that decides it stores an ending, and the ending
 * stays stored until the bus has taken its announcement. A crash in between delays the announcement to the next start.
 */
export interface Endings {
  announce(ending: Ending): Promise<void>;
  /** Announces all stored endings, which an earlier run left behind. */
  announceStored(): Promise<void>;
  /**
   * Announces the endings that are stored since the last call and that this process is not announcing: the operator's
   * command stores endings and has no bus, and another replica may have died. Newer endings are left to their writer
   * until the next call.
   */
  announceAbandoned(): Promise<void>;
}

export interface EndingsDeps {
  readonly store: Pick<Store, "endings" | "members">;
  readonly publish: Announce;
  readonly announcements: Pick<Announcements, "deliver">;
}

export function createEndings({ store, publish, announcements }: EndingsDeps): Endings {
  const inProgress = new Set<string>();
  let storedBefore: ReadonlySet<string> = new Set();

  /** A user who has become a member again must not be removed by an old ending. */
  const isMemberAgain = async (serverId: string, userId: string): Promise<boolean> =>
    (await store.members.serverAndMember(serverId, userId))?.member != null;

  const send = async (ending: Ending): Promise<void> => {
    const { id, serverId, userId } = ending;
    if (userId === null) await publish(discoverySubjects.serverDeleted, { serverId });
    else if (!(await isMemberAgain(serverId, userId))) {
      await publish(discoverySubjects.membershipEnded, { serverId, userId, reason: ending.reason });
    }
    await store.endings.forget(id);
    inProgress.delete(id);
  };

  const announce = async (ending: Ending): Promise<void> => {
    const { name } =
      ending.userId === null ? discoverySubjects.serverDeleted : discoverySubjects.membershipEnded;
    inProgress.add(ending.id);
    await announcements.deliver(name, () => send(ending));
  };

  return {
    announce,
    announceStored: async () => {
      for (const ending of await store.endings.list()) await announce(ending);
    },
    announceAbandoned: async () => {
      const stored = await store.endings.list();
      const abandoned = stored.filter(({ id }) => storedBefore.has(id) && !inProgress.has(id));
      storedBefore = new Set(stored.map(({ id }) => id));
      for (const ending of abandoned) await announce(ending);
    },
  };
}
