import { beforeEach, describe, expect, it } from "@jest/globals";
import { aRoom, T0 } from "@hearth/store/testing";
import type { ClientStore } from "@hearth/store";
import { ClientProblem } from "@hearth/device";
import { openFakeStore } from "@hearth/store/testing";
import { createFakeDevice } from "../testing/fake-device.ts";
import type { FakeDevice } from "../testing/fake-device.ts";
import { createFakePlatform } from "../testing/fake-platform.ts";
import type { SyncPayload } from "@hearth/contracts";
import { coalescingKey, createSyncOutbox } from "./sync-outbox.ts";

const message = (id: string): SyncPayload => ({
  type: "message-delete",
  roomId: "r",
  messageId: id,
  deletedAt: T0,
});
const read = (channelId: string, timestamp: number): SyncPayload => ({
  type: "read-position",
  roomId: "r",
  channelId,
  messageId: "m",
  timestamp,
});

describe("the sync outbox", () => {
  let device: FakeDevice;
  let store: ClientStore;
  let sent: SyncPayload[];
  const queue = () => createSyncOutbox(createFakePlatform({ device }), store);
  const signal = new AbortController().signal;
  const send = async (payload: SyncPayload): Promise<void> => void sent.push(payload);
  beforeEach(async () => {
    device = createFakeDevice();
    store = await openFakeStore(() => device.clock.now());
    sent = [];
  });

  it("survives a restart and sends in order", async () => {
    const before = queue();
    for (const id of ["1", "2", "3"]) before.add(message(id));
    expect(await before.flush(async () => Promise.reject(new ClientProblem("OFFLINE")), signal)).toBe(false);
    const after = queue();
    await after.start();
    expect(after.length.getState()).toBe(3);
    expect(await after.flush(send, signal)).toBe(true);
    expect(sent).toEqual(["1", "2", "3"].map(message));
    expect(after.length.getState()).toBe(0);
    expect(await store.metaEntries("sync-queue:")).toEqual([]);
  });

  it("continues after a failure that may pass, and repeats nothing that was sent", async () => {
    const waiting = queue();
    for (const id of ["1", "2", "3"]) waiting.add(message(id));
    const failing = async (payload: SyncPayload): Promise<void> => {
      if (payload["messageId"] === "2") throw new ClientProblem("UNAVAILABLE", { retryable: true });
      return send(payload);
    };
    expect(await waiting.flush(failing, signal)).toBe(false);
    expect(await waiting.flush(send, signal)).toBe(true);
    expect(sent).toEqual(["1", "2", "3"].map(message));
  });

  it("is not blocked by a payload that is refused for good", async () => {
    const waiting = queue();
    for (const id of ["1", "2", "3"]) waiting.add(message(id));
    const refusing = async (payload: SyncPayload): Promise<void> => {
      if (payload["messageId"] === "1") throw new ClientProblem("PAYLOAD_TOO_LARGE");
      return send(payload);
    };
    expect(await waiting.flush(refusing, signal)).toBe(true);
    expect(sent).toEqual(["2", "3"].map(message));
  });

  it("omits payloads that a later one replaces", async () => {
    const waiting = queue();
    for (const payload of [read("a", 1), message("1"), read("b", 1), read("a", 2)]) waiting.add(payload);
    await waiting.flush(send, signal);
    expect(sent).toEqual([message("1"), read("b", 1), read("a", 2)]);
  });

  it("is sent by one tab at a time, once", async () => {
    const tabs = [queue(), queue()];
    for (const [index, tab] of tabs.entries()) tab.add(message(`${index}`));
    const slowly = async (payload: SyncPayload): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return send(payload);
    };
    await Promise.all(tabs.map(async (tab) => tab.flush(slowly, signal)));
    await Promise.all(tabs.map(async (tab) => tab.flush(slowly, signal)));
    expect(sent.map(({ messageId }) => messageId).toSorted()).toEqual(["0", "1"]);
  });

  it("stops when its connection ends", async () => {
    const waiting = queue();
    for (const id of ["1", "2"]) waiting.add(message(id));
    const ending = new AbortController();
    const once = async (payload: SyncPayload): Promise<void> => {
      ending.abort();
      return send(payload);
    };
    expect(await waiting.flush(once, ending.signal)).toBe(false);
    expect(sent).toHaveLength(1);
  });

  it("is limited, and drops the oldest payloads", async () => {
    for (let n = 0; n < 2_010; n += 1)
      await store.setMeta(`sync-queue:${String(n).padStart(6, "0")}`, JSON.stringify(message(`${n}`)));
    const waiting = queue();
    await waiting.start();
    expect(waiting.length.getState()).toBe(2_000);
    await waiting.flush(send, signal);
    expect(sent[0]).toEqual(message("10"));
  });

  it("removes malformed records", async () => {
    await store.setMeta("sync-queue:1", "{");
    await store.setMeta("sync-queue:2", '"text"');
    await queue().start();
    expect(await store.metaEntries("sync-queue:")).toEqual([]);
  });

  it("knows which payloads replace each other", () => {
    const room = (id: string) => coalescingKey({ type: "saved-room-sync", room: aRoom({ id }) });
    expect(room("a")).toBe(room("a"));
    expect(room("a")).not.toBe(room("b"));
    expect(room("a")).not.toBe(coalescingKey({ type: "saved-room-remove", roomId: "a" }));
    for (const type of ["chat-message", "message-revision", "message-delete", "something else"])
      expect(coalescingKey({ type })).toBeNull();
  });
});
