import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { CLIENT_MESSAGES, type ClientMessageType } from "@hearth/contracts";
import {
  CHANNEL,
  closeWithoutWarnings,
  type Device,
  LAPTOP,
  type Message,
  PHONE,
  SERVER,
  type Session,
  World,
} from "../testing/index.ts";

/** A valid message of every type. */
const GOOD: Record<Exclude<ClientMessageType, "identify">, Message> = {
  ping: {},
  join_server: { serverId: SERVER },
  leave_server: { serverId: SERVER },
  chat_message: { serverId: SERVER, message: { id: "m", content: "" } },
  message_revision: { serverId: SERVER, messageId: "m", revision: {} },
  message_delete: { serverId: SERVER, messageId: "m" },
  reaction: { serverId: SERVER, messageId: "m", emoji: "🔥" },
  user_typing: { serverId: SERVER },
  status_update: { status: "away" },
  voice_state: { serverId: SERVER, channelId: CHANNEL },
  voice_client_takeover: {},
  direct_message: { toUserId: PHONE, message: { id: "m", content: "" } },
  direct_message_revision: { toUserId: PHONE, messageId: "m", revision: {} },
  direct_typing: { toUserId: PHONE },
  direct_call: { toUserId: PHONE },
  server_icon_request: { toUserId: PHONE, serverId: SERVER },
  server_icon_full: { toUserId: PHONE, serverId: SERVER },
  server_icon_chunk: { toUserId: PHONE, serverId: SERVER },
  offer: { toUserId: PHONE },
  answer: { toUserId: PHONE },
  ice_candidate: { toUserId: PHONE },
  account_sync: { clientInstanceId: LAPTOP, payload: { type: "x" } },
};

const ALL: [string, Message][] = Object.entries(GOOD);

/** For each type, a field with an invalid value. */
const WRONG: [string, string, unknown][] = [
  ["join_server", "serverId", undefined],
  ["join_server", "serverId", 7],
  ["join_server", "serverId", "../x"],
  ["join_server", "requestId", "r".repeat(129)],
  ["join_server", "requestId", 7],
  ["leave_server", "serverId", { $ne: null }],
  ["chat_message", "message", undefined],
  ["chat_message", "message", "hello"],
  ["chat_message", "message", { id: "m" }],
  ["chat_message", "message", { id: "", content: "" }],
  ["chat_message", "message", { id: "m", content: { $gt: "" } }],
  ["chat_message", "channelId", "general"],
  ["message_revision", "revision", []],
  ["message_delete", "messageId", 7],
  ["reaction", "emoji", ""],
  ["reaction", "action", "toggle"],
  ["user_typing", "isTyping", "yes"],
  ["status_update", "status", "invisible"],
  ["status_update", "statusText", "two\nlines"],
  ["voice_state", "channelId", undefined],
  ["voice_state", "muted", 1],
  ["voice_state", "fence", "7"],
  ["voice_client_takeover", "fence", 1.5],
  ["direct_message", "toUserId", undefined],
  ["direct_call", "toUserId", ["a"]],
  ["offer", "toUserId", "nobody"],
  ["offer", "toClientInstanceId", ""],
  ["server_icon_full", "serverId", undefined],
  ["account_sync", "clientInstanceId", undefined],
];

let world: World;
let ada: Session;
beforeEach(() => {
  world = new World();
  ada = world.logIn();
});
afterEach(() => closeWithoutWarnings(world));

/** Types that only the server may send. */
const SERVERS_OWN = [
  ...["identified", "auth_required", "auth_error", "error", "ack", "pong", "server_joined", "server_left"],
  ...["user_joined", "user_left", "user_updated", "removed_from_server", "server_updated", "member_updated"],
  ...["access_request", "account_sync_peer_online", "superseded", "server_draining", "closing"],
];

describe("before identify", () => {
  it("WS5 W1 W2 W3 the table names every message type", () => {
    expect(Object.keys(GOOD).concat("identify").sort()).toEqual(Object.keys(CLIENT_MESSAGES).sort());
  });

  it.each(ALL)("WS5 W1 W2 W3 %s is answered with auth_required and nothing else", async (type, fields) => {
    const witness = await world.arrive(world.logIn(), { joins: [SERVER] });
    const device = world.connect();
    device.say({ type, ...fields, requestId: "r1" });
    device.ask({ type, ...fields });
    await world.settle();
    const refused = { type: "auth_required", code: "AUTH_REQUIRED", reason: "missing", inReplyTo: type };
    expect(device.received).toMatchObject([{ ...refused, requestId: "r1" }, refused]);
    expect(device.acknowledged).toMatchObject([refused]);
    expect(device.open).toBe(true);
    expect(witness.received).toEqual([]);
  });

  it.each(["no_such_type", "user_joined", "__proto__", "constructor", "toString", 7, null, undefined, {}])(
    "WS5 W21 a message of the type %p as well",
    async (type) => {
      const device = world.connect();
      device.say({ type });
      await world.settle();
      expect(device.received).toMatchObject([{ type: "auth_required" }]);
    },
  );
});

describe("identify", () => {
  it.each([
    ["W11 an empty device id", "clientInstanceId", ""],
    ["W11 a device id that is no UUID", "clientInstanceId", "tab-1"],
    ["W11 a device id of 1 MB", "clientInstanceId", "a".repeat(1_048_576)],
    ["W12 a scope of another scheme", "connectionScope", "https://chat.test"],
    ["W12 a scope that is no URL", "connectionScope", "chat.test"],
    ["W12 a scope of 10 KB", "connectionScope", `ws://chat.test/${"a".repeat(10_240)}`],
    ["a name of control characters", "displayName", "a\u0000b"],
    ["a name of 65 characters", "displayName", "a".repeat(65)],
    ["a name of spaces", "displayName", "  "],
    ["a device that is no object", "device", "laptop"],
    ["a device of an unknown kind", "device", { kind: "fridge" }],
    ["a number as oderId", "oderId", 7],
  ])("WS3 WS16 is refused with %s, and may be sent again", async (_, field, value) => {
    const device = world.connect();
    device.say({ type: "identify", token: ada.token, [field]: value, requestId: "r1" }, 100);
    device.say({ type: "identify", token: ada.token });
    await world.settle();
    expect(device.received).toMatchObject([
      { type: "error", code: "INVALID_REQUEST", retryable: false, requestId: "r1", inReplyTo: "identify" },
      { type: "identified" },
    ]);
    expect(device.received[0]?.["errors"]).toMatchObject([{ path: expect.stringContaining(field) }]);
  });

  it("WS3 never repeats the token", async () => {
    const device = world.connect();
    device.say({ type: "identify", token: ada.token, clientInstanceId: "no" });
    device.say({ type: "identify", token: ada.token, oderId: "no" });
    device.say({ type: "identify", token: ada.token });
    await world.settle();
    expect(JSON.stringify(device.received)).not.toContain(ada.token);
    expect(world.log.lines.join()).not.toContain(ada.token);
  });
});

describe("once identified", () => {
  let device: Device;
  let witness: Device;
  beforeEach(async () => {
    witness = await world.arrive(world.logIn(), { joins: [SERVER] });
    device = await world.arrive(ada, { clientInstanceId: LAPTOP, joins: [SERVER] });
    witness.take();
  });

  it.each(WRONG)(
    "WS16 %s with a wrong %s is refused, and the error names the field: %p",
    async (type, field, value) => {
      const fields = GOOD[type as keyof typeof GOOD];
      device.say({ type, requestId: "r1", ...fields, [field]: value });
      device.say({ type: "ping" });
      await world.settle();
      expect(device.received).toMatchObject([
        { type: "error", code: "INVALID_REQUEST", retryable: false, inReplyTo: type },
        { type: "pong" },
      ]);
      const [issue] = device.received[0]?.["errors"] as { path: string; message: string }[];
      expect(issue?.path.startsWith(field)).toBe(true);
      expect(witness.received).toEqual([]);
    },
  );

  it.each([
    ...SERVERS_OWN,
    "no_such_type",
    "",
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "x".repeat(10_240),
  ])("WS16 W21 W30 refuses %p, which only the server may send", async (type) => {
    device.say({ type, serverId: SERVER, requestId: "r1" });
    await world.settle();
    expect(device.received).toMatchObject([{ type: "error", code: "UNKNOWN_TYPE", requestId: "r1" }]);
    expect(witness.received).toEqual([]);
    expect(device.open).toBe(true);
  });

  it.each([7, null, undefined, {}, ["ping"], true])(
    "WS16 W20 a message whose type is %p is refused",
    async (type) => {
      device.say({ type });
      await world.settle();
      expect(device.received).toMatchObject([
        { type: "error", code: "INVALID_REQUEST", errors: [{ path: "type" }] },
      ]);
      expect(device.open).toBe(true);
    },
  );

  it("WS16 W21 treats keys of prototypes as data", async () => {
    const text =
      '{"type":"chat_message","serverId":"","message":{"id":"m","content":"","__proto__":{"admin":true}},"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}';
    device.say({ ...(JSON.parse(text) as Message), serverId: SERVER });
    await world.settle();
    expect(witness.received).toMatchObject([{ type: "chat_message", fromUserId: ada.oderId }]);
    expect(witness.received[0]).not.toHaveProperty("admin");
    expect({}).not.toHaveProperty("admin");
  });

  it("ER2 an error repeats only the identifying fields of a message", async () => {
    device.say({ type: "join_server", serverId: "s".repeat(10_240), requestId: { nested: true } });
    await world.settle();
    expect(Object.keys(device.received[0] ?? {}).sort()).toEqual([
      ...["code", "errors", "inReplyTo", "message", "retryable", "type"],
    ]);
  });

  it("WS2 a handler that fails does not stop the next message, and is answered with a retryable error", async () => {
    const { node } = world.at(0);
    Object.defineProperty(node.activity, "count", {
      value: () => {
        throw new TypeError("a bug");
      },
    });
    device.say({ type: "chat_message", ...GOOD.chat_message, requestId: "r1" });
    device.say({ type: "ping" });
    await world.settle();
    expect(device.received).toMatchObject([
      { type: "error", code: "UNAVAILABLE", retryable: true, requestId: "r1" },
      { type: "pong" },
    ]);
    expect(JSON.stringify(device.received)).not.toContain("bug");
    expect(world.warnings).toMatchObject([{ msg: "message failed", type: "chat_message" }]);
    world.log.lines.length = 0;
  });

  it("WS2 a waiting message is not lost, however slow the one before it is", async () => {
    world.services.before = () => world.time.sleep(1_000);
    const count = 200;
    device.say({ type: "account_sync", ...GOOD.account_sync });
    for (let n = 0; n < count; n++) device.say({ type: "ping", requestId: String(n) });
    expect(device.received).toEqual([]);
    await world.settle();
    const inOrder = Array.from({ length: count }, (_, n) => String(n));
    expect(device.all("pong").map(({ requestId }) => requestId)).toEqual(inOrder);
  });
});
