import { describe, expect, it } from "@jest/globals";
import { anna, B, C, codeOf, during, HOME, refuseToken, server, signedIn } from "./testing/account-tabs.ts";

describe("a refused token", () => {
  it("CL3 of a foreign instance is cleared and replaced, and home is not affected", async () => {
    const device = await signedIn(B);
    const old = device.accounts.token(B) ?? "";
    device.servers.of(B).sessions.clear();
    device.accounts.signalServerAuthFailed(B, old, "revoked");
    expect(device.accounts.token(B)).toBeNull();
    expect(device.events.at(-1)).toEqual({ type: "signalServerAuthFailed", url: B, reason: "revoked" });
    await device.platform.clock.advance(1_000);
    expect(server(device, B)).toMatchObject({ authorization: "authorized", failure: null });
    expect(device.accounts.token(B)).not.toBe(old);
    expect(device.servers.of(B).accounts.size).toBe(1);
    expect(device.accounts.state.getState()).toMatchObject({ phase: "signed-in", ended: null });
  });

  it("CL3 of home ends the session with its reason, and keeps the stored data", async () => {
    const device = await signedIn(B);
    refuseToken(device, HOME, "revoked");
    const end = { signalServerUrl: HOME, username: "anna", reason: "revoked" };
    expect(device.accounts.state.getState()).toMatchObject({
      phase: "signed-out",
      homeUrl: HOME,
      ended: end,
    });
    expect(device.events.at(-1)).toEqual({ type: "SESSION_EXPIRED", end });
    expect(device.owner.profile()).toMatchObject({ username: "anna" });
    await during(device, device.accounts.authenticateUser({ mode: "login", ...anna }));
    expect(device.accounts.state.getState()).toMatchObject({ phase: "signed-in", ended: null });
    expect(server(device, B)?.authorization).toBe("authorized");
  });

  it("CL3 that is not the current one changes nothing", async () => {
    const device = await signedIn(B);
    const before = [...device.platform.local.entries];
    for (const url of [HOME, B, C]) device.accounts.signalServerAuthFailed(url, "old", "revoked");
    device.accounts.signalServerAuthFailed(HOME, device.accounts.token(B) ?? "", "revoked");
    await device.platform.clock.advance(600_000);
    expect([...device.platform.local.entries]).toEqual(before);
  });

  it("CL3 leads to a new sign-in when its instance is back", async () => {
    const device = await signedIn(B);
    device.servers.of(B).trouble = { status: 503 };
    refuseToken(device, B, "expired");
    await device.platform.clock.advance(4_000);
    expect(server(device, B)).toMatchObject({ authorization: "needs-sign-in", failure: "expired" });
    device.servers.of(B).trouble = null;
    await device.platform.clock.advance(60_000);
    expect(server(device, B)).toMatchObject({ authorization: "authorized", failure: null });
    expect(device.platform.clock.waiting).toBe(0);
  });

  it("CL3 that is refused repeatedly does not lead to endless sign-ins", async () => {
    const device = await signedIn(B);
    for (let time = 0; time < 10; time += 1) {
      refuseToken(device, B, "unknown");
      await device.platform.clock.advance(1_000);
    }
    expect(server(device, B)).toMatchObject({ authorization: "needs-sign-in", failure: "unknown" });
    const tries = device.platform.network.requests.filter(({ origin }) => origin === B).length;
    expect(tries).toBeLessThan(8);
  });

  it("CL3 is handled the same after a REST call; other failures of a call are not", async () => {
    const device = await signedIn();
    for (const trouble of [
      "no-network",
      { status: 500 },
      { status: 503, body: { code: "AUTH_INVALID" } },
    ] as const) {
      device.servers.of(HOME).trouble = trouble;
      await codeOf(device.accounts.rename("Other"));
      expect(device.accounts.state.getState().phase).toBe("signed-in");
    }
    device.servers.of(HOME).trouble = null;
    device.servers.of(HOME).sessions.clear();
    expect(await codeOf(device.accounts.rename("Other"))).toBe("AUTH_INVALID");
    expect(device.accounts.state.getState()).toMatchObject({
      phase: "signed-out",
      ended: { reason: "revoked" },
    });
  });
});
