import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Credential } from "@hearth/contracts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { until } from "@hearth/runtime/testing/until";
import { freePort } from "@hearth/runtime/testing/servers";
import { register } from "../../src/client/index.ts";
import { openSyncDevice, type SyncDevice } from "../../src/product-client/device.ts";
import { type RunningServer, startServer } from "../../src/server/process.ts";

const T0 = Date.UTC(2026, 0, 1);
const ROOM = "0198c0de-0000-7000-8000-00000000000a";

describe("account sync between the client's devices, over the real server", () => {
  let server: RunningServer;
  let ada: Credential;
  let devices: SyncDevice[];
  const open = async (name: string): Promise<SyncDevice> => {
    const device = await openSyncDevice(server.url, ada, name);
    devices.push(device);
    return device;
  };

  beforeAll(async () => {
    server = await startServer({ env: { PORT: String(await freePort()) } });
  }, 120_000);
  beforeEach(async () => {
    devices = [];
    ada = await register(server.url);
  });
  afterEach(() => {
    for (const device of devices) device.close();
  });
  afterAll(async () => {
    await server.stop();
    await server.cleanUp();
  });

  const aMessage = (n: number, content = `message ${n}`) => ({
    ...{ id: `m-${n}`, roomId: ROOM, channelId: null, senderId: ada.id, senderDisplayName: "Ada", content },
    ...{ replyToId: null, mentions: [], timestamp: T0 + n, delivery: "sent", clientInstanceId: null },
  });
  const aRoom = () => ({
    ...{ id: ROOM, kind: "server", name: "Reading", description: "", signalServerUrl: server.url },
    ...{ actorUserId: ada.id, iconHash: null, tags: [], visibility: "private", ownerId: ada.id },
    ...{ peerUserId: null, role: "owner", channels: [], muted: false },
    ...{ lastReadMessageId: null, lastReadAt: null, createdAt: T0, joinedAt: T0, updatedAt: T0 },
  });
  const anEmoji = (size: number) => {
    const bytes = new Uint8Array(size).map((_, index) => index % 251);
    const hash = createHash("sha256").update(bytes).digest("hex");
    return { id: "e-1", shortcode: "leaf", mime: "image/png", hash, bytes, updatedAt: T0 };
  };
  const fill = async ({ store }: SyncDevice): Promise<void> => {
    await store.saveRooms([aRoom()]);
    await store.saveMessages(Array.from({ length: 1_000 }, (_, n) => aMessage(n)));
    await store.saveMessages(
      Array.from({ length: 40 }, (_, n) => aMessage(2_000 + n, "long ".repeat(12_000))),
    );
    await store.editMessages([
      { messageId: "m-1", roomId: ROOM, content: "edited", revision: 1, editedAt: T0 + 5_000 },
    ]);
    await store.changeReactions([
      { messageId: "m-2", emoji: "🌱", userId: ada.id, present: true, at: T0 + 5_000 },
    ]);
    await store.saveFriends([{ userId: "0198c0de-0000-7000-8000-00000000000f", addedAt: T0 }]);
    await store.saveEmoji([anEmoji(900_000)]);
  };
  const agree = (...all: readonly SyncDevice[]): Promise<void> =>
    until(async () => {
      const [first, ...others] = await Promise.all(all.map((device) => device.everything()));
      return others.every((other) => isDeepStrictEqual(other, first));
    }, 60_000);

  it("AS4 a new device receives everything, more than a megabyte, in frames that the server accepts", async () => {
    const [laptop, phone] = [await open("Laptop"), await open("Phone")];
    await fill(laptop);
    laptop.goOnline();
    await until(async () => laptop.isOnline(), 10_000);
    phone.goOnline();
    await until(async () => phone.sync.state.getState().lastSyncedAt !== null, 60_000);
    await agree(laptop, phone);
    expect(laptop.sync.state.getState().seen.map(({ name }) => name)).toContain("Phone");
  }, 120_000);

  it("AS1 messages written offline on two of three devices reach all three", async () => {
    const [laptop, phone, tablet] = [await open("Laptop"), await open("Phone"), await open("Tablet")];
    for (const [index, device] of [laptop, phone].entries()) {
      const { delivery: _, ...message } = aMessage(index);
      await device.store.saveRooms([aRoom()]);
      await device.store.saveMessages([aMessage(index)]);
      device.sync.send({ type: "chat-message", message });
      device.goOnline();
      await until(async () => device.sync.state.getState().queued === 0, 10_000);
      device.goOffline();
    }
    for (const device of [laptop, phone, tablet]) device.goOnline();
    await agree(laptop, phone, tablet);
    expect(await tablet.store.message("m-0")).toMatchObject({ content: "message 0" });
    expect(await laptop.store.message("m-1")).toMatchObject({ content: "message 1" });
  }, 120_000);

  it("a snapshot interrupted by a server restart completes afterwards", async () => {
    const [laptop, phone] = [await open("Laptop"), await open("Phone")];
    await fill(laptop);
    laptop.goOnline();
    phone.goOnline();
    await until(async () => (await phone.store.message("m-500")) !== undefined, 20_000);
    const { dataDir, url } = server;
    await server.stop("SIGKILL");
    server = await startServer({ dataDir, env: { PORT: new URL(url).port } });
    await agree(laptop, phone);
  }, 180_000);
});
