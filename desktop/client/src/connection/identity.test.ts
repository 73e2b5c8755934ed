import { describe, expect, it } from "@jest/globals";
import { closing, stageWith } from "./testing/connection-stage.ts";
import { ADA, TEST_LIMITS } from "./testing/scripted-server.ts";

describe("identity", () => {
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

  it("AU6 a session that ends while connected is reported once, although the close repeats it", async () => {
    const { last, failures } = await stageWith();
    const failure = { type: "auth_required", code: "AUTH_INVALID", message: "Ended", reason: "revoked" };
    last().receive(failure);
    last().receive(closing(4501));
    last().drop(4501);
    expect(failures).toEqual([[ADA.token, "revoked"]]);
  });

  it("another user's identity in the answer counts as a refused token", async () => {
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

  it("a malformed identify ends the connection instead of being repeated", async () => {
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
