import { describe, expect, it } from "@jest/globals";
import {
  anna,
  B,
  C,
  codeOf,
  during,
  HOME,
  openTab,
  server,
  signedIn,
  stored,
} from "./testing/account-tabs.ts";

describe("the account", () => {
  it("signs out everywhere at once, reachable or not, and revokes what it can", async () => {
    const device = await signedIn(B, C);
    device.servers.of(C).trouble = "no-network";
    await during(device, device.accounts.signOut());
    expect([HOME, B, C].map((url) => device.servers.of(url).sessions.size)).toEqual([0, 0, 1]);
    // Also if the page is closed right away.
    const { requests } = device.platform.network;
    expect(requests.filter(({ keepalive }) => keepalive).map(({ path }) => path)).toEqual(
      Array(3).fill("/api/users/logout"),
    );
    expect(JSON.stringify([...device.platform.local.entries])).not.toMatch(/[0-9a-f]{64}/);
    expect(device.accounts.state.getState()).toMatchObject({ phase: "signed-out", ended: null });
    expect(device.owner.profile()).toMatchObject({ username: "anna" });
    expect([...device.owner.credentials.keys()]).toEqual([HOME, B, C]);
  });

  it("is renamed at home and on instances where it was created silently", async () => {
    const device = await signedIn();
    const taken = { id: "x", username: "anna", displayName: "x", password: "x" };
    device.servers.of(C).accounts.set("anna", taken);
    await during(device, device.accounts.ensureAccount(B));
    await during(device, device.accounts.ensureAccount(C));
    await device.accounts.rename("Anna B.");
    await device.platform.clock.advance(100);
    const names = device.accounts.state.getState().instances.map(({ account }) => account?.displayName);
    expect(names).toEqual([
      "Anna B.",
      "Anna B.",
      expect.stringMatching(/^#[0-9a-f]{8} #home\.example Anna B\.$/),
    ]);
    expect(device.owner.profile()).toMatchObject({ displayName: "Anna B." });
    expect(taken.displayName).toBe("x");
  });

  it("changes its password, and reports a wrong old one", async () => {
    const device = await signedIn();
    expect(await codeOf(device.accounts.changePassword("wrong", "new password"))).toBe("INVALID_CREDENTIALS");
    expect(device.accounts.state.getState().phase).toBe("signed-in");
    await device.accounts.changePassword(anna.password, "new password");
    expect(device.servers.of(HOME).accounts.get("anna")?.password).toBe("new password");
  });

  it("CL1 tabs follow each other, and none writes back stale values", async () => {
    const device = await signedIn();
    const other = await openTab(device.platform.duplicate(), device.owner);
    await during(device, device.accounts.ensureAccount(B));
    expect(server(other, B)?.authorization).toBe("authorized");
    const phases = new Set<string>();
    other.accounts.state.subscribe(({ phase }) => phases.add(phase));
    await during(other, other.accounts.ensureAccount(C));
    await device.accounts.add("https://d.example");
    expect(Object.keys(stored(device, "app.authTokens") as object)).toEqual([HOME, B, C]);
    expect([...phases]).toEqual(["signed-in"]);
    await during(other, other.accounts.signOut());
    expect(device.accounts.state.getState().phase).toBe("signed-out");
    expect(device.accounts.token(HOME)).toBeNull();
    await during(device, device.accounts.authenticateUser({ mode: "login", ...anna }));
    expect(other.accounts.state.getState().phase).toBe("signed-in");
    expect(other.accounts.token(HOME)).toBe(device.accounts.token(HOME));
  });
});
