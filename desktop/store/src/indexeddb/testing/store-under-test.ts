import type { Clock } from "@hearth/runtime";
import type { DeviceReader } from "../../device-store.ts";
import type { HistoryUnderTest } from "../../contract/history.contract.ts";
import type { IndexedDbStore } from "../open.indexeddb.ts";
import { openFakeStore } from "./fake-store.ts";

const jsonOf = (messages: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(messages));

/** Pages as JSON text, which only the local API needs. */
const withText = (store: IndexedDbStore): DeviceReader => ({
  ...store,
  messagesJson: async (roomId, page) => {
    const found = await store.messages(roomId, page);
    return found && { json: jsonOf(found.messages), next: found.next, total: found.total };
  },
  messagesSinceJson: async (roomId, page) => {
    const found = await store.messagesSince(roomId, page);
    return found && { json: jsonOf(found.messages), next: found.next };
  },
});

/** An empty store for the contract suites. */
export async function openEmpty(clock: Clock): Promise<HistoryUnderTest> {
  const store = await openFakeStore(() => clock.now());
  return {
    writer: store,
    reader: withText(store),
    history: store,
    eraseAll: () => store.eraseAll(),
    close: () => {
      store.close();
    },
  };
}
