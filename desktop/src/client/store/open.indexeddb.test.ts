import type { Clock } from "@hearth/runtime";
import type { StoreUnderTest } from "../../store/device-records.contract.ts";
import { describeDeviceStoreContract } from "../../store/device-store.contract.ts";
import type { DeviceReader } from "../../store/device-store.ts";
import type { IndexedDbStore } from "./open.indexeddb.ts";
import { openFakeStore } from "./testing/fake-indexeddb.ts";

const jsonOf = (messages: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(messages));

/** The pages as text, which only the local API asks for. */
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

async function openEmpty(clock: Clock): Promise<StoreUnderTest> {
  const store = await openFakeStore(() => clock.now());
  return { writer: store, reader: withText(store), close: () => store.close() };
}

describeDeviceStoreContract("IndexedDB", openEmpty);
