import { describe, expect, it } from "@jest/globals";
import { createFakePlatform } from "../testing/fake-platform.ts";
import type { Incoming } from "./connection.ts";
import { createConnection } from "./create-connection.ts";
import { SERVER_ID, stageWith } from "./testing/connection-stage.ts";
import { ADA, TEST_LIMITS } from "./testing/scripted-server.ts";

describe("a connection", () => {
  it("WS3 dials, identifies first, and is online after the server's answer", async () => {
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

  it("does not dial without an account, nor before it is opened", async () => {
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

  it("knows the server's clock, also while offline", async () => {
    const { platform, connection, last } = await stageWith(undefined, 90_000);
    expect(connection.now()).toBe(platform.now() + 90_000);
    last().drop();
    expect(connection.now()).toBe(platform.now() + 90_000);
  });

  it("rounds the server's clock to milliseconds", async () => {
    const { platform, connection, last } = await stageWith(({ type }) =>
      type === "ping" ? { type: "nothing" } : null,
    );
    platform.resume();
    await platform.clock.advance(1_001);
    last().receive({ type: "pong", serverTime: platform.now() + 60_000 });
    expect(connection.now() - platform.now()).toBe(60_501);
  });

  it("passes on messages of clients and the server in order, and ignores malformed ones", async () => {
    const { last, heard, greetings } = await stageWith();
    expect(greetings).toMatchObject([{ type: "identified", oderId: ADA.userId, displayName: "Ada" }]);
    const chat = {
      type: "chat_message",
      serverId: SERVER_ID,
      message: { id: "m1", content: "hello" },
      fromUserId: ADA.userId,
      fromUsername: "ada",
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

  it("removes one listener without affecting the others", async () => {
    const { last, connection, heard } = await stageWith();
    const other: Incoming[] = [];
    const end = connection.on((message) => void other.push(message));
    end();
    last().receive({ type: "server_left", serverId: SERVER_ID });
    expect([heard.length, other.length]).toEqual([1, 0]);
  });
});
