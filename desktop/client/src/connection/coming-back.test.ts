import { describe, expect, it } from "@jest/globals";
import { settled } from "../testing/fake-clock.ts";
import { closing, networkReturns, SERVER_ID, stageWith } from "./testing/connection-stage.ts";
import { ADA } from "./testing/scripted-server.ts";

describe("reconnecting", () => {
  it("CL6 retries with jittered backoff, and at once when the network returns or the machine wakes, unless WS14 forbids it", async () => {
    let isAway = false;
    const { platform, connection, last, status, delay } = await stageWith((_message, socket) => {
      if (isAway) socket.drop();
      return isAway ? { type: "server_left", serverId: "x" } : null;
    });
    const delays: number[] = [];
    isAway = true;
    last().drop();
    for (let round = 0; round < 9; round += 1) {
      expect([status(), connection.state.getState().attempts]).toEqual(["waiting", round]);
      delays.push(delay());
      const before = platform.sockets.length;
      await platform.clock.advance(delay() - 1);
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
    networkReturns(platform);
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

  it("does not count a short time online as recovery, so that a server that drops everybody is not dialled in a loop", async () => {
    const { platform, last, status, delay } = await stageWith();
    const delays: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      last().drop();
      delays.push(delay());
      await platform.clock.advance(delay());
      expect(status()).toBe("online");
    }
    expect(delays.at(-1)).toBeGreaterThanOrEqual(15_000);
    await platform.clock.advance(10_000);
    last().drop();
    expect(delay()).toBeLessThanOrEqual(1_000);
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
  ])("WS14 retries after %s (%i)", async (_what, code, reason) => {
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
  ])("WS14 does not retry after %i, and gives the reason: %s", async (code, reason, told) => {
    const { platform, last, connection, failures } = await stageWith();
    last().drop(code);
    platform.resume();
    networkReturns(platform);
    await platform.clock.advance(3_600_000);
    expect(connection.state.getState()).toMatchObject({ status: "ended", reason, retryAt: null });
    expect(platform.sockets).toHaveLength(1);
    expect(failures).toEqual(told);
  });

  it("WS6 stops when superseded, until the user asks for this tab again", async () => {
    const { platform, last, connection, failures } = await stageWith();
    last().receive({ type: "superseded", clientInstanceId: "x" });
    await platform.clock.advance(600_000);
    expect(connection.state.getState()).toMatchObject({ status: "ended", reason: "superseded" });
    expect([platform.sockets.length, failures]).toEqual([1, []]);
    connection.retryNow();
    await settled();
    expect(connection.state.getState().status).toBe("online");
  });

  it("WS14 obeys `reconnect: false` for any code, and limits the server's delay", async () => {
    const final = await stageWith();
    final.last().receive(closing(1009, { reconnect: false }));
    expect(final.connection.state.getState()).toMatchObject({ status: "ended", reason: "because" });
    const { last, delay } = await stageWith();
    last().receive(closing(4001, { retryInMs: 1e15 }));
    expect(delay()).toBe(300_000);
  });

  it("WS15 keeps a draining server's delay if the socket just breaks, or only the close frame has it", async () => {
    const { platform, last, connection, delay } = await stageWith();
    last().receive({ type: "server_draining", retryInMs: 2_500 });
    expect(connection.state.getState().status).toBe("online");
    last().drop();
    expect(delay()).toBe(2_500);
    await platform.clock.advance(2_500);
    last().drop(4001, JSON.stringify({ reason: "restarting", retryInMs: 3_500 }));
    expect(connection.state.getState()).toMatchObject({
      retryAt: platform.now() + 3_500,
      reason: "restarting",
    });
  });

  it("ignores events of an old socket", async () => {
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

  it("aborts a dial that hangs, and one that a sleep or a lost network made stale", async () => {
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

  it("treats a browser's refusal to dial like any other failure", async () => {
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

  it("neither sends nor receives after a close", async () => {
    const { platform, connection, last, heard } = await stageWith();
    const waiting = connection.request({ type: "ping" });
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
