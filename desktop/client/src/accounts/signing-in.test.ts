import { describe, expect, it } from "@jest/globals";
import { settled } from "../testing/fake-clock.ts";
import {
  anna,
  B,
  codeOf,
  deviceUnderTest,
  during,
  HOME,
  refuseToken,
  register,
  server,
  signedIn,
  stored,
} from "./testing/account-tabs.ts";

describe("signing in at home", () => {
  it("CL1 stores exactly what interface 2.7 names, and the records of the owner", async () => {
    const device = await signedIn();
    const [token = ""] = device.servers.of(HOME).sessions.keys();
    const { id } = device.servers.of(HOME).accounts.get("anna") ?? { id: "" };
    const account = { userId: id, username: "anna", displayName: "Anna", autoProvisioned: false };
    expect(stored(device, "app.authTokens")).toEqual({ [HOME]: token });
    expect(stored(device, "app.signalServerCredentials")).toEqual({
      [HOME]: { ...account, token, expiresAt: expect.any(Number) },
    });
    expect(device.platform.local.get("app_currentUserId")).toBe(id);
    expect(device.platform.local.get("homeSignalServerUrl")).toBe(HOME);
    expect(await device.platform.secrets.get("provision-secret")).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify([...device.platform.local.entries])).not.toContain(anna.password);
    expect(device.owner.profile()).toMatchObject({ id, username: "anna", homeSignalServerUrl: HOME });
    expect([...device.owner.credentials.values()]).toMatchObject([{ signalServerUrl: HOME, isHome: true }]);
    expect(device.owner.meta.get("app_currentUserId")).toBe(id);
    expect(JSON.stringify([...device.owner.credentials, ...device.owner.meta])).not.toContain(token);
  });

  it("CL1 before it the device is signed out, and makes no request at the start", async () => {
    const device = await deviceUnderTest();
    expect(device.accounts.state.getState()).toEqual({
      phase: "signed-out",
      homeUrl: null,
      instances: [],
      ended: null,
    });
    expect([device.platform.network.requests, device.events]).toEqual([[], []]);
    await register(device);
    expect(device.accounts.state.getState()).toMatchObject({
      phase: "signed-in",
      homeUrl: HOME,
      instances: [{ url: HOME, isHome: true, authorization: "authorized", account: { username: "anna" } }],
    });
    const state = JSON.stringify(device.accounts.state.getState());
    expect(state).not.toContain(device.accounts.token(HOME));
  });

  it("a failed login is reported and changes nothing", async () => {
    const device = await deviceUnderTest();
    const login = { mode: "login", ...anna } as const;
    expect(await codeOf(device.accounts.authenticateUser(login))).toBe("INVALID_CREDENTIALS");
    expect(await codeOf(device.accounts.authenticateUser({ ...login, serverUrl: "home" }))).toBe(
      "INVALID_SERVER_URL",
    );
    for (const [trouble, code] of [
      ["no-network", "NO_ANSWER"],
      [{ status: 503 }, "UNAVAILABLE"],
      [{ status: 200, text: "<html>" }, "BAD_ANSWER"],
    ] as const) {
      device.servers.of(HOME).trouble = trouble;
      expect(await codeOf(device.accounts.authenticateUser(login))).toBe(code);
    }
    expect([...device.platform.local.entries.keys()]).toEqual([]);
    expect(device.accounts.state.getState().phase).toBe("signed-out");
  });

  it("a full storage is reported, keeps its content, and the session is revoked", async () => {
    const device = await deviceUnderTest();
    device.platform.local.isFull = true;
    const signIn = device.accounts.authenticateUser({ mode: "register", ...anna });
    expect(await codeOf(during(device, signIn))).toBe("STORAGE_FULL");
    await settled();
    expect(device.platform.local.entries.size).toBe(0);
    expect(device.servers.of(HOME).sessions.size).toBe(0);
  });

  it("CL1 the same user keeps the stored data; another one starts empty", async () => {
    const device = await signedIn(B);
    await device.accounts.signOut();
    expect(device.owner.profile()).toMatchObject({ username: "anna" });
    await during(device, device.accounts.authenticateUser({ mode: "login", ...anna }));
    expect(device.owner.profile()).toMatchObject({ username: "anna" });
    expect(server(device, B)).toMatchObject({ authorization: "authorized" });
    const ben = { ...anna, mode: "register", username: "ben", displayName: "Ben" } as const;
    await during(device, device.accounts.authenticateUser(ben));
    expect(device.owner.profile()).toMatchObject({ username: "ben" });
    expect([...device.owner.credentials.keys()]).toEqual([HOME]);
    expect(device.accounts.state.getState().instances.map(({ url }) => url)).toEqual([HOME]);
    expect(device.servers.of(B).sessions.size).toBe(0);
    expect([...device.servers.of(HOME).sessions.values()].map(({ username }) => username)).toEqual(["ben"]);
  });

  it("CL1 a new address of home is the same home, and everything stays", async () => {
    const device = await signedIn(B);
    const moved = "https://new-home.example";
    const { accounts } = device.servers.of(HOME);
    for (const [name, account] of accounts) device.servers.of(moved).accounts.set(name, account);
    await device.owner.store.setMeta("draft:1/2", "unfinished");
    const signIn = { mode: "login", ...anna, serverUrl: moved } as const;
    await during(device, device.accounts.authenticateUser(signIn));
    expect(device.owner.meta.get("draft:1/2")).toBe("unfinished");
    expect(device.owner.profile()).toMatchObject({ homeSignalServerUrl: moved });
    const urls = device.accounts.state
      .getState()
      .instances.map(({ url, authorization }) => [url, authorization]);
    expect(urls).toEqual([
      [moved, "authorized"],
      [B, "authorized"],
    ]);
    device.servers.of(B).sessions.clear();
    refuseToken(device, B, "revoked");
    await device.platform.clock.advance(1_000);
    expect([server(device, B)?.authorization, device.servers.of(B).accounts.size]).toEqual(["authorized", 1]);
  });

  it("another user's records are erased even if only the store knows of them", async () => {
    const device = await deviceUnderTest();
    await device.owner.store.saveProfile({
      ...{ id: "someone", username: "eve", displayName: "Eve", homeSignalServerUrl: HOME, avatarHash: null },
      ...{ avatarMime: null, cardText: "mine", updatedAt: 1 },
    });
    await register(device);
    expect(device.owner.profile()).toMatchObject({ username: "anna", cardText: "" });
  });
});
