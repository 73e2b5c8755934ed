import { beforeAll, describe, expect, it } from "@jest/globals";
import { manualClock } from "@hearth/runtime/testing";
import { openBridgeStore } from "@hearth/client";
import { describeDeviceStoreContract } from "@hearth/store/contract";
import { aRoom } from "@hearth/store/testing";
import type { DeviceReader } from "@hearth/store";
import { describeHistoryContract } from "@hearth/store/contract";
import type { OpenHistory } from "@hearth/store/contract";
import type { ClientStore } from "@hearth/store";
import { preloadScript, runPreload } from "../testing/preload.ts";
import { openStoreBridge } from "../testing/store-bridge.ts";

let script: string;

beforeAll(async () => {
  script = await preloadScript();
}, 60_000);

/** The page needs no JSON text, but the contract suite does: derived from the records here. */
function readerOf(store: ClientStore): DeviceReader {
  const asText = <Page extends { readonly messages: readonly unknown[] }>(page: Page | undefined) => {
    if (!page) return undefined;
    const { messages, ...rest } = page;
    return { ...rest, json: new Uint8Array(Buffer.from(JSON.stringify(messages))) };
  };
  return {
    ...store,
    messagesJson: async (roomId, page) => asText(await store.messages(roomId, page)),
    messagesSinceJson: async (roomId, page) => asText(await store.messagesSince(roomId, page)),
  };
}

const open: OpenHistory = async (clock) => {
  const { bridge, close } = openStoreBridge(script, clock);
  const store = openBridgeStore(bridge);
  return { writer: store, reader: readerOf(store), history: store, eraseAll: () => store.eraseAll(), close };
};

describeDeviceStoreContract("SQLite behind the bridge", open);
describeHistoryContract("SQLite behind the bridge", open);

describe("the store behind the bridge", () => {
  it("distinguishes refused input from database failures", async () => {
    const { bridge, close } = openStoreBridge(script, manualClock());
    const store = openBridgeStore(bridge);
    await expect(store.setMeta("authToken", "marker")).rejects.toMatchObject({
      name: "ClientProblem",
      code: "INVALID_REQUEST",
      retryable: false,
    });
    close();
    await expect(store.saveRooms([aRoom()])).rejects.toMatchObject({
      name: "ClientProblem",
      code: "STORAGE_FAILED",
      retryable: true,
      message: "The store is closed",
    });
  });

  it("reports a retryable failure if the main process does not answer", async () => {
    const { hearth } = runPreload(script, () => Promise.reject(new Error("no handler, says /home/ada")));
    const error: unknown = await openBridgeStore(hearth)
      .rooms()
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "STORAGE_FAILED", retryable: true });
    expect(String(error)).not.toContain("ada");
  });

  it("reports a failure if the bridge itself breaks", async () => {
    const { bridge } = openStoreBridge(script, manualClock());
    const broken = {
      ...bridge,
      store: { ...bridge.store, rooms: () => Promise.reject(new Error("cannot be cloned")) },
    };
    await expect(openBridgeStore(broken).rooms()).rejects.toMatchObject({
      code: "STORAGE_FAILED",
      retryable: false,
    });
  });
});
