import type { ClientStore } from "@hearth/store";

/**
 * Messages that were handed to a connection and may have gone out without our knowing, as meta records: others may have
 * them with the time that they had then. A record is written before its message is handed over.
 */
export interface PossiblySent {
  all(): Promise<ReadonlySet<string>>;
  keep(messageId: string): Promise<void>;
  /** It is certain what became of it. */
  forget(messageId: string): Promise<void>;
  /** Forgets those that are not on their way out any more, whatever ended that. */
  tidy(): Promise<void>;
}

const PREFIX = "handed:";

const keyOf = (messageId: string): string => `${PREFIX}${messageId}`;

type PossiblySentStore = Pick<ClientStore, "message" | "metaEntries" | "setMeta" | "removeMeta">;

export function createPossiblySent(store: PossiblySentStore): PossiblySent {
  const all = async (): Promise<ReadonlySet<string>> =>
    new Set((await store.metaEntries(PREFIX)).map(({ key }) => key.slice(PREFIX.length)));
  return {
    all,
    keep: async (messageId) => store.setMeta(keyOf(messageId), "true"),
    forget: async (messageId) => store.removeMeta(keyOf(messageId)),
    async tidy() {
      for (const messageId of await all()) {
        const message = await store.message(messageId);
        const isOnItsWay = message && message.delivery !== "sent" && message.deletedAt === null;
        if (!isOnItsWay) await store.removeMeta(keyOf(messageId));
      }
    },
  };
}
