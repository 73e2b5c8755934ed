import { CLIENT_MESSAGES } from "@hearth/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { dialRaw, expectOk, login, RAW_DOORS, type RawSocket } from "../../src/client/index.ts";
import { ask, identified, identify } from "../../src/expectations/raw-device.ts";
import { FRAME_BYTES, MESSAGE_BYTES } from "../../src/expectations/sizes.ts";
import { serverForTests } from "../../src/server/for-tests.ts";
import { sharedServerForTests } from "../../src/server/shared-server-for-tests.ts";

/** Set by the protocol: WS5, WS11. */
const FAILURES = 5;
const DEADLINE_MS = 15_000;
const HEARTBEAT_MS = 25_000;

const server = serverForTests();
const hall = sharedServerForTests(server);

/** Opened first and never identified; checked last (W10, W17). */
let silent: readonly RawSocket[];
let trickling: RawSocket;
let trickle: NodeJS.Timeout;
let silentSince: number;

beforeAll(async () => {
  silentSince = Date.now();
  silent = await Promise.all(RAW_DOORS.map((door) => dialRaw(server.url, door)));
  trickling = await dialRaw(server.url, "plain");
  trickling.webSocket.send("{", { fin: false });
  trickle = setInterval(() => trickling.webSocket.send(" ", { fin: false }), 500);
});

afterAll(async () => {
  clearInterval(trickle);
});

const KNOWN = Object.keys(CLIENT_MESSAGES).filter((type) => type !== "identify");

describe.each(RAW_DOORS)("before identify, on the %s door", (door) => {
  it("WS5 W1 W2 W3 every type but identify is answered with auth_required only", async () => {
    for (const type of KNOWN) {
      const socket = await dialRaw(server.url, door);
      const message = {
        type,
        serverId: hall.room.id,
        toUserId: hall.ada.id,
        clientInstanceId: hall.ada.id,
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
    const joining = await ask(socket, { type: "join_server", serverId: hall.room.id });
    expect(joining).toMatchObject({ type, reason });
    expect(await identify(socket, { token: hall.ada.token })).toMatchObject({
      type: "identified",
      oderId: hall.ada.id,
    });
    await socket.close();
  });

  it("WS5 W6 a revoked token gets auth_error with the reason", async () => {
    const { token } = await login(server.url, hall.ada.username);
    await expectOk(server.url, "POST", "/api/users/logout", { token });
    const socket = await dialRaw(server.url, door);
    expect(await identify(socket, { token })).toMatchObject({ type: "auth_error", reason: "revoked" });
    await socket.close();
  });

  it("WS5 W7 another user's oderId gets auth_error", async () => {
    const socket = await dialRaw(server.url, door);
    const answer = await identify(socket, { token: hall.ada.token, oderId: hall.ben.id });
    expect(answer).toMatchObject({ type: "auth_error", reason: "mismatch" });
    expect(await ask(socket, { type: "ping" })).toMatchObject({ type: "auth_error" });
    await socket.close();
  });

  it("WS5 W9 the fifth failure closes the connection for good, and a frame tells the reason", async () => {
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
    const answer = await identify(socket, { token: hall.ada.token, ...fields });
    expect(answer).toMatchObject({ type: "error", code, retryable: false, inReplyTo: "identify" });
    expect(await identify(socket, { token: hall.ada.token })).toMatchObject({ type: "identified" });
    await socket.close();
  });

  it("WS3 W11 without a clientInstanceId the server assigns one and reports it", async () => {
    const socket = await dialRaw(server.url, door);
    const answer = await identify(socket, { token: hall.ada.token });
    expect(answer).toMatchObject({
      oderId: hall.ada.id,
      displayName: "ada",
      clientInstanceId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      connectionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      connectionScope: null,
      sessionExpiresAt: hall.ada.expiresAt,
      heartbeatMs: HEARTBEAT_MS,
      limits: { messageBytes: MESSAGE_BYTES, accountSyncBytes: FRAME_BYTES },
    });
    expect(Math.abs(Number(answer["serverTime"]) - Date.now())).toBeLessThan(5_000);
    await socket.close();
  });

  it("WS3 W8 a second identify by the same user is accepted; by another user it is CONFLICT and changes nothing", async () => {
    const socket = await identified(server.url, door, hall.ada);
    const again = await identify(socket, { token: hall.ada.token, displayName: "Ada again" });
    expect(again).toMatchObject({ type: "identified", username: hall.ada.username, displayName: "ada" });
    const another = await identify(socket, { token: hall.ben.token });
    expect(another).toMatchObject({ type: "error", code: "CONFLICT" });
    expect(await identify(socket, { token: "wrong" })).toMatchObject({ type: "auth_error" });
    const joined = await ask(socket, { type: "join_server", serverId: hall.room.id });
    expect((joined["users"] as { oderId: string }[]).map(({ oderId }) => oderId)).toEqual([hall.ada.id]);
    await socket.close();
  });
});

describe("connections that never identify", () => {
  it("WS5 W10 W17 are closed with 4009 after 15 s, even when busy", async () => {
    for (const socket of [...silent, trickling]) {
      expect((await socket.closed).code).toBe(4009);
      expect(socket.inbox.all).toMatchObject([{ type: "closing", closeCode: 4009, reconnect: true }]);
    }
    expect(Date.now() - silentSince).toBeGreaterThan(DEADLINE_MS - 1_000);
  }, 120_000);
});
