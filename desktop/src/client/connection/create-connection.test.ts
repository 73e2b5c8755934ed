import { describe, expect, it } from "@jest/globals";
import type { ClientProblem } from "../problem.ts";
import { settled } from "../testing/fake-clock.ts";
import { createFakePlatform } from "../testing/fake-platform.ts";
import type { FakePlatform } from "../testing/fake-platform.ts";
import type { FakeSocket } from "../testing/fake-socket.ts";
import type { Incoming } from "./connection.ts";
import { createConnection } from "./create-connection.ts";
import type { ConnectionCredentials } from "./link.ts";
import { ADA, serveSockets, TEST_LIMITS } from "./testing/scripted-server.ts";
import type { Reply } from "./testing/scripted-server.ts";

const SERVER_ID = "01900000-0000-7000-8000-000000000001";
const PING = { type: "ping" } as const;

interface Stage {
  readonly platform: FakePlatform;
  readonly connection: ReturnType<typeof createConnection>;
  readonly failures: (readonly [string, string])[];
  /** Without `identified`, with which each connection begins. */
  readonly heard: Incoming[];
  readonly greetings: Incoming[];
  credentials: ConnectionCredentials | null;
  readonly last: () => FakeSocket;
  readonly status: () => string;
}

async function stageWith(reply?: Reply, aheadMs = 0): Promise<Stage> {
  const platform = createFakePlatform({ seed: 7 });
  serveSockets(platform, reply, aheadMs);
  const failures: [string, string][] = [];
  const heard: Incoming[] = [];
  const greetings: Incoming[] = [];
  const stage: Stage = {
    platform,
    failures,
    heard,
    greetings,
    credentials: ADA,
    connection: createConnection({
      platform,
      url: "https://home.example",
      instanceId: () => "01900000-0000-7000-8000-0000000000aa",
      credentials: () => stage.credentials,
      onAuthFailure: (...failure) => void failures.push(failure),
    }),
    last: () => {
      const socket = platform.sockets.at(-1);
      if (!socket) throw new Error("nothing was dialled");
      return socket;
    },
    status: () => stage.connection.state.getState().status,
  };
  stage.connection.on((message) => void (message.type === "identified" ? greetings : heard).push(message));
  stage.connection.open();
  await settled();
  return stage;
}

const closing = (closeCode: number, more: object = {}): object => ({
  type: "closing",
  closeCode,
  reason: "because",
  message: "Because",
  reconnect: closeCode < 4500,
  ...more,
});

describe("a connection", () => {
  it("WS3 dials the server's socket, identifies first, and is online when the server says so", async () => {
    const { platform, last, connection } = await stageWith();
    expect(last().url).toBe("wss://home.example/ws");
    expect(last().sent).toEqual([
      {
        type: "identify",
        requestId: expect.any(String),
        token: ADA.token,
        oderId: ADA.userId,
        connectionScope: "wss://home.example",
        clientInstanceId: "01900000-0000-7000-8000-0000000000aa",
        device: { name: "Test browser", kind: "web" },
      },
    ]);
    expect(connection.state.getState()).toEqual({
      url: "https://home.example",
      status: "online",
      attempts: 0,
      retryAt: null,
      offlineSince: null,
      lastOnlineAt: platform.now(),
      limits: TEST_LIMITS,
      reason: null,
    });
  });

  it("does not dial without an account, nor before it is told to", async () => {
    const platform = createFakePlatform();
    const connection = createConnection({
      platform,
      url: "http://home.example",
      instanceId: () => "x",
      credentials: () => null,
      onAuthFailure: () => undefined,
    });
    connection.retryNow();
    expect(connection.state.getState().status).toBe("idle");
    connection.open();
    expect(connection.state.getState()).toMatchObject({ status: "ended", reason: "NEEDS_SIGN_IN" });
    expect(platform.sockets).toHaveLength(0);
  });

  it("knows the server's clock, and keeps what it knows while offline", async () => {
    const { platform, connection, last } = await stageWith(undefined, 90_000);
    expect(connection.now()).toBe(platform.now() + 90_000);
    last().drop();
    expect(connection.now()).toBe(platform.now() + 90_000);
  });

  it("knows it in whole milliseconds, however long the answer took", async () => {
    const { platform, connection, last } = await stageWith(({ type }) =>
      type === "ping" ? { type: "nothing" } : null,
    );
    platform.resume();
    await platform.clock.advance(1_001);
    last().receive({ type: "pong", serverTime: platform.now() + 60_000 });
    expect(connection.now() - platform.now()).toBe(60_501);
  });

  it("hears what others said and what the server says, in order, and nothing that makes no sense", async () => {
    const { last, heard, greetings } = await stageWith();
    expect(greetings).toMatchObject([{ type: "identified", oderId: ADA.userId, displayName: "Ada" }]);
    const chat = {
      type: "chat_message",
      serverId: SERVER_ID,
      message: { id: "m1", content: "hello" },
      fromUserId: ADA.userId,
      fromDisplayName: "Ada",
      sentAt: 1,
    };
    const left = { type: "user_left", serverId: SERVER_ID, oderId: ADA.userId };
    for (const frame of [
      "{",
      "[]",
      "7",
      { type: "user_left" },
      { type: "from_the_future", fromUserId: "x" },
      chat,
    ])
      last().receive(frame);
    last().receive({ ...chat, fromUserId: 5 });
    last().receive(left);
    expect(heard).toEqual([chat, left]);
  });

  it("lets one listener go without losing the others", async () => {
    const { last, connection, heard } = await stageWith();
    const other: Incoming[] = [];
    const end = connection.on((message) => void other.push(message));
    end();
    last().receive({ type: "server_left", serverId: SERVER_ID });
    expect([heard.length, other.length]).toEqual([1, 0]);
  });
});

describe("requests", () => {
  it("are matched to their answers, however these are ordered", async () => {
    const held: Record<string, unknown>[] = [];
    const { connection, last, heard } = await stageWith((message) => {
      if (message["type"] !== "join_server" && message["type"] !== "chat_message") return null;
      held.push(message);
      return { type: "pong", serverTime: 0 };
    });
    const join = connection.request({ type: "join_server", serverId: SERVER_ID });
    const chat = connection.request({ type: "chat_message", serverId: SERVER_ID });
    const [first, second] = held;
    last().receive({ type: "ack", inReplyTo: "chat_message", requestId: second?.["requestId"] });
    const joined = { type: "server_joined", serverId: SERVER_ID, users: [], channels: [] };
    last().receive({ ...joined, requestId: first?.["requestId"] });
    expect(await chat).toMatchObject({ type: "ack", inReplyTo: "chat_message" });
    expect(await join).toMatchObject(joined);
    // The picture of a room is told to everybody, in its place among the news of the room; an ack to nobody else.
    expect(heard.map(({ type }) => type)).toEqual(["server_joined"]);
  });

  it("reject with the server's refusal, and never for what somebody else relayed under that id", async () => {
    const { connection, last } = await stageWith(({ type }) =>
      type === "chat_message" ? { type: "pong", serverTime: 0 } : null,
    );
    const request = connection.request({ type: "chat_message", serverId: SERVER_ID });
    const requestId = last().sentOf("chat_message")[0]?.["requestId"];
    const relayed = { type: "ping", requestId, fromUserId: "mallory", fromDisplayName: "M", sentAt: 1 };
    last().receive(relayed);
    const errors = [{ path: "message.content", message: "is too long" }];
    last().receive({
      type: "error",
      code: "INVALID_REQUEST",
      message: "No",
      retryable: false,
      errors,
      requestId,
    });
    await expect(request).rejects.toMatchObject({ code: "INVALID_REQUEST", issues: errors, requestId });
  });

  it("reject at once while offline, after 10 s without an answer, and when the socket ends meanwhile", async () => {
    const { connection, platform, last } = await stageWith(({ type }) =>
      type === "chat_message" ? { type: "pong", serverTime: 0 } : null,
    );
    const ask = (): Promise<unknown> =>
      connection.request({ type: "chat_message" }).catch((error: unknown) => (error as ClientProblem).code);
    const unanswered = ask();
    await platform.clock.advance(10_000);
    expect(await unanswered).toBe("NO_ANSWER");
    const cut = ask();
    last().drop();
    expect(await cut).toBe("NO_ANSWER");
    expect(await ask()).toBe("OFFLINE");
    expect(last().sentOf("chat_message")).toHaveLength(2);
  });

  it("WS12 are refused here where they are too large for the server, which would end the connection", async () => {
    const { connection, last } = await stageWith();
    const content = "é".repeat(33_000);
    const chat = connection.request({ type: "chat_message", message: { id: "m", content } });
    await expect(chat).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE", retryable: false });
    await expect(connection.request({ type: "account_sync", payload: { content } })).resolves.toMatchObject({
      type: "ack",
    });
    connection.cast({ type: "status_update", statusText: content });
    expect(last().sent.map(({ type }) => type)).toEqual(["identify", "account_sync"]);
  });

  it("WS12 go out in order and no faster than the server takes them, so that it never has to refuse", async () => {
    let tokens = 240;
    let at = 0;
    let refused = 0;
    const { connection, platform, last } = await stageWith((_message, _socket, now) => {
      tokens = Math.min(240, tokens + ((now - at) * 60) / 1_000) - 1;
      at = now;
      if (tokens < 0) refused += 1;
      return null;
    });
    const all = Array.from({ length: 1_000 }, (_, index) =>
      connection.request({ type: "chat_message", index }),
    );
    const answered = Promise.all(all);
    await platform.clock.advance(20_000);
    await answered;
    expect(refused).toBe(0);
    expect(
      last()
        .sentOf("chat_message")
        .map(({ index }) => index),
    ).toEqual(all.map((_, index) => index));
  });

  it("WS2 wait while more than the server would queue is unanswered", async () => {
    const sent: unknown[] = [];
    const { connection, last } = await stageWith((message) => {
      if (message["type"] !== "account_sync") return null;
      sent.push(message["requestId"]);
      return { type: "pong", serverTime: 0 };
    });
    const payload = { data: "x".repeat(900_000) };
    const all = [1, 2, 3, 4].map(() => connection.request({ type: "account_sync", payload }));
    expect(sent).toHaveLength(2);
    last().receive({ type: "ack", inReplyTo: "account_sync", requestId: sent[0] });
    expect(sent).toHaveLength(3);
    for (const requestId of sent) last().receive({ type: "ack", inReplyTo: "account_sync", requestId });
    last().receive({ type: "ack", inReplyTo: "account_sync", requestId: sent.at(-1) });
    await Promise.all(all);
  });

  it("ER2 that the server refused for rate wait as long as it says, and go again under the same id", async () => {
    let refusals = 2;
    const { connection, platform, last } = await stageWith(({ type, requestId }) => {
      if (type !== "chat_message" || refusals-- <= 0) return null;
      const error = { type: "error", code: "RATE_LIMITED", message: "Slow down", retryable: true };
      return { ...error, retryAfterMs: 700, requestId };
    });
    const request = connection.request({ type: "chat_message" });
    await platform.clock.advance(699);
    expect(last().sentOf("chat_message")).toHaveLength(1);
    await platform.clock.advance(1);
    expect(last().sentOf("chat_message")).toHaveLength(2);
    await platform.clock.advance(700);
    await request;
    expect(
      new Set(
        last()
          .sentOf("chat_message")
          .map(({ requestId }) => requestId),
      ).size,
    ).toBe(1);
  });

  it("are the caller's to repeat where the server wants more than a few seconds, or refuses again and again", async () => {
    let retryAfterMs = 60_000;
    const { connection, platform } = await stageWith(({ type, requestId }) => {
      const error = { type: "error", code: "RATE_LIMITED", message: "Slow down", retryable: true };
      return type === "join_server" ? { ...error, retryAfterMs, requestId } : null;
    });
    const join = (): Promise<unknown> =>
      connection.request({ type: "join_server" }).catch((error: unknown) => error);
    expect(await join()).toMatchObject({ code: "RATE_LIMITED", retryable: true, retryAfterMs: 60_000 });
    retryAfterMs = 100;
    const again = join();
    await platform.clock.advance(5_000);
    expect(await again).toMatchObject({ code: "RATE_LIMITED", retryAfterMs: 100 });
  });
});

describe("coming back", () => {
  it("CL6 dials again with jittered backoff, at once when the network returns or the machine wakes, as WS14 says", async () => {
    let isAway = false;
    const { platform, connection, last, status } = await stageWith((_message, socket) => {
      if (isAway) socket.drop();
      return isAway ? { type: "server_left", serverId: "x" } : null;
    });
    const delays: number[] = [];
    isAway = true;
    last().drop();
    for (let round = 0; round < 9; round += 1) {
      const { retryAt, attempts } = connection.state.getState();
      expect([status(), attempts]).toEqual(["waiting", round]);
      delays.push((retryAt ?? 0) - platform.now());
      const before = platform.sockets.length;
      await platform.clock.advance((retryAt ?? 0) - platform.now() - 1);
      expect(platform.sockets).toHaveLength(before);
      await platform.clock.advance(1);
      expect(platform.sockets).toHaveLength(before + 1);
    }
    const steps = [1, 2, 4, 8, 16, 30, 30, 30, 30].map((seconds) => seconds * 1_000);
    delays.forEach((delay, index) => {
      expect(delay).toBeGreaterThanOrEqual((steps[index] ?? 0) / 2);
      expect(delay).toBeLessThanOrEqual(steps[index] ?? 0);
    });
    expect(new Set(delays.slice(5)).size).toBeGreaterThan(1);

    const dialled = platform.sockets.length;
    platform.attend({ isOnline: false });
    platform.attend({ isOnline: true });
    expect(platform.sockets).toHaveLength(dialled + 1);
    await settled();
    platform.resume();
    expect(platform.sockets).toHaveLength(dialled + 2);
    await settled();
    isAway = false;
    connection.retryNow();
    expect(platform.sockets).toHaveLength(dialled + 3);
    await settled();
    expect(connection.state.getState()).toMatchObject({ status: "online", attempts: 0, offlineSince: null });

    last().receive(closing(4001, { retryInMs: 4_321 }));
    expect(connection.state.getState().retryAt).toBe(platform.now() + 4_321);
    await platform.clock.advance(4_321);
    expect(status()).toBe("online");
    last().receive(closing(4503));
    await platform.clock.advance(600_000);
    expect(status()).toBe("ended");
    expect(platform.sockets).toHaveLength(dialled + 4);
  });

  it("counts a short stay online as no recovery, so that a server that drops everybody is not dialled in a loop", async () => {
    const { platform, connection, last } = await stageWith();
    const delays: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      last().drop();
      const delay = (connection.state.getState().retryAt ?? 0) - platform.now();
      delays.push(delay);
      await platform.clock.advance(delay);
      expect(connection.state.getState().status).toBe("online");
    }
    expect(delays.at(-1)).toBeGreaterThanOrEqual(15_000);
    await platform.clock.advance(10_000);
    last().drop();
    expect((connection.state.getState().retryAt ?? 0) - platform.now()).toBeLessThanOrEqual(1_000);
  });

  it.each([
    ["a lost line", 1006, ""],
    ["an ordinary end", 1000, ""],
    ["a server that goes", 1001, ""],
    ["restarting", 4001, "restarting"],
    ["a slow reader", 4002, "slow_reader"],
    ["the heartbeat", 4003, "heartbeat"],
    ["the rate", 4008, "rate"],
    ["a late identify", 4009, "identify_timeout"],
    ["a code of the range that nobody has yet", 4499, ""],
  ])("WS14 after %s (%i) it dials again", async (_what, code, reason) => {
    const { platform, last, status, failures } = await stageWith();
    last().drop(code, reason);
    expect(status()).toBe("waiting");
    await platform.clock.advance(1_000);
    expect([status(), failures]).toEqual(["online", []]);
  });

  it.each([
    [4500, "refused", []],
    [4501, "session_revoked", [[ADA.token, "revoked"]]],
    [4502, "session_expired", [[ADA.token, "expired"]]],
    [4503, "superseded", []],
    [4504, "banned", []],
    [4505, "too_many_connections", []],
    [4506, "protocol", []],
    [4999, "lost", []],
  ])("WS14 after %i it does not, and says why: %s", async (code, reason, told) => {
    const { platform, last, connection, failures } = await stageWith();
    last().drop(code);
    platform.resume();
    platform.attend({ isOnline: false });
    platform.attend({ isOnline: true });
    await platform.clock.advance(3_600_000);
    expect(connection.state.getState()).toMatchObject({ status: "ended", reason, retryAt: null });
    expect(platform.sockets).toHaveLength(1);
    expect(failures).toEqual(told);
  });

  it("WS6 superseded ends it, until its person asks for this tab again", async () => {
    const { platform, last, connection, failures } = await stageWith();
    last().receive({ type: "superseded", clientInstanceId: "x" });
    await platform.clock.advance(600_000);
    expect(connection.state.getState()).toMatchObject({ status: "ended", reason: "superseded" });
    expect([platform.sockets.length, failures]).toEqual([1, []]);
    connection.retryNow();
    await settled();
    expect(connection.state.getState().status).toBe("online");
  });

  it("WS14 a server's word not to dial again counts for any code, and its delay is bounded", async () => {
    const final = await stageWith();
    final.last().receive(closing(1009, { reconnect: false }));
    expect(final.connection.state.getState()).toMatchObject({ status: "ended", reason: "because" });
    const { platform, last, connection } = await stageWith();
    last().receive(closing(4001, { retryInMs: 1e15 }));
    expect((connection.state.getState().retryAt ?? 0) - platform.now()).toBe(300_000);
  });

  it("WS15 a draining server's delay holds even when the socket just breaks, or only the frame's reason has it", async () => {
    const { platform, last, connection } = await stageWith();
    last().receive({ type: "server_draining", retryInMs: 2_500 });
    expect(connection.state.getState().status).toBe("online");
    last().drop();
    expect((connection.state.getState().retryAt ?? 0) - platform.now()).toBe(2_500);
    await platform.clock.advance(2_500);
    last().drop(4001, JSON.stringify({ reason: "restarting", retryInMs: 3_500 }));
    expect(connection.state.getState()).toMatchObject({
      retryAt: platform.now() + 3_500,
      reason: "restarting",
    });
  });

  it("ignores what a socket says that is not the one in use any more", async () => {
    const { platform, last, heard, connection, failures } = await stageWith();
    const [{ onmessage, onclose } = {}] = platform.sockets;
    last().drop();
    await platform.clock.advance(1_000);
    expect(platform.sockets).toHaveLength(2);
    const late = {
      data: JSON.stringify({ type: "auth_error", code: "AUTH_INVALID", message: "", reason: "unknown" }),
    };
    (onmessage as ((event: unknown) => void) | null)?.(late);
    (onclose as ((event: unknown) => void) | null)?.({ code: 4501, reason: "" });
    expect(platform.sockets[0]?.onmessage).toBeNull();
    expect([connection.state.getState().status, heard, failures]).toEqual(["online", [], []]);
  });

  it("gives up a dial that leads nowhere, and one that a sleep or a lost network made stale", async () => {
    const { platform, connection, last } = await stageWith();
    platform.onDial = null;
    last().drop();
    await platform.clock.advance(1_000);
    expect([connection.state.getState().status, platform.sockets.length]).toEqual(["connecting", 2]);
    await platform.clock.advance(15_000);
    expect(connection.state.getState()).toMatchObject({ reason: "no_answer" });
    expect(platform.sockets[1]?.closedWith).not.toBeNull();
    const dialled = platform.sockets.length;
    connection.retryNow();
    platform.clock.jump(2_000);
    platform.resume();
    expect(platform.sockets.slice(dialled).map(({ closedWith }) => closedWith !== null)).toEqual([
      true,
      false,
    ]);
  });

  it("a browser that refuses to dial is trouble like any other", async () => {
    const { platform, connection, last } = await stageWith();
    const openSocket = platform.openSocket.bind(platform);
    platform.openSocket = () => {
      throw new DOMException("insecure", "SecurityError");
    };
    last().drop();
    await platform.clock.advance(1_000);
    expect(connection.state.getState()).toMatchObject({ status: "waiting", attempts: 1 });
    platform.openSocket = openSocket;
    await platform.clock.advance(60_000);
    expect(connection.state.getState().status).toBe("online");
  });

  it("says nothing and hears nothing once it is closed", async () => {
    const { platform, connection, last, heard } = await stageWith();
    const waiting = connection.request({ ...PING });
    connection.close();
    await waiting.catch(() => undefined);
    last().receive({ type: "server_left", serverId: SERVER_ID });
    connection.retryNow();
    connection.open();
    platform.resume();
    await platform.clock.advance(600_000);
    expect([platform.sockets.length, heard, platform.clock.waiting]).toEqual([1, [], 0]);
    expect(connection.state.getState()).toMatchObject({ status: "ended", reason: null });
  });
});

describe("liveness", () => {
  it("WS11 asks every heartbeat, and takes silence for 5 s as the end of a socket that still says OPEN", async () => {
    let isDead = false;
    const { platform, last, connection } = await stageWith(({ type }) =>
      type === "ping" && isDead ? { type: "nothing" } : null,
    );
    await platform.clock.advance(75_000);
    expect(last().sentOf("ping")).toHaveLength(3);
    isDead = true;
    const dead = last();
    // A socket that nobody is behind says nothing at all.
    dead.onSent = () => undefined;
    await platform.clock.advance(29_999);
    expect([platform.sockets.length, dead.readyState]).toEqual([1, 1]);
    isDead = false;
    await platform.clock.advance(1);
    expect(connection.state.getState()).toMatchObject({ status: "waiting", reason: "silent" });
    await platform.clock.advance(1_000);
    expect([platform.sockets.length, connection.state.getState().status]).toEqual([2, "online"]);
  });

  it.each([
    ["the machine wakes", (platform: FakePlatform) => platform.resume()],
    [
      "the network returns",
      (platform: FakePlatform) => {
        platform.attend({ isOnline: false });
        platform.attend({ isOnline: true });
      },
    ],
    [
      "the page is shown",
      (platform: FakePlatform) => {
        platform.attend({ isVisible: false });
        platform.attend({ isVisible: true });
      },
    ],
  ])("CL6 asks at once when %s", async (_what, happen) => {
    const { platform, last } = await stageWith();
    last().onSent = () => undefined;
    happen(platform);
    expect(last().sentOf("ping")).toHaveLength(1);
    await platform.clock.advance(4_999);
    expect(platform.sockets).toHaveLength(1);
    await platform.clock.advance(1_001);
    expect(platform.sockets).toHaveLength(2);
  });

  it("takes a large message on its way in either direction as a sign of life, for as long as it moves", async () => {
    const { platform, last } = await stageWith();
    const socket = last();
    socket.onSent = () => undefined;
    socket.bufferedAmount = 900_000;
    platform.resume();
    for (const left of [600_000, 300_000, 100]) {
      await platform.clock.advance(4_999);
      socket.bufferedAmount = left;
      await platform.clock.advance(1);
      expect(platform.sockets).toHaveLength(1);
    }
    socket.receive({ type: "server_left", serverId: SERVER_ID });
    await platform.clock.advance(5_000);
    expect(socket.closedWith).toBeNull();
    platform.resume();
    await platform.clock.advance(5_000);
    expect(socket.closedWith).not.toBeNull();
  });
});

describe("who one is", () => {
  it.each(["auth_error", "auth_required"])(
    "WS5 %s is told once, with the token that was sent",
    async (type) => {
      const failure = { type, code: type === "auth_error" ? "AUTH_INVALID" : "AUTH_REQUIRED" };
      const { connection, failures, platform } = await stageWith((message) =>
        message["type"] === "identify" ? { ...failure, message: "No", reason: "unknown" } : null,
      );
      await platform.clock.advance(600_000);
      expect(failures).toEqual([[ADA.token, "unknown"]]);
      expect(connection.state.getState()).toMatchObject({ status: "ended", reason: failure.code });
      expect(platform.sockets).toHaveLength(1);
    },
  );

  it("AU6 a session that ends while connected is told once, though the close says it as well", async () => {
    const { last, failures } = await stageWith();
    const failure = { type: "auth_required", code: "AUTH_INVALID", message: "Ended", reason: "revoked" };
    last().receive(failure);
    last().receive(closing(4501));
    last().drop(4501);
    expect(failures).toEqual([[ADA.token, "revoked"]]);
  });

  it("another person's identity in answer to ours is a refusal of our token", async () => {
    const { failures, connection } = await stageWith((message, socket) => {
      if (message["type"] !== "identify") return null;
      const answer = { type: "identified", displayName: "E", connectionId: "c", clientInstanceId: "i" };
      const times = { sessionExpiresAt: 1, serverTime: 1, heartbeatMs: 25_000, limits: TEST_LIMITS };
      socket.receive({ ...answer, ...times, connectionScope: null, oderId: "somebody else" });
      return { type: "pong", serverTime: 1 };
    });
    expect(failures).toEqual([[ADA.token, "mismatch"]]);
    expect(connection.state.getState().status).toBe("ended");
  });

  it.each(["UNAVAILABLE", "TIMEOUT", "RATE_LIMITED", "INTERNAL"])(
    "ER6 identify that fails with %s is tried again, not before the server wants it, and is no matter of the token",
    async (code) => {
      let troubles = 3;
      const { platform, connection, failures } = await stageWith(({ type, requestId }) => {
        if (type !== "identify" || troubles-- <= 0) return null;
        const retryable = code !== "INTERNAL";
        return { type: "error", code, message: "Later", retryable, retryAfterMs: 9_000, requestId };
      });
      expect(connection.state.getState()).toMatchObject({
        status: "waiting",
        reason: code,
        retryAt: platform.now() + 9_000,
      });
      await platform.clock.advance(40_000);
      expect([connection.state.getState().status, failures]).toEqual(["online", []]);
    },
  );

  it("an identify that the server finds malformed ends, instead of being said over and over", async () => {
    const { platform, connection, failures } = await stageWith(({ type, requestId }) =>
      type === "identify"
        ? { type: "error", code: "INVALID_REQUEST", message: "No", retryable: false, requestId }
        : null,
    );
    await platform.clock.advance(600_000);
    expect(connection.state.getState()).toMatchObject({ status: "ended", reason: "INVALID_REQUEST" });
    expect([platform.sockets.length, failures]).toEqual([1, []]);
  });
});
