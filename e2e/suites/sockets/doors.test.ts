import type { Channel, Credential, JoinedServer } from "@hearth/contracts";
import { CLIENT_MESSAGES } from "@hearth/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { io } from "socket.io-client";
import {
  CLIENTS,
  createServer,
  type Device,
  DOORS,
  dialSocketIo,
  join,
  Mailbox,
  type Message,
  openDevice,
  register,
  settled,
} from "../../src/client/index.ts";
import { serverForTests } from "../../src/server/for-tests.ts";

/** To everybody else in the server (rule WS9); `voice_state` last, because it makes its sender the owner. */
const ROOM_TYPES: Readonly<Record<string, (channelId: string) => object>> = {
  chat_message: (channelId) => ({ channelId, message: { id: "m1", content: "hello", mood: ["new", 1] } }),
  message_revision: (channelId) => ({ channelId, messageId: "m1", revision: { content: "hello!" } }),
  message_delete: (channelId) => ({ channelId, messageId: "m1" }),
  reaction: (channelId) => ({ channelId, messageId: "m1", emoji: "🍵", action: "add" }),
  user_typing: (channelId) => ({ channelId, isTyping: true }),
  status_update: () => ({ status: "busy", statusText: "reading" }),
  voice_state: (channelId) => ({ channelId, muted: true, deafened: false }),
};

/** To one user (rule WS10). */
const DIRECT_TYPES: Readonly<Record<string, object>> = {
  direct_message: { message: { id: "d1", content: "psst" } },
  direct_message_revision: { messageId: "d1", revision: { content: "psst!" } },
  direct_typing: { isTyping: false },
  direct_call: { action: "ring" },
  offer: { sdp: "v=0" },
  answer: { sdp: "v=0" },
  ice_candidate: { candidate: "candidate:1" },
  server_icon_request: {},
  server_icon_full: { data: "iVBORw0" },
  server_icon_chunk: { index: 0, total: 1, data: "iVBORw0" },
};

const relayed = [...Object.keys(ROOM_TYPES), ...Object.keys(DIRECT_TYPES), "account_sync"];
const answeredOnly = ["identify", "ping", "join_server", "leave_server", "voice_client_takeover"];

describe("the two doors", () => {
  const server = serverForTests();
  let room: JoinedServer;
  let people: Device[];
  let text: Channel;
  let lounge: Channel;

  const othersThan = (sender: Device): Device[] => people.filter((device) => device !== sender);

  beforeAll(async () => {
    const accounts = await Promise.all(CLIENTS.map(() => register(server.url)));
    const [owner] = accounts as [Credential];
    room = await createServer(server.url, owner, { name: "The hall" });
    [text, lounge] = room.channels as [Channel, Channel];
    people = [];
    for (const [index, [, dial]] of CLIENTS.entries()) {
      const device = await openDevice(dial, server.url, accounts[index] as Credential);
      await join(device, room.id);
      people.push(device);
    }
  }, 120_000);

  afterAll(async () => {
    for (const device of people) await device.close();
  });

  it("WS1 this suite covers every message type that clients send", () => {
    expect(Object.keys(CLIENT_MESSAGES).toSorted()).toEqual([...relayed, ...answeredOnly].toSorted());
  });

  it("WS1 clients of every kind are in one server and see each other join", async () => {
    await settled(...people);
    for (const [index, device] of people.entries()) {
      const later = people.slice(index + 1).map(({ credential }) => credential.id);
      const seen = device.inbox.all
        .filter(({ type }) => type === "user_joined")
        .map(({ user }) => (user as { oderId: string }).oderId);
      expect(seen).toEqual(later);
    }
  });

  it.each(Object.keys(ROOM_TYPES))(
    "WS1 WS9 %s from each client reaches every other client once",
    async (type) => {
      for (const sender of people) {
        const channelId = type === "voice_state" ? lounge.id : text.id;
        const body = { serverId: room.id, ...ROOM_TYPES[type]?.(channelId) };
        const before = sender.inbox.count(type);
        const ack = await sender.ask({ type, ...body });
        expect(ack).toMatchObject({ type: "ack", inReplyTo: type });
        for (const other of othersThan(sender)) {
          const heard = await other.inbox.next(type);
          const { fromUserId, fromUsername, fromDisplayName, sentAt, ...rest } = heard;
          expect({ fromUserId, fromUsername, fromDisplayName }).toEqual({
            fromUserId: sender.credential.id,
            fromUsername: sender.credential.username,
            fromDisplayName: sender.credential.displayName,
          });
          expect(typeof sentAt).toBe("number");
          expect(rest).toMatchObject({ type, ...body });
        }
        await settled(...people);
        expect(sender.inbox.count(type)).toBe(before);
      }
      for (const device of people) expect(device.inbox.count(type)).toBe(people.length - 1);
    },
  );

  it.each(Object.keys(DIRECT_TYPES))("WS1 WS10 %s from each client reaches the next one", async (type) => {
    for (const [index, sender] of people.entries()) {
      const target = people[(index + 1) % people.length] as Device;
      const body = {
        toUserId: target.credential.id,
        ...(type.startsWith("server_icon") && { serverId: room.id }),
        ...DIRECT_TYPES[type],
      };
      const ack = await sender.ask({ type, ...body });
      expect(ack).toMatchObject({ type: "ack", inReplyTo: type });
      const heard = await target.inbox.next(type);
      expect(heard).toMatchObject({ type, ...body, fromUserId: sender.credential.id });
    }
    await settled(...people);
    for (const device of people) expect(device.inbox.count(type)).toBe(1);
  });

  it("WS1 AS1 account_sync reaches the account's other devices on every kind of client", async () => {
    const account = await register(server.url);
    const devices: Device[] = [];
    for (const [, dial] of CLIENTS) devices.push(await openDevice(dial, server.url, account));
    await settled(...devices);
    for (const [index, device] of devices.entries()) {
      expect(device.inbox.count("account_sync_peer_online")).toBe(devices.length - index - 1);
    }
    for (const [index, sender] of devices.entries()) {
      const payload = { type: "friend-added", friend: { id: `friend-${index}` } };
      const { clientInstanceId } = sender;
      const ack = await sender.ask({ type: "account_sync", clientInstanceId, payload });
      expect(ack).toMatchObject({ type: "ack", inReplyTo: "account_sync" });
      for (const other of devices.filter((each) => each !== sender)) {
        const heard = await other.inbox.next("account_sync");
        expect(heard).toMatchObject({ clientInstanceId, payload, fromUserId: account.id });
      }
    }
    await settled(...devices);
    for (const device of devices) {
      expect(device.inbox.count("account_sync")).toBe(devices.length - 1);
      await device.close();
    }
  });

  it("WS9 a message with a requestId gets an ack on every client; one without gets none", async () => {
    for (const sender of people) {
      const chat = { type: "chat_message", serverId: room.id, message: { id: "a", content: "x" } };
      sender.send({ ...chat, requestId: "mine-1" });
      expect(await sender.inbox.answer("mine-1")).toMatchObject({ type: "ack", inReplyTo: "chat_message" });
      const before = sender.inbox.count("ack");
      sender.send(chat);
      await settled(sender);
      expect(sender.inbox.count("ack")).toBe(before);
      sender.send({ ...chat, serverId: crypto.randomUUID(), requestId: "mine-2" });
      expect(await sender.inbox.answer("mine-2")).toMatchObject({ type: "error", code: "NOT_JOINED" });
    }
  });

  it.each(DOORS)(
    "WS6 a device that reconnects through the %s door supersedes its older connection",
    async (_, dial) => {
      const [witness] = people as [Device];
      const account = await register(server.url);
      const old = await openDevice(dial, server.url, account);
      await join(old, room.id);
      const again = await openDevice(dial, server.url, account, { clientInstanceId: old.clientInstanceId });
      await old.inbox.next("superseded");
      const closing = await old.inbox.next("closing");
      expect(closing).toMatchObject({ closeCode: 4503, reason: "superseded", reconnect: false });
      expect([4503, 0]).toContain((await old.closed).code);
      await join(again, room.id);
      await witness.ask({
        type: "chat_message",
        serverId: room.id,
        message: { id: "again", content: "welcome back" },
      });
      await again.inbox.next("chat_message");
      await again.close();
      await witness.inbox.next("user_left", ({ oderId }) => oderId === account.id);
    },
  );

  it("WS14 socket.io-client reconnects by itself after a lost connection, but not after being superseded", async () => {
    const account = await register(server.url);
    const clientInstanceId = crypto.randomUUID();
    const connectionScope = server.url.replace(/^http/, "ws");
    const socket = io(server.url, {
      transports: ["websocket"],
      forceNew: true,
      reconnectionDelay: 20,
      reconnectionDelayMax: 50,
    });
    const inbox = new Mailbox();
    socket.onAny((_event, message: Message) => inbox.receive(message));
    const identify = { type: "identify", token: account.token, clientInstanceId, connectionScope };
    socket.on("connect", () => {
      socket.emit("identify", identify);
      socket.emit("join_server", { type: "join_server", serverId: room.id });
    });
    await inbox.next("server_joined");
    socket.io.engine.close();
    await inbox.next("server_joined");
    expect(inbox.count("identified")).toBe(2);
    const ended = new Promise<string>((resolve) => void socket.once("disconnect", resolve));
    const later = await openDevice(dialSocketIo, server.url, account, { clientInstanceId });
    expect(await ended).toBe("io server disconnect");
    expect(socket.active).toBe(false);
    socket.disconnect();
    await later.close();
  });
});
