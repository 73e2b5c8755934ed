import { describe, expect, it } from "@jest/globals";
import { createMemoryLimiters, sha256Hex } from "@hearth/runtime";
import { ADA, BODY, credential, from, HERE, refusal, SERVER, stageAccess } from "./testing/access-stage.ts";

const DAY = 24 * 60 * 60_000;

describe("local tokens", () => {
  it("LA6 a token is 64 hex characters for 24 hours, and none is like another", async () => {
    const { access, clock } = stageAccess();
    const logins = await Promise.all([1, 2, 3].map((last) => access.login(BODY, from(`10.0.0.${last}`))));
    for (const login of logins) {
      expect(login).toEqual({
        token: expect.stringMatching(/^[0-9a-f]{64}$/),
        expiresAt: clock.now() + DAY,
        user: ADA,
      });
    }
    expect(new Set(logins.map(({ token }) => token)).size).toBe(3);
  });

  it("LA6 the list contains everything but the token, newest first", async () => {
    const { access, clock } = stageAccess();
    const { token } = await access.login(BODY, HERE);
    clock.advance(1_000);
    await access.login(BODY, { remoteAddress: "::1", userAgent: "x".repeat(5_000) });
    const [newer, older] = access.tokens();
    expect(newer).toMatchObject({ remoteAddress: "::1", userAgent: "x".repeat(256) });
    expect(older).toEqual({
      id: expect.any(String),
      userId: ADA.id,
      username: "ada",
      serverUrl: SERVER,
      createdAt: clock.now() - 1_000,
      lastUsedAt: null,
      expiresAt: clock.now() - 1_000 + DAY,
      remoteAddress: "127.0.0.1",
      userAgent: "curl/8",
    });
    expect(JSON.stringify(access.tokens())).not.toContain(token);
    expect(JSON.stringify(access.tokens())).not.toContain(sha256Hex(token));
  });

  it("LA6 verifying marks the token as used", async () => {
    const { access, clock } = stageAccess();
    const { token } = await access.login(BODY, HERE);
    clock.advance(5_000);
    expect(access.verify(token)).toMatchObject({ username: "ada", lastUsedAt: clock.now() });
    expect(access.tokens()[0]?.lastUsedAt).toBe(clock.now());
  });

  it("LA6 a token expires after 24 hours, with that reason", async () => {
    const { access, clock, verifyRefusal } = stageAccess();
    const { token } = await access.login(BODY, HERE);
    clock.advance(DAY - 1);
    expect(access.verify(token).username).toBe("ada");
    clock.advance(1);
    expect(await verifyRefusal(token)).toBe("expired");
    expect(access.tokens()).toEqual([]);
  });

  it("LA6 logging out, revoking and revoking all end tokens at once", async () => {
    const { access, verifyRefusal } = stageAccess();
    const [a, b, c] = await Promise.all([1, 2, 3].map(() => access.login(BODY, HERE)));
    access.logout(access.verify(a?.token ?? "").id);
    expect(await verifyRefusal(a?.token ?? "")).toBe("revoked");
    const id = access.verify(b?.token ?? "").id;
    expect(access.revoke(id)).toBe(true);
    expect(access.revoke(id)).toBe(false);
    expect(await verifyRefusal(b?.token ?? "")).toBe("revoked");
    access.revokeAll();
    expect(await verifyRefusal(c?.token ?? "")).toBe("revoked");
    expect(access.tokens()).toEqual([]);
  });

  it("LA6 L14 an unknown token is refused", async () => {
    const { access, verifyRefusal } = stageAccess();
    const { token } = await access.login(BODY, HERE);
    for (const other of [
      "",
      "a".repeat(64),
      token.toUpperCase(),
      token.slice(1),
      ` ${token}`,
      sha256Hex(token),
    ]) {
      expect(await verifyRefusal(other)).toBe("unknown");
    }
  });

  it("LA6 X18 a login gets no token if all are revoked meanwhile", async () => {
    const { access, loginRefusal, turn } = stageAccess();
    turn.validate = async () => {
      access.revokeAll();
      return ADA;
    };
    expect(await loginRefusal(BODY)).toMatchObject({ code: "UNAVAILABLE", retryable: true });
    expect(access.tokens()).toEqual([]);
  });

  it("LA6 the list is limited: the oldest token is revoked", async () => {
    const { access } = stageAccess();
    const first = await access.login(BODY, from("10.1.0.0"));
    const { access: many } = stageAccess((options) => createMemoryLimiters()({ ...options, points: 1_000 }));
    const oldest = await many.login(BODY, HERE);
    for (let count = 0; count < 200; count += 1) await many.login(BODY, HERE);
    expect(many.tokens()).toHaveLength(200);
    await expect(refusal(() => many.verify(oldest.token))).resolves.toMatchObject({
      extras: { reason: "revoked" },
    });
    expect(access.verify(first.token).username).toBe("ada");
  });

  it("LA6 listeners are notified about every change, and a failing one harms no other", async () => {
    const { access, clock } = stageAccess();
    const heard: number[] = [];
    access.onChange(() => {
      throw new Error("broken listener");
    });
    const end = access.onChange(() => void heard.push(access.tokens().length));
    const { token } = await access.login(BODY, HERE);
    const { id } = access.verify(token);
    for (let use = 0; use < 100; use += 1) access.verify(token);
    expect(heard).toEqual([1, 1]);
    clock.advance(5_000);
    access.verify(token);
    access.revoke(id);
    expect(heard).toEqual([1, 1, 1, 0]);
    end();
    access.revokeAll();
    expect(heard).toHaveLength(4);
  });

  it("LA6 S9 neither passwords nor tokens are in the log or in a refusal", async () => {
    const { access, log, loginRefusal, turn } = stageAccess();
    const { token } = await access.login(BODY, HERE);
    turn.accounts = async () => [credential("somebody else", SERVER)];
    const refused = await loginRefusal(BODY);
    const said = log.lines.join("") + JSON.stringify(refused.toData());
    expect(log.lines.length).toBeGreaterThan(0);
    expect(said).not.toContain(token);
    expect(said).not.toContain("marker-password");
  });
});
