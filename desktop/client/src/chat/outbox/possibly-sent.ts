import type { ClientStore } from "@hearth/store";

/**
 * Messages that were handed to a connection and may have been sent without our knowing, as meta records. Others may
 * have them with the timestamp of that moment. The record is written before the message is handed over.
 */
export interface PossiblySent {
  all(): Promise<ReadonlySet<string>>;
  keep(messageId: string): Promise<void>;
  /** The outcome is known. */
  forget(messageId: string): Promise<void>;
  /** Removes records of messages that do not wait any more. */
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
