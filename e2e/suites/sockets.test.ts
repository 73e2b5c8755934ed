import { CLIENT_MESSAGES, type Credential, type JoinedServer } from "@hearth/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  call,
  createServer,
  type Device,
  DOORS,
  type DoorName,
  dialPlain,
  dialRaw,
  expectOk,
  join,
  login,
  type Message,
  openDevice,
  RAW_DOORS,
  type RawSocket,
  register,
  requestText,
  sendRaw,
  settled,
} from "../src/client/index.ts";
import { expectProblem } from "../src/expectations/problem.ts";
import { metricsOf } from "../src/server/metrics.ts";
import { type RunningServer, startServer } from "../src/server/process.ts";

/** Of the protocol, not of the code: WS5, WS11, WS12. */
const FAILURES = 5;
const DEADLINE_MS = 15_000;
const HEARTBEAT_MS = 25_000;
const FRAME_BYTES = 1_048_576;
const MESSAGE_BYTES = 65_536;
const BURST = 240;
const CONNECTIONS = 100;

let server: RunningServer;
let ada: Credential;
let ben: Credential;
let room: JoinedServer;

/** Opened first and never identified: what becomes of them is asked last (W10, W17). */
let silent: readonly RawSocket[];
let trickling: RawSocket;
let trickle: NodeJS.Timeout;
let silentSince: number;

const tell = (socket: RawSocket, message: Message): void => socket.say(JSON.stringify(message), message.type);

const ask = (socket: RawSocket, message: Message): Promise<Message> => {
  const requestId = crypto.randomUUID();
  tell(socket, { ...message, requestId });
  return socket.inbox.answer(requestId);
};

const alive = async (socket: RawSocket): Promise<void> => {
  expect(await ask(socket, { type: "ping" })).toMatchObject({ type: "pong" });
};

const identify = (socket: RawSocket, fields: object): Promise<Message> =>
  ask(socket, { type: "identify", ...fields });

const identified = async (door: DoorName, { token }: Credential): Promise<RawSocket> => {
  const socket = await dialRaw(server.url, door);
  expect(await identify(socket, { token })).toMatchObject({ type: "identified" });
  return socket;
};

beforeAll(async () => {
  server = await startServer();
  silentSince = Date.now();
  silent = await Promise.all(RAW_DOORS.map((door) => dialRaw(server.url, door)));
  trickling = await dialRaw(server.url, "plain");
  trickling.webSocket.send("{", { fin: false });
  trickle = setInterval(() => trickling.webSocket.send(" ", { fin: false }), 500);
  [ada, ben] = await Promise.all([register(server.url, "ada"), register(server.url, "ben")]);
  room = await createServer(server.url, ada, { name: "The hall" });
}, 30_000);

afterAll(async () => {
  clearInterval(trickle);
  await server.stop();
  await server.cleanUp();
});

const KNOWN = Object.keys(CLIENT_MESSAGES).filter((type) => type !== "identify");

describe.each(RAW_DOORS)("before identify, on the %s door", (door) => {
  it("WS5 W1 W2 W3 every type that is not identify is auth_required and nothing else", async () => {
    for (const type of KNOWN) {
      const socket = await dialRaw(server.url, door);
      const message = {
        type,
        serverId: room.id,
        toUserId: ada.id,
        clientInstanceId: ada.id,
        payload: { type: "x" },
      };
      const answer = await ask(socket, message);
      expect(answer).toMatchObject({
        type: "auth_required",
        code: "AUTH_REQUIRED",
        reason: "missing",
        inReplyTo: type,
      });
      expect(socket.inbox.types).toEqual(["auth_required"]);
      await socket.close();
    }
  });

  it.each([
    ["W4 without a token", {}, "auth_required", "missing"],
    ["W4 with null", { token: null }, "auth_required", "missing"],
    ["W4 with an empty token", { token: "" }, "auth_required", "missing"],
    ["W5 with a number", { token: 5 }, "auth_error", "unknown"],
    ["W5 with an object", { token: { $ne: null } }, "auth_error", "unknown"],
    ["W5 with an array", { token: ["x"] }, "auth_error", "unknown"],
    ["W6 with a token that is none", { token: "nonsense" }, "auth_error", "unknown"],
    ["W6 with an unknown token", { token: "0".repeat(64) }, "auth_error", "unknown"],
  ])("WS5 identify %s is refused, and a good one after it works", async (_title, fields, type, reason) => {
    const socket = await dialRaw(server.url, door);
    expect(await identify(socket, fields)).toMatchObject({ type, reason, message: expect.any(String) });
    expect(await ask(socket, { type: "join_server", serverId: room.id })).toMatchObject({ type, reason });
    expect(await identify(socket, { token: ada.token })).toMatchObject({
      type: "identified",
      oderId: ada.id,
    });
    await socket.close();
  });

  it("WS5 W6 a revoked token is auth_error with its reason", async () => {
    const { token } = await login(server.url, "ada");
    await expectOk(server.url, "POST", "/api/users/logout", { token });
    const socket = await dialRaw(server.url, door);
    expect(await identify(socket, { token })).toMatchObject({ type: "auth_error", reason: "revoked" });
    await socket.close();
  });

  it("WS5 W7 the oderId of another user is auth_error", async () => {
    const socket = await dialRaw(server.url, door);
    const answer = await identify(socket, { token: ada.token, oderId: ben.id });
    expect(answer).toMatchObject({ type: "auth_error", reason: "mismatch" });
    expect(await ask(socket, { type: "ping" })).toMatchObject({ type: "auth_error" });
    await socket.close();
  });

  it("WS5 W9 the fifth failure closes the connection for good, with the reason in a frame", async () => {
    const socket = await dialRaw(server.url, door);
    for (let failures = 0; failures < FAILURES; failures += 1) {
      await identify(socket, { token: "wrong" });
    }
    expect(await socket.inbox.next("closing")).toMatchObject({
      closeCode: 4500,
      reason: "refused",
      reconnect: false,
    });
    expect((await socket.closed).code).toBe(4500);
  });

  it.each([
    ["W11 an empty clientInstanceId", { clientInstanceId: "" }, "INVALID_REQUEST"],
    ["W11 a clientInstanceId that is no UUID", { clientInstanceId: "tab-1" }, "INVALID_REQUEST"],
    ["W11 a clientInstanceId of 100 KB", { clientInstanceId: "x".repeat(100_000) }, "PAYLOAD_TOO_LARGE"],
    ["W12 a connectionScope of another scheme", { connectionScope: "https://x.test" }, "INVALID_REQUEST"],
    [
      "W12 a connectionScope of 10 KB",
      { connectionScope: `ws://x.test/${"x".repeat(10_000)}` },
      "INVALID_REQUEST",
    ],
    ["a display name with a control character", { displayName: "a\u0000" }, "INVALID_REQUEST"],
    ["a device that is none", { device: "phone" }, "INVALID_REQUEST"],
  ])("WS3 %s is an error, and the connection can still identify", async (_title, fields, code) => {
    const socket = await dialRaw(server.url, door);
    const answer = await identify(socket, { token: ada.token, ...fields });
    expect(answer).toMatchObject({ type: "error", code, retryable: false, inReplyTo: "identify" });
    expect(await identify(socket, { token: ada.token })).toMatchObject({ type: "identified" });
    await socket.close();
  });

  it("WS3 W11 without a clientInstanceId the server makes one, and tells what it needs to know", async () => {
    const socket = await dialRaw(server.url, door);
    const answer = await identify(socket, { token: ada.token });
    expect(answer).toMatchObject({
      oderId: ada.id,
      displayName: "ada",
      clientInstanceId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      connectionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      connectionScope: null,
      sessionExpiresAt: ada.expiresAt,
      heartbeatMs: HEARTBEAT_MS,
      limits: { messageBytes: MESSAGE_BYTES, accountSyncBytes: FRAME_BYTES },
    });
    expect(Math.abs(Number(answer["serverTime"]) - Date.now())).toBeLessThan(5_000);
    await socket.close();
  });

  it("WS3 W8 a second identify may be of the same user; of another it is CONFLICT and the first stays", async () => {
    const socket = await identified(door, ada);
    const again = await identify(socket, { token: ada.token, displayName: "Ada again" });
    expect(again).toMatchObject({ type: "identified", displayName: "Ada again" });
    expect(await identify(socket, { token: ben.token })).toMatchObject({ type: "error", code: "CONFLICT" });
    expect(await identify(socket, { token: "wrong" })).toMatchObject({ type: "auth_error" });
    const joined = await ask(socket, { type: "join_server", serverId: room.id });
    expect((joined["users"] as { oderId: string }[]).map(({ oderId }) => oderId)).toEqual([ada.id]);
    await socket.close();
  });
});

describe("what is no message", () => {
  const LONG = "x".repeat(10_000);
  const texts: Readonly<Record<DoorName, readonly (readonly [title: string, frame: string])[]>> = {
    plain: [
      ["W18 no JSON", "{not json"],
      ["W18 nothing", ""],
      ["W19 a number", "5"],
      ["W19 a text", '"ping"'],
      ["W19 null", "null"],
      ["W19 a list", '[{"type":"ping"}]'],
      ["W20 no type", "{}"],
      ["W20 a type that is a number", '{"type":5}'],
      ["W20 a type that is a list", '{"type":["ping"]}'],
      ["W21 a type of 10 KB", `{"type":"${LONG}"}`],
      ["W21 the type __proto__", '{"type":"__proto__"}'],
      ["W21 the type constructor", '{"type":"constructor"}'],
      ["W21 the type toString", '{"type":"toString"}'],
      ["JSON nested too deep", `{"type":"ping","x":${"[".repeat(5_000)}${"]".repeat(5_000)}}`],
    ],
    socketio: [
      ["W18 no JSON", '42["chat_message",{not json]'],
      ["W18 nothing", ""],
      ["W18 an Engine.IO packet of no kind", "9"],
      ["W19 a number", '42["ping",5]'],
      ["W19 null", '42["ping",null]'],
      ["W19 a list", '42["ping",[]]'],
      ["W19 two arguments", '42["ping",{},{}]'],
      ["W19 an event without a name", "42[]"],
      ["W19 an event whose name is a number", "42[5,{}]"],
      ["W19 data that is no list", '42{"type":"ping"}'],
      ["W20 a type that is not the event's", '42["ping",{"type":"chat_message"}]'],
      ["W21 an event name of 10 KB", `42["${LONG}",{}]`],
      ["W21 the event __proto__", '42["__proto__",{}]'],
      ["W21 the event constructor", '42["constructor",{}]'],
      ["W22 a packet with 1,000 attachments", '451000-["ping",{"_placeholder":true,"num":0}]'],
      ["W22 an acknowledgement of nothing", "4377[1]"],
      ["W22 an acknowledgement id out of range", '4299999999999999999999["ping",{}]'],
      ["W22 another namespace", '42/admin,["ping",{}]'],
      ["W22 the reserved event connect", '42["connect",{}]'],
      ["W22 the reserved event disconnect", '42["disconnect",{}]'],
      ["W22 the reserved event connect_error", '42["connect_error",{}]'],
      ["JSON nested too deep", `42["ping",{"x":${"[".repeat(5_000)}${"]".repeat(5_000)}}]`],
    ],
  };
  const cases = RAW_DOORS.flatMap((door) =>
    texts[door].map(([title, frame]) => [door, title, frame] as const),
  );

  it.each(cases)(
    "WS16 on the %s door %s is an error, and the connection lives",
    async (door, _title, frame) => {
      const socket = await identified(door, ada);
      socket.frame(frame);
      const error = await socket.inbox.next("error");
      expect(["INVALID_REQUEST", "UNKNOWN_TYPE"]).toContain(error["code"]);
      expect(error).toMatchObject({ message: expect.stringMatching(/\S/), retryable: false });
      await alive(socket);
      await socket.close();
    },
  );

  it.each(RAW_DOORS)(
    "WS16 W13 binary data on the %s door is an error, and the connection lives",
    async (door) => {
      const socket = await identified(door, ada);
      socket.webSocket.send(Buffer.from('{"type":"ping"}'));
      expect(await socket.inbox.next("error")).toMatchObject({ code: "INVALID_REQUEST" });
      await alive(socket);
      await socket.close();
    },
  );

  it.each(RAW_DOORS)(
    "WS16 a wrong or missing field on the %s door is named, with the requestId",
    async (door) => {
      const socket = await identified(door, ada);
      tell(socket, { type: "chat_message", serverId: 5, message: { id: "x" }, requestId: "mine" });
      const error = await socket.inbox.answer("mine");
      expect(error).toMatchObject({ type: "error", code: "INVALID_REQUEST", inReplyTo: "chat_message" });
      const paths = (error["errors"] as { path: string }[]).map(({ path }) => path);
      expect(paths.toSorted()).toEqual(["message.content", "serverId"]);
      await alive(socket);
      await socket.close();
    },
  );

  it("WS16 W22 another namespace of Socket.IO is refused as such, and the connection lives", async () => {
    const socket = await identified("socketio", ada);
    const frames: string[] = [];
    socket.webSocket.on("message", (data: Buffer) => frames.push(data.toString()));
    socket.frame("40/admin,");
    await alive(socket);
    expect(frames.find((frame) => frame.startsWith("44/admin,"))).toContain("Invalid namespace");
    await socket.close();
  });

  it.each(RAW_DOORS)(
    "WS14 W14 invalid UTF-8 on the %s door closes with 1007, and says why before",
    async (door) => {
      const socket = await identified(door, ada);
      socket.webSocket.send(Buffer.from([0x34, 0x32, 0xff, 0xfe]), { binary: false });
      expect(await socket.inbox.next("closing")).toMatchObject({ closeCode: 1007 });
      expect((await socket.closed).code).toBe(1007);
    },
  );

  it.each(RAW_DOORS)(
    "WS12 W15 a frame past 1 MiB on the %s door closes with 1009, whole or in pieces",
    async (door) => {
      const whole = await identified(door, ada);
      whole.frame("x".repeat(FRAME_BYTES + 1));
      expect((await whole.closed).code).toBe(1009);
      const pieces = await identified(door, ada);
      const piece = "x".repeat(FRAME_BYTES / 8);
      for (let sent = 0; sent < 9; sent += 1) pieces.webSocket.send(piece, { fin: sent === 8 });
      expect((await pieces.closed).code).toBe(1009);
    },
  );

  it.each(RAW_DOORS)(
    "WS12 W16 100,000 fragments of one byte on the %s door close it, at no cost in memory",
    async (door) => {
      const memory = async () => (await metricsOf(server)).sum("process_resident_memory_bytes");
      const socket = await identified(door, ada);
      const before = await memory();
      for (let sent = 0; sent < 100_000 && socket.webSocket.readyState === 1; sent += 1) {
        socket.webSocket.send(" ", { fin: false });
        if (sent % 1_000 === 999) await new Promise((resolve) => setImmediate(resolve));
      }
      expect([1008, 1009, 1006]).toContain((await socket.closed).code);
      expect((await memory()) - before).toBeLessThan(64 * 1024 * 1024);
    },
  );

  it("WS1 W23 Socket.IO's other transport and sessions of it are refused as problems", async () => {
    const polling = "/socket.io/?EIO=4&transport=polling";
    expectProblem(await call(server.url, "GET", polling), "INVALID_REQUEST");
    expectProblem(
      await call(server.url, "POST", polling, { raw: "40", headers: { "content-type": "text/plain" } }),
      "METHOD_NOT_ALLOWED",
    );
    expectProblem(await call(server.url, "GET", `${polling}&sid=stale`), "INVALID_REQUEST");
  });

  const handshake = (target: string, replaced: Readonly<Record<string, string>> = {}) => {
    const headers = {
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
      ...replaced,
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    return sendRaw(server.url, requestText(server.url, "GET", target, lines));
  };

  it.each(["/ws", "/", "/socket.io/?EIO=4&transport=websocket"])(
    "GW6 W25 %s wants the handshake as it is written",
    async (path) => {
      const old = await handshake(path, { "Sec-WebSocket-Version": "12" });
      expect(old).toMatchObject({ status: 426, headers: { "sec-websocket-version": "13" } });
      expectProblem(await handshake(path, { "Sec-WebSocket-Key": "short" }), "INVALID_REQUEST");
      expect((await handshake(path)).status).toBe(101);
    },
  );

  it.each(["/api/servers", "/ws/x", "/socket.io/x?EIO=4&transport=websocket", "//ws"])(
    "GW6 W25 there is no socket at %s",
    async (path) => {
      expectProblem(await handshake(path), "NOT_FOUND");
    },
  );

  it.each([
    "/socket.io/?EIO=3&transport=websocket",
    "/socket.io/?EIO=4&transport=websocket&sid=stale",
    "/socket.io/",
  ])("GW6 W25 %s is 400", async (path) => {
    expectProblem(await handshake(path), "INVALID_REQUEST");
  });
});

describe.each(DOORS)("what may not be sent, on the %s door", (_name, dial) => {
  let sender: Device;
  let receiver: Device;
  beforeAll(async () => {
    const [one, other] = await Promise.all([register(server.url), register(server.url)]);
    sender = await openDevice(dial, server.url, one);
    receiver = await openDevice(dial, server.url, other);
  });
  afterAll(async () => {
    await sender.close();
    await receiver.close();
  });

  it("WS9 W26 nothing goes to a room that was not joined", async () => {
    await join(receiver, room.id);
    const place = { serverId: room.id, channelId: room.channels[0]?.id };
    for (const message of [
      { type: "chat_message", ...place, message: { id: "m", content: "x" } },
      { type: "message_revision", ...place, messageId: "m", revision: {} },
      { type: "message_delete", ...place, messageId: "m" },
      { type: "reaction", ...place, messageId: "m", emoji: "x" },
      { type: "user_typing", ...place },
      { type: "status_update", serverId: room.id, status: "away" },
      { type: "voice_state", ...place },
      { type: "leave_server", serverId: room.id },
    ]) {
      expect(await sender.ask(message)).toMatchObject({
        type: "error",
        code: "NOT_JOINED",
        inReplyTo: message.type,
      });
    }
    await settled(receiver);
    const own = ["identified", "server_joined", "member_updated", "pong"];
    expect(receiver.inbox.types.filter((type) => !own.includes(type))).toEqual([]);
  });

  it("VO2 W27 there is no voice to take over where nobody has any", async () => {
    expect(await sender.ask({ type: "voice_client_takeover" })).toMatchObject({
      type: "error",
      code: "NOT_FOUND",
    });
  });

  it("WS9 W28 the sender is whom the server knows, whatever the message claims", async () => {
    await join(sender, room.id);
    await receiver.inbox.next("user_joined");
    const claimed = { fromUserId: ada.id, fromDisplayName: "Ada", oderId: ada.id, sentAt: 1 };
    await sender.ask({ type: "user_typing", serverId: room.id, ...claimed });
    const typing = await receiver.inbox.next("user_typing");
    const { id, displayName } = sender.credential;
    expect(typing).toMatchObject({ fromUserId: id, fromDisplayName: displayName, oderId: id });
    expect(typing["sentAt"]).not.toBe(1);
    await sender.ask({
      type: "direct_message",
      toUserId: receiver.credential.id,
      message: { id: "d", content: "x" },
      ...claimed,
    });
    expect(await receiver.inbox.next("direct_message")).toMatchObject({
      fromUserId: id,
      fromDisplayName: displayName,
    });
  });

  it("WS10 W29 server icons need a server in common; direct messages and WebRTC do not", async () => {
    const stranger = await openDevice(dial, server.url, await register(server.url));
    const toUserId = stranger.credential.id;
    for (const type of ["server_icon_request", "server_icon_full", "server_icon_chunk"]) {
      const answer = await sender.ask({ type, toUserId, serverId: room.id });
      expect(answer).toMatchObject({ type: "error", code: "NO_SHARED_SERVER", inReplyTo: type });
    }
    for (const type of ["direct_typing", "direct_call", "offer", "answer", "ice_candidate"]) {
      expect(await sender.ask({ type, toUserId })).toMatchObject({ type: "ack" });
    }
    await settled(stranger);
    const heard = stranger.inbox.types.filter((type) => type !== "pong" && type !== "identified");
    expect(heard).toEqual(["direct_typing", "direct_call", "offer", "answer", "ice_candidate"]);
    await stranger.close();
  });

  it("WS16 W30 what only the server says is refused, and reaches nobody", async () => {
    const types = [
      "user_joined",
      "user_left",
      "account_sync_peer_online",
      "auth_error",
      "auth_required",
      "identified",
      "removed_from_server",
      "superseded",
      "server_draining",
      "ack",
      "error",
      "closing",
    ];
    const before = receiver.inbox.all.length;
    for (const type of types) {
      const answer = await sender.ask({ type, serverId: room.id, toUserId: receiver.credential.id });
      expect(answer).toMatchObject({ type: "error", code: "UNKNOWN_TYPE", inReplyTo: type });
    }
    await settled(receiver);
    expect(receiver.inbox.types.slice(before)).toEqual(["pong"]);
  });
});

describe.each(DOORS)("account_sync on the %s door", (_name, dial) => {
  let account: Credential;
  let sender: Device;
  let sibling: Device;
  let stranger: Device;

  beforeAll(async () => {
    account = await register(server.url);
    sender = await openDevice(dial, server.url, account);
    sibling = await openDevice(dial, server.url, account);
    stranger = await openDevice(dialPlain, server.url, ben);
    await join(sender, room.id);
    await join(stranger, room.id);
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

  it("AS1 A3 fromUserId is the server's word", async () => {
    const heard = await arrives({ type: "friend-removed", userId: ben.id }, { fromUserId: ben.id });
    expect(heard["fromUserId"]).toBe(account.id);
  });

  it("AS1 A4 a clientInstanceId that is not the sender's is refused", async () => {
    await refused({ type: "x" }, { clientInstanceId: crypto.randomUUID() });
    await refused({ type: "x" }, { clientInstanceId: "tab" });
  });

  it("AS2 A5 an unknown payload type is relayed as it is, extra fields of the envelope too", async () => {
    const payload = { type: "server-icon-changed", deep: [{ x: null, y: "é\u0000" }], n: 1e21 };
    const heard = await arrives(payload, { extra: { kept: true } });
    const { fromUserId, ...rest } = heard;
    expect(fromUserId).toBe(account.id);
    expect({ ...rest, requestId: undefined }).toEqual({
      ...envelope(payload, { extra: { kept: true } }),
      requestId: undefined,
    });
  });

  it("AS2 A6 odd chunk numbers are relayed: to make sense of them is the receiver's business", async () => {
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

  it("AS2 A7 local paths leave no device", async () => {
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
      serverId: room.id,
      message: { id: "m", content },
    });
    expect(answer).toMatchObject({ type: "error", code: "PAYLOAD_TOO_LARGE", inReplyTo: "chat_message" });
  });

  it("AS2 A10 __proto__ inside a payload is data like any other, at both ends", async () => {
    const payload = JSON.parse(
      '{"type":"odd","__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}',
    ) as object;
    const heard = await arrives(payload);
    expect(JSON.stringify(heard["payload"])).toBe(JSON.stringify(payload));
    expect(Object.hasOwn(Object.prototype, "admin")).toBe(false);
    expect(await sender.ask({ type: "ping" })).not.toHaveProperty("admin");
  });

  it("AS1 A11 without another device it is a silent success", async () => {
    const only = await openDevice(dial, server.url, await register(server.url));
    const message = { type: "account_sync", clientInstanceId: only.clientInstanceId, payload: { type: "x" } };
    expect(await only.ask(message)).toMatchObject({ type: "ack" });
    await settled(only);
    expect(only.inbox.count("account_sync")).toBe(0);
    await only.close();
  });

  it("AU6 A12 nothing is relayed for a session that has ended", async () => {
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

  it("AS1 the order of one connection holds, and nobody else hears any of it", async () => {
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
    const socket = await identified(door, ada);
    const nested = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
    const text = `{"type":"account_sync","clientInstanceId":"${crypto.randomUUID()}","payload":{"type":"x","x":${nested}}}`;
    socket.say(text, "account_sync");
    expect(await socket.inbox.next("error")).toMatchObject({ code: "INVALID_REQUEST" });
    await alive(socket);
    await socket.close();
  });
});

describe.each(RAW_DOORS)("limits on the %s door", (door) => {
  it("WS12 past the burst messages are RATE_LIMITED with their requestId; typing has a rate of its own", async () => {
    const socket = await identified(door, await register(server.url));
    await ask(socket, { type: "join_server", serverId: room.id });
    const count = BURST + 60;
    for (let sent = 0; sent < count; sent += 1) tell(socket, { type: "ping", requestId: `p${sent}` });
    tell(socket, { type: "user_typing", serverId: room.id, requestId: "typing" });
    expect(await socket.inbox.answer("typing")).toMatchObject({ type: "ack" });
    const refused = socket.inbox.all.filter(({ code }) => code === "RATE_LIMITED");
    const pongs = socket.inbox.count("pong");
    expect(pongs + refused.length).toBe(count);
    expect(refused.length).toBeGreaterThan(20);
    for (const error of refused) {
      expect(error).toMatchObject({ type: "error", retryable: true, inReplyTo: "ping" });
      expect(error["requestId"]).toMatch(/^p\d+$/);
      expect(error["retryAfterMs"]).toBeGreaterThan(0);
    }
    await socket.close();
  });

  it("WS12 who goes on in spite of it is closed with 4008", async () => {
    const socket = await identified(door, await register(server.url));
    for (let sent = 0; sent < 3_000; sent += 1) tell(socket, { type: "ping" });
    expect(await socket.inbox.next("closing")).toMatchObject({
      closeCode: 4008,
      reason: "rate",
      reconnect: true,
    });
    expect((await socket.closed).code).toBe(4008);
  });

  it("WS12 the 101st connection of a user is closed with 4505, and the others stay", async () => {
    const account = await register(server.url);
    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => identified(door, account)));
    const surplus = await dialRaw(server.url, door);
    tell(surplus, { type: "identify", token: account.token });
    expect(await surplus.inbox.next("closing")).toMatchObject({ closeCode: 4505, reconnect: false });
    expect((await surplus.closed).code).toBe(4505);
    await Promise.all(sockets.map(alive));
    await sockets[0]?.close();
    await (await identified(door, account)).close();
    await Promise.all(sockets.slice(1).map((socket) => socket.close()));
  });

  it("WS13 a reader that stops reading is closed with 4002 and delays nobody", async () => {
    const closes = async () =>
      (await metricsOf(server)).sum("hearth_presence_closes_total", { code: "4002", door });
    const before = await closes();
    const crowd = await createServer(server.url, ada, { name: "Crowd" });
    const [slow, reader, ...senders] = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const socket = await identified(door, await register(server.url));
        await ask(socket, { type: "join_server", serverId: crowd.id });
        return socket;
      }),
    );
    if (!slow || !reader) throw new Error("four sockets were opened");
    slow.webSocket.pause();
    const content = "x".repeat(60_000);
    const each = 180;
    for (let round = 0; round < each / 20; round += 1) {
      for (const sender of senders) {
        for (let sent = 0; sent < 20; sent += 1) {
          tell(sender, { type: "chat_message", serverId: crowd.id, message: { id: `${sent}`, content } });
        }
      }
      await Promise.all([reader, ...senders].map(alive));
    }
    expect(reader.inbox.count("chat_message")).toBe(senders.length * each);
    while ((await closes()) === before) await new Promise((resolve) => setTimeout(resolve, 50));
    slow.webSocket.resume();
    await slow.closed;
    expect(slow.inbox.count("chat_message")).toBeLessThan(senders.length * each);
    await Promise.all([reader, ...senders].map((socket) => socket.close()));
  }, 20_000);
});

describe("those that never identified", () => {
  it("WS5 W10 W17 are closed with 4009 after 15 s, however busy they look", async () => {
    for (const socket of [...silent, trickling]) {
      expect((await socket.closed).code).toBe(4009);
      expect(socket.inbox.all).toMatchObject([{ type: "closing", closeCode: 4009, reconnect: true }]);
    }
    expect(Date.now() - silentSince).toBeGreaterThan(DEADLINE_MS - 1_000);
  }, 30_000);
});
