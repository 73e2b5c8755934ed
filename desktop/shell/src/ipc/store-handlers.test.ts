import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { silentLog } from "@hearth/runtime";
import { CALL } from "@hearth/bridge";
import type { CallName } from "@hearth/bridge";
import type { Answer } from "@hearth/bridge";
import { STORE_METHODS } from "@hearth/bridge";
import { aCredential, aMessage, aRoom, anEmoji } from "@hearth/store/testing";
import { openDeviceStore } from "@hearth/store/sqlite";
import type { DeviceStore } from "@hearth/store/sqlite";
import type { Caller } from "../ports.ts";
import { PAGE, serveStore } from "../testing/store-bridge.ts";

let store: DeviceStore;
let revocations: number;
let call: (channel: CallName, input: unknown, caller?: Caller) => Promise<Answer>;

beforeEach(() => {
  store = openDeviceStore({ file: ":memory:", log: silentLog });
  revocations = 0;
  const serve = serveStore(store, () => void (revocations += 1));
  call = async (channel, input, caller = PAGE) =>
    (await serve(channel, caller, structuredClone(input))) as Answer;
});
afterEach(() => store.close());

const refusal = { ok: false, error: { code: "INVALID_REQUEST" } };
const message = aMessage("message-1");
const page = { limit: 5, before: null };

describe("IPC calls of the store", () => {
  it("reach the store and return its result", async () => {
    expect(await call(CALL.writeStore, { method: "saveMessages", args: [[message]] })).toEqual({
      ok: true,
      value: undefined,
    });
    const place = { roomId: message.roomId, channelId: message.channelId };
    expect(await call(CALL.readStore, { method: "messagesBefore", args: [place, page] })).toMatchObject({
      ok: true,
      value: { messages: [message], hasMore: false },
    });
    expect(await store.reader.message("message-1")).toMatchObject(message);
    expect(await call(CALL.readStore, { method: "room", args: ["nowhere"] })).toEqual({
      ok: true,
      value: undefined,
    });
  });

  it("S16 are refused from other senders, without effect", async () => {
    const write = { method: "saveMessages", args: [[message]] };
    for (const stranger of [
      { ...PAGE, contentsId: 2 },
      { ...PAGE, isMainFrame: false },
      { ...PAGE, origin: "https://evil.test" },
      { ...PAGE, origin: "" },
    ]) {
      const forbidden = { ok: false, error: { code: "FORBIDDEN", message: "Not allowed" } };
      expect(await call(CALL.writeStore, write, stranger)).toEqual(forbidden);
      expect(await call(CALL.readStore, { method: "rooms", args: [] }, stranger)).toEqual(forbidden);
    }
    expect(await store.reader.message("message-1")).toBeUndefined();
  });

  it.each([
    "close",
    "constructor",
    "__proto__",
    "toString",
    "hasOwnProperty",
    "messagesJson",
    "messagesSinceJson",
    "",
    7,
    null,
    ["rooms"],
    undefined,
  ])("S16 refuse the unlisted method %j", async (method) => {
    for (const channel of [CALL.readStore, CALL.writeStore])
      expect(await call(channel, { method, args: [] })).toMatchObject(refusal);
  });

  it("S16 write on one channel and read on the other", async () => {
    await store.writer.saveRooms([aRoom()]);
    for (const [method, kind] of Object.entries(STORE_METHODS)) {
      const other = kind === "read" ? CALL.writeStore : CALL.readStore;
      expect([method, await call(other, { method, args: [] })]).toMatchObject([method, refusal]);
    }
    expect(await store.reader.rooms()).toHaveLength(1);
  });

  it.each([
    [CALL.readStore, "rooms", ["unwanted"]],
    [CALL.readStore, "room", []],
    [CALL.readStore, "room", [{ toString: "x" }]],
    [CALL.readStore, "room", ["x".repeat(257)]],
    [
      CALL.readStore,
      "messagesBefore",
      [
        { roomId: "r", channelId: null },
        { limit: 1_001, before: null },
      ],
    ],
    [
      CALL.readStore,
      "messagesBefore",
      [
        { roomId: "r", channelId: null },
        { limit: 0, before: null },
      ],
    ],
    [CALL.readStore, "messagesBefore", [{ roomId: "r" }, page]],
    [CALL.readStore, "searchMessages", [{ text: "x".repeat(65_537), limit: 5 }]],
    [CALL.readStore, "fullMessages", ["r", { after: { updatedAt: "0" }, limit: 5 }]],
    [CALL.readStore, "messages", ["r", { limit: 5, from: { offset: -1 } }]],
    [CALL.writeStore, "saveMessages", [message]],
    [CALL.writeStore, "saveMessages", [[message, { ...message, timestamp: "yesterday" }]]],
    [CALL.writeStore, "saveMessages", [[message, { ...message, content: "x".repeat(65_537) }]]],
    [CALL.writeStore, "saveMessages", [Array.from({ length: 10_001 }, () => message)]],
    [CALL.writeStore, "saveMessages", [[message], "more"]],
    [CALL.writeStore, "saveRooms", [[{ ...aRoom(), kind: "castle" }]]],
    [CALL.writeStore, "saveEmoji", [[{ ...anEmoji("leaf"), bytes: [1, 2, 3] }]]],
    [CALL.writeStore, "saveEmoji", [[{ ...anEmoji("leaf"), bytes: new Uint8Array(4 * 1_024 * 1_024 + 1) }]]],
    [CALL.writeStore, "removeRoom", ["r", Number.NaN]],
    [CALL.writeStore, "removeRoom", ["r", 1.5]],
    [CALL.writeStore, "setMeta", ["key", "x".repeat(4 * 1_024 * 1_024 + 1)]],
    [CALL.writeStore, "setMeta", ["authToken", "x"]],
    [CALL.writeStore, "savePluginData", [[{ pluginId: "p", key: "k", scope: "local", serverId: null }]]],
    [CALL.writeStore, "eraseAll", [true]],
    [CALL.writeStore, "saveMessages", "no list"],
  ])("S16 refuse %s of %s with malformed arguments", async (channel, method, args) => {
    await store.writer.saveRooms([aRoom()]);
    const answer = await call(channel, { method, args });
    expect(answer).toMatchObject(refusal);
    expect(JSON.stringify(answer)).not.toContain("text of message-1");
    expect(await store.reader.message("message-1")).toBeUndefined();
    expect(await store.reader.rooms()).toHaveLength(1);
  });

  it("S16 accept only method and arguments, and drop unknown fields of records", async () => {
    expect(await call(CALL.readStore, { method: "rooms", args: [], more: 1 })).toMatchObject(refusal);
    expect(await call(CALL.readStore, null)).toMatchObject(refusal);
    const room = { ...aRoom(), token: "marker", __proto__: { x: 1 } };
    await call(CALL.writeStore, { method: "saveRooms", args: [[room]] });
    await call(CALL.writeStore, {
      method: "saveCredential",
      args: [{ ...aCredential("https://a.test"), token: "marker" }],
    });
    const told = [
      await call(CALL.readStore, { method: "rooms", args: [] }),
      await store.reader.credentials(),
    ];
    expect(JSON.stringify(told)).not.toContain("marker");
  });

  it("refuse a value that is not JSON", async () => {
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    for (const value of [cycle, 1n, "x".repeat(4 * 1_024 * 1_024)]) {
      const datum = { pluginId: "p", key: "k", scope: "local", serverId: null, value };
      expect(await call(CALL.writeStore, { method: "savePluginData", args: [[datum]] })).toMatchObject(
        refusal,
      );
    }
  });

  it("keep the error code of the store", async () => {
    store.close();
    expect(await call(CALL.readStore, { method: "rooms", args: [] })).toEqual({
      ok: false,
      error: { code: "UNAVAILABLE", message: "The store is closed" },
    });
  });

  it("revoke the tokens of the local API after erasing their data, and only then", async () => {
    await call(CALL.writeStore, { method: "saveRooms", args: [[aRoom()]] });
    expect(revocations).toBe(0);
    await call(CALL.writeStore, { method: "eraseAll", args: [] });
    expect(revocations).toBe(1);
    expect(await store.reader.rooms()).toEqual([]);
    store.close();
    expect(await call(CALL.writeStore, { method: "eraseAll", args: [] })).toMatchObject({ ok: false });
    expect(revocations).toBe(1);
  });
});
