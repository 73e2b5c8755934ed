import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { aMessage, anEdit, anEmoji, aProfile, aReaction, aRoom, T0 } from "@hearth/store/testing";
import { sha256Hex } from "./digest.ts";
import { storeContents } from "./testing/store-contents.ts";
import { HOME, ME } from "./testing/relay.ts";
import { SyncWorld } from "./testing/sync-world.ts";
import type { Sibling } from "./testing/sync-world.ts";

const MY_ROOM = aRoom({ signalServerUrl: HOME, actorUserId: ME });

const someEmoji = (id: string, size: number) => {
  const bytes = Uint8Array.from({ length: size }, (_, index) => (index * 7) % 256);
  return anEmoji(id, { bytes, hash: sha256Hex(bytes) });
};

const fillStore = async ({ store }: Sibling, messages = 250): Promise<void> => {
  await store.saveRooms([MY_ROOM]);
  await store.saveMessages(
    Array.from({ length: messages }, (_, n) =>
      aMessage(`m-${n}`, { timestamp: T0 + n, content: "x".repeat(2_500) }),
    ),
  );
  await store.editMessages([anEdit("m-1", 1), anEdit("m-1", 2)]);
  await store.removeMessages([{ messageId: "m-2", roomId: MY_ROOM.id, deletedAt: T0 + 9 }]);
  await store.changeReactions([aReaction("m-3"), aReaction("m-3", { userId: "user-3", present: false })]);
  await store.saveFriends([{ userId: "user-7", addedAt: T0 }]);
  await store.saveProfile(
    aProfile({ id: ME, homeSignalServerUrl: HOME, avatarHash: null, avatarMime: null }),
  );
  await store.saveEmoji([someEmoji("e-1", 100)]);
  await store.removeFriend("user-8", T0);
};

describe("account sync", () => {
  let world: SyncWorld;
  let laptop: Sibling;
  let phone: Sibling;
  beforeEach(async () => {
    world = new SyncWorld();
    laptop = await world.open();
    phone = await world.open();
  });
  afterEach(() => world.close());

  const sendMessage = async (sibling: Sibling, id: string): Promise<void> => {
    const { delivery: _, ...message } = aMessage(id);
    await sibling.store.saveMessages([aMessage(id)]);
    sibling.sync.send({ type: "chat-message", message });
  };

  it("sends a new device everything", async () => {
    await fillStore(laptop);
    laptop.client.connect();
    phone.client.connect();
    await world.settle();
    expect(await storeContents(phone.store)).toEqual(await storeContents(laptop.store));
    expect(await phone.store.messages(MY_ROOM.id, { limit: 1, from: { offset: 0 } })).toMatchObject({
      total: 250,
    });
    expect(await phone.store.emoji()).toHaveLength(1);
    expect(phone.sync.state.getState()).toMatchObject({ progress: null, lastSyncedAt: expect.any(Number) });
    expect(laptop.sync.state.getState().seen).toMatchObject([
      { clientInstanceId: phone.client.instanceId, name: "Device 2" },
    ]);
  });

  it("sends the existing devices what the new one has", async () => {
    await fillStore(phone);
    laptop.client.connect();
    phone.client.connect();
    await world.settle();
    expect(await storeContents(laptop.store)).toEqual(await storeContents(phone.store));
    expect(await laptop.store.emoji()).toHaveLength(1);
  });

  it("sends large payloads in chunks", async () => {
    const emoji = someEmoji("e-2", 900_000);
    await laptop.store.saveEmoji([emoji]);
    laptop.client.connect();
    phone.client.connect();
    await world.settle();
    expect(
      world.relay.relayed.filter(({ payload }) => payload["type"] === "custom-emoji-chunk"),
    ).toHaveLength(5);
    const [arrived] = await phone.store.emoji();
    expect(arrived && sha256Hex(arrived.bytes)).toBe(emoji.hash);
  });

  it("sends nothing twice to a synced device", async () => {
    await fillStore(laptop);
    laptop.client.connect();
    phone.client.connect();
    await world.settle();
    await world.clock.advance(600_000);
    phone.client.disconnect();
    world.relay.relayed.length = 0;
    phone.client.connect();
    await world.settle();
    const types = new Set(world.relay.relayed.map(({ payload }) => payload["type"]));
    expect([...types].toSorted()).toEqual(["sync-begin", "sync-end", "sync-received", "sync-request"]);
  });

  it("sends at once while online", async () => {
    laptop.client.connect();
    phone.client.connect();
    await world.settle();
    phone.applied.length = 0;
    await laptop.store.saveRooms([MY_ROOM]);
    await sendMessage(laptop, "m-1");
    laptop.sync.send({ type: "saved-room-sync", room: MY_ROOM });
    await world.settle(1_000);
    expect(phone.applied).toEqual([
      { kind: "messages", roomId: MY_ROOM.id, messageIds: ["m-1"], isLive: true },
      { kind: "rooms" },
    ]);
    expect(await phone.store.message("m-1")).toMatchObject({ content: "text of m-1", delivery: "sent" });
    expect(laptop.sync.state.getState().queued).toBe(0);
  });

  it("keeps unsent payloads over a restart, and sends them in order", async () => {
    await laptop.store.saveRooms([MY_ROOM]);
    for (const id of ["m-1", "m-2", "m-3"]) await sendMessage(laptop, id);
    await world.clock.advance(100);
    expect(laptop.sync.state.getState().queued).toBe(3);
    await laptop.restart();
    expect(laptop.sync.state.getState().queued).toBe(3);
    phone.client.connect();
    laptop.client.connect();
    await world.settle();
    const messages = world.relay.relayed.filter(({ payload }) => payload["type"] === "chat-message");
    expect(messages.map(({ payload }) => (payload["message"] as { id: string }).id)).toEqual([
      "m-1",
      "m-2",
      "m-3",
    ]);
    expect(laptop.sync.state.getState().queued).toBe(0);
    expect(await laptop.store.metaEntries("sync-queue:")).toEqual([]);
  });

  it("AS4 ignores its own payloads, and those of other accounts", async () => {
    laptop.client.connect();
    const message = aMessage("m-1");
    const names = { fromUsername: "ada", fromDisplayName: "Ada" };
    const envelope = { type: "account_sync" as const, ...names, sentAt: T0 };
    const payload = { type: "chat-message", message };
    laptop.client.receive({
      ...envelope,
      fromUserId: ME,
      clientInstanceId: laptop.client.instanceId,
      payload,
    });
    laptop.client.receive({
      ...envelope,
      fromUserId: "user-9",
      clientInstanceId: phone.client.instanceId,
      payload,
    });
    await world.settle(1_000);
    expect(await laptop.store.message("m-1")).toBeUndefined();
    laptop.client.receive({
      ...envelope,
      fromUserId: ME,
      clientInstanceId: phone.client.instanceId,
      payload,
    });
    await world.settle(1_000);
    expect(await laptop.store.message("m-1")).toBeDefined();
  });

  it("replaces the actor by the own account on a foreign instance", async () => {
    const room = aRoom({ signalServerUrl: "https://away.example", actorUserId: "the sender's" });
    laptop.client.connect();
    phone.client.connect();
    laptop.sync.send({ type: "saved-room-sync", room });
    await world.settle(1_000);
    expect((await phone.store.room(room.id))?.actorUserId).toBe(`${ME.slice(0, -2)}bb`);
  });

  it("CL3 moves no server to another instance because a device says so, unless that is home", async () => {
    const claimed = { actorUserId: ME, joinedAt: MY_ROOM.joinedAt + 1 };
    const elsewhere = aRoom({ id: "room-2", signalServerUrl: "https://away.example", actorUserId: ME });
    laptop.client.connect();
    phone.client.connect();
    await phone.store.saveRooms([MY_ROOM, elsewhere]);
    for (const room of [
      { ...MY_ROOM, ...claimed, signalServerUrl: "https://evil.example" },
      { ...elsewhere, ...claimed, signalServerUrl: HOME },
    ])
      laptop.sync.send({ type: "saved-room-sync", room });
    await world.settle(1_000);
    expect((await phone.store.room(MY_ROOM.id))?.signalServerUrl).toBe(HOME);
    expect((await phone.store.room("room-2"))?.signalServerUrl).toBe(HOME);
  });

  it("AS2 never sends where bytes are stored", async () => {
    const path = "/home/ada/leaf.png";
    laptop.client.connect();
    phone.client.connect();
    laptop.sync.send({
      type: "chat-message",
      message: {
        ...aMessage("m-1"),
        content: "see file:///etc",
        attachments: [{ id: "a", localPath: path, path }],
      },
    });
    await world.settle(1_000);
    expect(JSON.stringify(world.relay.relayed)).not.toContain(path);
    expect((await phone.store.message("m-1"))?.content).toBe("see file:///etc");
  });

  it("does not request from a tab of the same browser", async () => {
    await fillStore(laptop);
    laptop.client.connect();
    const tab = await laptop.openTab();
    tab.client.connect();
    await world.settle();
    expect(new Set(world.relay.relayed.map(({ payload }) => payload["type"]))).toEqual(
      new Set(["sync-request"]),
    );
    expect(laptop.sync.state.getState().seen).toEqual([]);
  });

  it("sends everything to a device that sends no request", async () => {
    await fillStore(laptop);
    laptop.client.connect();
    const device = { name: "Another client" };
    const ids = { clientInstanceId: phone.client.instanceId, connectionId: "c" };
    laptop.client.receive({ type: "account_sync_peer_online", ...ids, device, responder: true });
    await world.settle();
    const sent = world.relay.relayed.map(({ payload }) => payload["type"]);
    expect(sent).toContain("sync-end");
    expect(sent.filter((type) => type === "chat-sync-batch").length).toBeGreaterThan(2);
  });

  it("lets another device answer if the responder is gone", async () => {
    await fillStore(laptop);
    const tablet = await world.open();
    await fillStore(tablet);
    laptop.client.connect();
    tablet.client.connect();
    await world.settle();
    phone.client.connect();
    laptop.client.disconnect();
    await world.settle();
    expect(await storeContents(phone.store)).toEqual(await storeContents(tablet.store));
    expect(await phone.store.emoji()).toHaveLength(1);
  });

  it("gives up on a device that went away, and continues when it is back", async () => {
    await fillStore(laptop, 1_000);
    laptop.client.connect();
    phone.client.connect();
    while (!world.relay.relayed.some(({ payload }) => payload["type"] === "chat-sync-batch")) {
      world.relay.step();
      await world.clock.advance(2);
    }
    phone.client.disconnect();
    await world.settle(60_000);
    expect(laptop.sync.state.getState().progress).toBeNull();
    expect(world.relay.relayed.some(({ payload }) => payload["type"] === "sync-end")).toBe(false);
    phone.client.connect();
    await world.settle();
    expect(await storeContents(phone.store)).toEqual(await storeContents(laptop.store));
  }, 60_000);

  it("requests everything again on demand", async () => {
    await fillStore(laptop);
    laptop.client.connect();
    phone.client.connect();
    await world.settle();
    await phone.store.removeEmoji("e-1");
    world.relay.relayed.length = 0;
    const progress: unknown[] = [];
    phone.sync.state.subscribe(({ progress: now }) => progress.push(now));
    phone.sync.runAgain();
    await world.settle();
    const types = world.relay.relayed.map(({ payload }) => payload["type"]);
    expect(types.filter((type) => type === "chat-sync-batch").length).toBeGreaterThan(2);
    expect(progress.slice(0, 2)).toEqual([
      { direction: "receiving", device: "Device 1", done: 0, total: 255 },
      { direction: "receiving", device: "Device 1", done: 1, total: 255 },
    ]);
    expect(progress.at(-1)).toBeNull();
  });
});
