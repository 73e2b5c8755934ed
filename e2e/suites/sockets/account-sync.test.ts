import type { Credential } from "@hearth/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  type Device,
  dialPlain,
  DOORS,
  expectOk,
  join,
  login,
  type Message,
  openDevice,
  RAW_DOORS,
  register,
  settled,
} from "../../src/client/index.ts";
import { alive, identified } from "../../src/expectations/raw-device.ts";
import { FRAME_BYTES, MESSAGE_BYTES } from "../../src/expectations/sizes.ts";
import { serverForTests } from "../../src/server/for-tests.ts";
import { sharedServerForTests } from "../../src/server/shared-server-for-tests.ts";

const server = serverForTests();
const hall = sharedServerForTests(server);

describe.each(DOORS)("account_sync on the %s door", (_name, dial) => {
  let account: Credential;
  let sender: Device;
  let sibling: Device;
  let stranger: Device;

  beforeAll(async () => {
    account = await register(server.url);
    sender = await openDevice(dial, server.url, account);
    sibling = await openDevice(dial, server.url, account);
    stranger = await openDevice(dialPlain, server.url, hall.ben);
    await join(sender, hall.room.id);
    await join(stranger, hall.room.id);
  });
  afterAll(async () => {
    for (const device of [sender, sibling, stranger]) await device.close();
  });

  const envelope = (payload: unknown, fields: object = {}): Message => ({
    type: "account_sync",
    clientInstanceId: sender.clientInstanceId,
    payload,
    ...fields,
  });
  const arrives = async (payload: unknown, fields: object = {}): Promise<Message> => {
    expect(await sender.ask(envelope(payload, fields))).toMatchObject({
      type: "ack",
      inReplyTo: "account_sync",
    });
    return sibling.inbox.next("account_sync");
  };
  const refused = async (payload: unknown, fields: object = {}): Promise<void> => {
    const before = sibling.inbox.count("account_sync");
    const answer = await sender.ask(envelope(payload, fields));
    expect(answer).toMatchObject({ type: "error", code: "INVALID_REQUEST", inReplyTo: "account_sync" });
    await settled(sibling);
    expect(sibling.inbox.count("account_sync")).toBe(before);
  };

  it.each([
    ["A1 no payload", undefined],
    ["A1 null", null],
    ["A1 a text", "x"],
    ["A1 a list", [{ type: "x" }]],
    ["A2 a payload without a type", {}],
    ["A2 a type that is a number", { type: 5 }],
    ["A2 a type that is empty", { type: "" }],
    ["AS3 a known type without its field", { type: "friend-removed" }],
    ["AS3 a known type with a wrong field", { type: "chat-sync-batch", roomId: "r", messages: "all" }],
  ])("AS2 %s is an error and reaches nobody", async (_title, payload) => {
    await refused(payload);
  });

  it("AS1 A3 the server sets fromUserId", async () => {
    const heard = await arrives({ type: "friend-removed", userId: hall.ben.id }, { fromUserId: hall.ben.id });
    expect(heard["fromUserId"]).toBe(account.id);
  });

  it("AS1 A4 another device's clientInstanceId is refused", async () => {
    await refused({ type: "x" }, { clientInstanceId: crypto.randomUUID() });
    await refused({ type: "x" }, { clientInstanceId: "tab" });
  });

  it("AS2 A5 unknown payload types and extra envelope fields are relayed unchanged", async () => {
    const payload = { type: "server-icon-changed", deep: [{ x: null, y: "é\u0000" }], n: 1e21 };
    const heard = await arrives(payload, { extra: { kept: true } });
    const { fromUserId, ...rest } = heard;
    expect(fromUserId).toBe(account.id);
    expect({ ...rest, requestId: undefined }).toEqual({
      ...envelope(payload, { extra: { kept: true } }),
      requestId: undefined,
    });
  });

  it("AS2 A6 odd chunk numbers are relayed; the receiver judges them", async () => {
    for (const [index, total] of [
      [-1, 3],
      [2 ** 53, 1],
      [0, 0],
      [0, 3],
      [0, 3],
      [2, 3],
    ] as const) {
      const payload = { type: "user-avatar-chunk", transferId: "t", index, total, data: "x" };
      expect((await arrives(payload))["payload"]).toEqual(payload);
    }
  });

  it("AS2 A7 local paths are removed", async () => {
    const kept = { id: "a1", filename: "cat.png", size: 5, mime: "image/png", hash: "h" };
    const local = {
      filePath: "/home/ada/cat.png",
      localPath: "C:\\cat.png",
      path: "cat.png",
      url: "file:///home/ada/cat.png",
    };
    const heard = await arrives({
      type: "chat-sync-batch",
      roomId: "r",
      messages: [{ id: "m", content: "see path", attachments: [{ ...kept, ...local }] }],
      attachments: { m: [{ ...kept, ...local, nested: { localPath: "/x", width: 3 } }] },
      final: true,
    });
    expect(heard["payload"]).toEqual({
      type: "chat-sync-batch",
      roomId: "r",
      messages: [{ id: "m", content: "see path", attachments: [kept] }],
      attachments: { m: [{ ...kept, nested: { width: 3 } }] },
      final: true,
    });
  });

  it("WS12 A8 an envelope may have almost 1 MiB, any other message 64 KiB", async () => {
    const data = "x".repeat(FRAME_BYTES - 2_000);
    const heard = await arrives({ type: "custom-emoji-chunk", transferId: "t", index: 0, total: 1, data });
    expect((heard["payload"] as { data: string }).data).toHaveLength(data.length);
    const content = "x".repeat(MESSAGE_BYTES);
    const answer = await sender.ask({
      type: "chat_message",
      serverId: hall.room.id,
      message: { id: "m", content },
    });
    expect(answer).toMatchObject({ type: "error", code: "PAYLOAD_TOO_LARGE", inReplyTo: "chat_message" });
  });

  it("AS2 A10 __proto__ inside a payload is plain data at both ends", async () => {
    const payload = JSON.parse(
      '{"type":"odd","__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}',
    ) as object;
    const heard = await arrives(payload);
    expect(JSON.stringify(heard["payload"])).toBe(JSON.stringify(payload));
    expect(Object.hasOwn(Object.prototype, "admin")).toBe(false);
    expect(await sender.ask({ type: "ping" })).not.toHaveProperty("admin");
  });

  it("AS1 A11 it succeeds silently without another device", async () => {
    const only = await openDevice(dial, server.url, await register(server.url));
    const message = { type: "account_sync", clientInstanceId: only.clientInstanceId, payload: { type: "x" } };
    expect(await only.ask(message)).toMatchObject({ type: "ack" });
    await settled(only);
    expect(only.inbox.count("account_sync")).toBe(0);
    await only.close();
  });

  it("AU6 A12 nothing is relayed for an ended session", async () => {
    const session = await login(server.url, account.username);
    const ending = await openDevice(dial, server.url, session);
    await sibling.inbox.next("account_sync_peer_online");
    const say = (marker: string): void =>
      ending.send({ ...envelope({ type: "marker", marker }), clientInstanceId: ending.clientInstanceId });
    say("before");
    expect((await sibling.inbox.next("account_sync"))["payload"]).toMatchObject({ marker: "before" });
    await expectOk(server.url, "POST", "/api/users/logout", { token: session.token });
    for (let sent = 0; sent < 20; sent += 1) say("after");
    await ending.closed;
    await settled(sibling, sender);
    const markers = sibling.inbox.all
      .filter(({ type }) => type === "account_sync")
      .map(({ payload }) => (payload as { marker?: string }).marker);
    expect(markers).not.toContain("after");
  });

  it("AS1 messages of one connection stay in order and reach no other account", async () => {
    const heard = sibling.inbox.all.length;
    const ownBefore = sender.inbox.count("account_sync");
    for (let index = 0; index < 100; index += 1) sender.send(envelope({ type: "counted", index }));
    await settled(sender);
    await settled(sibling);
    const indexes = sibling.inbox.all
      .slice(heard)
      .filter(({ type }) => type === "account_sync")
      .map(({ payload }) => (payload as { index: number }).index);
    expect(indexes).toEqual(Array.from({ length: 100 }, (_, index) => index));
    await settled(stranger);
    expect(stranger.inbox.count("account_sync")).toBe(0);
    expect(sender.inbox.count("account_sync")).toBe(ownBefore);
  });
});

describe("AS2 A9", () => {
  it.each(RAW_DOORS)("AS2 A9 an envelope nested 10,000 deep is an error on the %s door", async (door) => {
    const socket = await identified(server.url, door, hall.ada);
    const nested = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
    const text = `{"type":"account_sync","clientInstanceId":"${crypto.randomUUID()}","payload":{"type":"x","x":${nested}}}`;
    socket.say(text, "account_sync");
    expect(await socket.inbox.next("error")).toMatchObject({ code: "INVALID_REQUEST" });
    await alive(socket);
    await socket.close();
  });
});
