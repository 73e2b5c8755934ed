import { describe, expect, it } from "@jest/globals";
import type { DeviceCredential } from "../../device/changes.ts";
import type { DeviceProfile } from "../../device/records.ts";
import { ClientProblem } from "../problem.ts";
import { createRest } from "../rest/create-rest.ts";
import { createFakeAuthServers } from "../testing/fake-auth-server.ts";
import type { FakeAuthServers } from "../testing/fake-auth-server.ts";
import { settled } from "../testing/fake-clock.ts";
import { createFakePlatform } from "../testing/fake-platform.ts";
import type { FakePlatform } from "../testing/fake-platform.ts";
import type { Accounts, AccountsEvent, SignalServer } from "./accounts.ts";
import { createAccounts } from "./create-accounts.ts";
import type { OwnerStore } from "./device-owner.ts";

const HOME = "http://home.example";
const B = "https://b.example";
const C = "https://c.example";
const anna = { serverUrl: HOME, username: "anna", password: "correct horse", displayName: "Anna" };

/** The few records of the device's store that accounts are about. */
function ownerStore() {
  let profile: DeviceProfile | undefined;
  const credentials = new Map<string, DeviceCredential>();
  const meta = new Map<string, string>();
  const store: OwnerStore = {
    profile: async () => profile,
    saveProfile: async (saved) => void (profile = saved),
    saveCredential: async (saved) => void credentials.set(saved.signalServerUrl, saved),
    removeCredential: async (url) => void credentials.delete(url),
    setMeta: async (key, value) => void meta.set(key, value),
    eraseAll: async () => {
      profile = undefined;
      credentials.clear();
      meta.clear();
    },
  };
  return { store, credentials, meta, profile: () => profile };
}

interface Tab {
  readonly platform: FakePlatform;
  readonly accounts: Accounts;
  readonly events: readonly AccountsEvent[];
  readonly owner: ReturnType<typeof ownerStore>;
}

async function openTab(platform: FakePlatform, owner = ownerStore()): Promise<Tab> {
  const rest = createRest({
    platform,
    token: (url) => accounts.token(url),
    onAuthFailure: (url, token, reason) => accounts.signalServerAuthFailed(url, token, reason),
  });
  const accounts = createAccounts({ platform, rest, store: owner.store });
  const events: AccountsEvent[] = [];
  accounts.on((event) => events.push(event));
  await accounts.start();
  return { platform, accounts, events, owner };
}

async function deviceUnderTest(): Promise<Tab & { readonly servers: FakeAuthServers }> {
  const platform = createFakePlatform();
  const servers = createFakeAuthServers(platform.network, () => platform.now());
  return { ...(await openTab(platform)), servers };
}

/** Lets what waits on the clock for a short while happen meanwhile. */
async function during<Result>({ platform }: Tab, work: Promise<Result>): Promise<Result> {
  work.catch(() => undefined);
  await platform.clock.advance(1_000);
  return work;
}

async function signedIn(): Promise<Tab & { readonly servers: FakeAuthServers }> {
  const device = await deviceUnderTest();
  await during(device, device.accounts.authenticateUser({ mode: "register", ...anna }));
  return device;
}

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "no problem",
    (error: unknown) => (error instanceof ClientProblem ? error.code : String(error)),
  );

const server = ({ accounts }: Tab, url: string): SignalServer | undefined =>
  accounts.state.getState().servers.find((it) => it.url === url);

const stored = ({ platform }: Tab, key: string): unknown => JSON.parse(platform.local.get(key) ?? "null");

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

  it("CL1 a device is signed out until then, and asks no server at the start", async () => {
    const device = await deviceUnderTest();
    expect(device.accounts.state.getState()).toEqual({
      phase: "signed-out",
      homeUrl: null,
      servers: [],
      ended: null,
    });
    expect([device.platform.network.requests, device.events]).toEqual([[], []]);
    await during(device, device.accounts.authenticateUser({ mode: "register", ...anna }));
    expect(device.accounts.state.getState()).toMatchObject({
      phase: "signed-in",
      homeUrl: HOME,
      servers: [{ url: HOME, isHome: true, authorization: "authorized", account: { username: "anna" } }],
    });
    const state = JSON.stringify(device.accounts.state.getState());
    expect(state).not.toContain(device.accounts.token(HOME));
  });

  it("a refused or unanswered login says why and changes nothing", async () => {
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

  it("a full storage is said, what was there stays, and the session is not left behind", async () => {
    const device = await deviceUnderTest();
    device.platform.local.isFull = true;
    const signIn = device.accounts.authenticateUser({ mode: "register", ...anna });
    expect(await codeOf(during(device, signIn))).toBe("STORAGE_FULL");
    await settled();
    expect(device.platform.local.entries.size).toBe(0);
    expect(device.servers.of(HOME).sessions.size).toBe(0);
  });

  it("CL1 the same person keeps what the device has; another one starts from nothing", async () => {
    const device = await signedIn();
    await during(device, device.accounts.ensureAccount(B));
    await device.accounts.signOut();
    expect(device.owner.profile()).toMatchObject({ username: "anna" });
    await during(device, device.accounts.authenticateUser({ mode: "login", ...anna }));
    expect(device.owner.profile()).toMatchObject({ username: "anna" });
    expect(server(device, B)).toMatchObject({ authorization: "authorized" });
    const ben = { ...anna, mode: "register", username: "ben", displayName: "Ben" } as const;
    await during(device, device.accounts.authenticateUser(ben));
    expect(device.owner.profile()).toMatchObject({ username: "ben" });
    expect([...device.owner.credentials.keys()]).toEqual([HOME]);
    expect(device.accounts.state.getState().servers.map(({ url }) => url)).toEqual([HOME]);
    expect(device.servers.of(B).sessions.size).toBe(0);
    expect([...device.servers.of(HOME).sessions.values()].map(({ username }) => username)).toEqual(["ben"]);
  });

  it("CL1 a home server at another address is the same home, and everything is kept", async () => {
    const device = await signedIn();
    await during(device, device.accounts.ensureAccount(B));
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
      .servers.map(({ url, authorization }) => [url, authorization]);
    expect(urls).toEqual([
      [moved, "authorized"],
      [B, "authorized"],
    ]);
    device.servers.of(B).sessions.clear();
    device.accounts.signalServerAuthFailed(B, device.accounts.token(B) ?? "", "revoked");
    await device.platform.clock.advance(1_000);
    expect([server(device, B)?.authorization, device.servers.of(B).accounts.size]).toEqual(["authorized", 1]);
  });

  it("another person's records are erased even when only the store knows of them", async () => {
    const device = await deviceUnderTest();
    await device.owner.store.saveProfile({
      ...{ id: "someone", username: "eve", displayName: "Eve", homeSignalServerUrl: HOME, avatarHash: null },
      ...{ avatarMime: null, cardText: "mine", updatedAt: 1 },
    });
    await during(device, device.accounts.authenticateUser({ mode: "register", ...anna }));
    expect(device.owner.profile()).toMatchObject({ username: "anna", cardText: "" });
  });
});

describe("the start", () => {
  const expired = async (expire: (tab: Tab & { servers: FakeAuthServers }) => void) => {
    const device = await deviceUnderTest();
    device.servers.of(HOME).ttlMs = 1_000;
    await during(device, device.accounts.authenticateUser({ mode: "register", ...anna }));
    device.servers.of(B).ttlMs = 10_000_000;
    expire(device);
    return openTab(device.platform.reload(), device.owner);
  };

  it("CL1 a session in force needs no server", async () => {
    const device = await signedIn();
    device.servers.of(HOME).trouble = "no-network";
    const again = await openTab(device.platform.reload());
    expect(again.accounts.state.getState()).toMatchObject({ phase: "signed-in", homeUrl: HOME });
    expect(again.accounts.token(HOME)).toBe(device.accounts.token(HOME));
  });

  it("CL1 SESSION_EXPIRED: a home token whose time is over", async () => {
    const again = await expired(({ platform }) => platform.clock.jump(2_000));
    const end = { signalServerUrl: HOME, username: "anna", reason: "expired" };
    expect(again.accounts.state.getState()).toMatchObject({ phase: "signed-out", homeUrl: HOME, ended: end });
    expect(again.events).toEqual([{ type: "SESSION_EXPIRED", end }]);
    expect(again.accounts.token(HOME)).toBeNull();
    expect(again.owner.profile()).toMatchObject({ username: "anna" });
  });

  it("CL1 SESSION_EXPIRED: a user without a token", async () => {
    const again = await expired(({ platform }) => platform.local.remove("app.signalServerCredentials"));
    expect(again.events).toMatchObject([
      { type: "SESSION_EXPIRED", end: { reason: "missing", username: "anna" } },
    ]);
  });

  it("CL1 any stored token is the fallback for a home token whose time is over", async () => {
    const device = await deviceUnderTest();
    device.servers.of(HOME).ttlMs = 100_000;
    await during(device, device.accounts.authenticateUser({ mode: "register", ...anna }));
    await during(device, device.accounts.ensureAccount(B));
    device.platform.clock.jump(200_000);
    const again = await openTab(device.platform.reload(), device.owner);
    expect(again.accounts.state.getState()).toMatchObject({
      phase: "signed-in",
      servers: [
        { url: HOME, authorization: "needs-sign-in", failure: "expired" },
        { url: B, authorization: "authorized" },
      ],
    });
    expect(again.events).toEqual([]);
  });

  it("CL3 a home that refused is not started again by what another server gave", async () => {
    const device = await signedIn();
    await during(device, device.accounts.ensureAccount(B));
    device.accounts.signalServerAuthFailed(HOME, device.accounts.token(HOME) ?? "", "revoked");
    const again = await openTab(device.platform.reload(), device.owner);
    expect(again.accounts.state.getState()).toMatchObject({
      phase: "signed-out",
      ended: { reason: "revoked" },
    });
    expect([again.accounts.token(B), server(again, B)?.authorization]).toEqual([null, "needs-sign-in"]);
  });

  it("a storage that takes nothing is no reason to stay outside", async () => {
    const device = await signedIn();
    const again = device.platform.reload();
    again.local.set("app.sessionEnd", "damaged");
    again.local.remove("app.signalServers");
    again.local.isFull = true;
    const { accounts } = await openTab(again, device.owner);
    expect(accounts.state.getState()).toMatchObject({ phase: "signed-in", homeUrl: HOME });
  });

  it("after signing out there is nothing to tell", async () => {
    const device = await signedIn();
    await device.accounts.signOut();
    const again = await openTab(device.platform.reload(), device.owner);
    expect(again.accounts.state.getState()).toMatchObject({
      phase: "signed-out",
      homeUrl: HOME,
      ended: null,
    });
    expect(again.events).toEqual([]);
  });

  it.each(["", "{", "[]", "null", "7", '{"http://home.example": null}', '{"x": {"token": "y"}}', '"x"'])(
    "damaged values are no accounts: %s",
    async (text) => {
      const platform = createFakePlatform();
      for (const key of [
        "app.authTokens",
        "app.signalServerCredentials",
        "app.signalServers",
        "app.sessionEnd",
      ])
        platform.local.set(key, text);
      platform.local.set("homeSignalServerUrl", text);
      const { accounts } = await openTab(platform);
      expect(accounts.state.getState()).toEqual({
        phase: "signed-out",
        homeUrl: null,
        servers: [],
        ended: null,
      });
    },
  );

  it("of damaged credentials the good ones hold", async () => {
    const device = await signedIn();
    const good = stored(device, "app.signalServerCredentials") as object;
    const mixed = { ...good, [B]: { token: 5 }, "not a url": Object.values(good)[0] as unknown };
    device.platform.local.set("app.signalServerCredentials", JSON.stringify(mixed));
    const again = await openTab(device.platform.reload());
    expect(again.accounts.state.getState()).toMatchObject({ phase: "signed-in", servers: [{ url: HOME }] });
  });
});

describe("accounts on foreign servers", () => {
  it("CL1 are made silently, once for all who ask, and leave home alone", async () => {
    const device = await signedIn();
    const token = device.accounts.token(HOME);
    await device.accounts.add(B);
    const asked = Promise.all(
      [B, `${B}/`, "HTTPS://B.example:443"].map((url) => device.accounts.ensureAccount(url)),
    );
    expect(server(device, B)).toMatchObject({ authorization: "working" });
    const [first, ...others] = await during(device, asked);
    expect(others).toEqual([first, first]);
    expect(first).not.toHaveProperty("token");
    expect(device.servers.of(B).sessions.size).toBe(1);
    expect(server(device, B)).toMatchObject({
      authorization: "authorized",
      isNewlyProvisioned: true,
      account: { username: "anna", displayName: "Anna", autoProvisioned: true },
    });
    expect(device.events).toEqual([{ type: "provisioned", url: B, username: "anna", isRenamed: false }]);
    expect(device.accounts.token(HOME)).toBe(token);
    expect(device.accounts.actorId(B)).toBe(device.servers.of(B).accounts.get("anna")?.id);
    expect(device.accounts.actorId(B)).not.toBe(device.accounts.actorId(HOME));
    device.accounts.acknowledge(B);
    expect(server(device, B)?.isNewlyProvisioned).toBe(false);
  });

  it("CL1 get a password that is neither the person's nor that of another server", async () => {
    const device = await signedIn();
    await during(device, device.accounts.ensureAccount(B));
    await during(device, device.accounts.ensureAccount(C));
    const passwords = [B, C].map((url) => device.servers.of(url).accounts.get("anna")?.password ?? "");
    expect(new Set([anna.password, ...passwords]).size).toBe(3);
    for (const password of passwords) expect(password).toMatch(/^[\w-]{43}$/);
  });

  it("CL1 two tabs make one", async () => {
    const device = await signedIn();
    const other = await openTab(device.platform.duplicate(), device.owner);
    const both = Promise.all([device.accounts.ensureAccount(B), other.accounts.ensureAccount(B)]);
    const [one, two] = await during(device, both);
    expect(two).toEqual(one);
    expect([device.servers.of(B).accounts.size, device.servers.of(B).sessions.size]).toEqual([1, 1]);
    expect(other.accounts.token(B)).toBe(device.accounts.token(B));
  });

  it("CL2 a taken name gets a prefix of the home id, and the display name says whose it is", async () => {
    const device = await signedIn();
    const servers = device.servers.of(B);
    const home = device.accounts.actorId(HOME)?.replaceAll("-", "") ?? "";
    const take = (username: string): void =>
      void servers.accounts.set(username, { id: "x", username, displayName: "x", password: "theirs" });
    take("anna");
    take(`anna-${home.slice(0, 8)}`);
    await during(device, device.accounts.ensureAccount(B));
    const username = `anna-${home.slice(0, 12)}`;
    const displayName = `#${home.slice(0, 8)} #home.example Anna`;
    expect(server(device, B)).toMatchObject({ account: { username, displayName }, isNewlyProvisioned: true });
    expect(device.events).toEqual([{ type: "provisioned", url: B, username, isRenamed: true }]);
    expect(servers.accounts.get("anna")?.password).toBe("theirs");
  });

  it("CL2 the tries are bounded, and their end is a sign-in", async () => {
    const device = await signedIn();
    await device.accounts.add(B);
    device.platform.network.answer(({ path }) =>
      path.endsWith("register")
        ? { status: 409, body: { code: "USERNAME_TAKEN" } }
        : { status: 401, body: { code: "INVALID_CREDENTIALS" } },
    );
    const before = device.platform.network.requests.length;
    expect(await codeOf(during(device, device.accounts.ensureAccount(B)))).toBe("NEEDS_SIGN_IN");
    expect(device.platform.network.requests.length - before).toBe(12);
    expect(server(device, B)).toMatchObject({ authorization: "needs-sign-in", failure: "refused" });
    expect(device.accounts.token(HOME)).not.toBeNull();
  });

  it("CL2 an account whose answer was lost is entered and not made again", async () => {
    const device = await signedIn();
    await during(device, device.accounts.ensureAccount(B));
    const { id } = device.servers.of(B).accounts.get("anna") ?? { id: "" };
    await device.accounts.forget(B);
    expect(server(device, B)).toBeUndefined();
    const account = await during(device, device.accounts.ensureAccount(B));
    expect([account.userId, device.servers.of(B).accounts.size]).toEqual([id, 1]);
    expect(server(device, B)?.isNewlyProvisioned).toBe(false);
  });

  it("ER6 CL3 trouble is no refusal: nothing is cleared or listed, and the next call tries again", async () => {
    const device = await signedIn();
    for (const trouble of ["no-network", { status: 502 }, { status: 503 }, { status: 500 }] as const) {
      device.servers.of(B).trouble = trouble;
      expect(await codeOf(during(device, device.accounts.ensureAccount(B)))).not.toBe("NEEDS_SIGN_IN");
      expect(server(device, B)).toBeUndefined();
    }
    device.servers.of(B).trouble = null;
    expect(await during(device, device.accounts.ensureAccount(B))).toMatchObject({ username: "anna" });
  });

  it("CL1 are signed in to by hand for that URL only, and are then the person's own", async () => {
    const device = await signedIn();
    const before = device.platform.local.get("app_currentUserId");
    const own = { serverUrl: `${B}/`, username: "annie", password: "another one" };
    await device.accounts.authorizeSignalServer({ mode: "register", ...own });
    expect(server(device, B)).toMatchObject({
      authorization: "authorized",
      account: { autoProvisioned: false },
    });
    expect(device.platform.local.get("homeSignalServerUrl")).toBe(HOME);
    expect(device.platform.local.get("app_currentUserId")).toBe(before);
    device.accounts.signalServerAuthFailed(B, device.accounts.token(B) ?? "", "revoked");
    await device.platform.clock.advance(1_000);
    expect(server(device, B)).toMatchObject({ authorization: "needs-sign-in", failure: "revoked" });
    expect(await codeOf(device.accounts.ensureAccount(B))).toBe("NEEDS_SIGN_IN");
    expect([...device.servers.of(B).accounts.keys()]).toEqual(["annie"]);
  });

  it("CL3 by hand change nothing of who is signed in at home, and come too late once nobody is", async () => {
    const device = await signedIn();
    const kept = (): unknown => [device.owner.profile(), ...device.platform.local.entries];
    const before = kept();
    const ben = { serverUrl: HOME, username: "ben", password: "another one" };
    expect(await codeOf(device.accounts.authorizeSignalServer({ mode: "register", ...ben }))).toBe(
      "ACCOUNT_NOT_ON_DEVICE",
    );
    expect([...device.servers.of(HOME).accounts.keys()]).toEqual(["anna"]);
    device.servers
      .of(HOME)
      .accounts.set("ben", { id: "01900000-0000-7000-8000-00000000beef", displayName: "Ben", ...ben });
    expect(await codeOf(device.accounts.authorizeSignalServer({ mode: "login", ...ben }))).toBe(
      "ACCOUNT_NOT_ON_DEVICE",
    );
    await settled();
    expect([kept(), device.servers.of(HOME).sessions.size]).toEqual([before, 1]);
    await device.accounts.authorizeSignalServer({ mode: "login", ...anna });
    expect(device.accounts.state.getState()).toMatchObject({ phase: "signed-in", homeUrl: HOME });
    const late = device.accounts.authorizeSignalServer({ mode: "register", ...ben, serverUrl: B });
    await device.accounts.signOut();
    expect(await codeOf(late)).toBe("NEEDS_SIGN_IN");
    await settled();
    expect([device.accounts.state.getState().phase, device.servers.of(B).sessions.size]).toEqual([
      "signed-out",
      0,
    ]);
  });

  it("need a home session in force", async () => {
    const device = await deviceUnderTest();
    expect(await codeOf(device.accounts.ensureAccount(B))).toBe("NEEDS_SIGN_IN");
    await during(device, device.accounts.authenticateUser({ mode: "register", ...anna }));
    const asked = device.accounts.ensureAccount(B);
    await device.accounts.signOut();
    expect(await codeOf(during(device, asked))).toBe("NEEDS_SIGN_IN");
    await settled();
    expect([device.servers.of(B).sessions.size, device.accounts.token(B)]).toEqual([0, null]);
  });

  it("are listed, arranged and taken off", async () => {
    const device = await signedIn();
    expect(await device.accounts.add("HTTPS://B.example/")).toBe(B);
    await device.accounts.add(C);
    await device.accounts.add(B);
    device.accounts.reorder([C, B]);
    const urls = (): readonly string[] => device.accounts.state.getState().servers.map(({ url }) => url);
    expect(urls()).toEqual([HOME, C, B]);
    await device.accounts.forget(C);
    expect(urls()).toEqual([HOME, B]);
    expect(await codeOf(device.accounts.forget(HOME))).toBe("INVALID_REQUEST");
    expect(await codeOf(device.accounts.add("nowhere"))).toBe("INVALID_SERVER_URL");
    const again = await openTab(device.platform.reload());
    expect(again.accounts.state.getState().servers.map(({ url }) => url)).toEqual([HOME, B]);
  });

  it("stay off the list until they are added again", async () => {
    const device = await signedIn();
    await during(device, device.accounts.ensureAccount(B));
    await device.accounts.forget(B);
    const again = await openTab(device.platform.reload(), device.owner);
    await again.platform.clock.advance(600_000);
    expect(device.servers.of(B).sessions.size).toBe(0);
    expect([server(again, B), again.accounts.isForgotten(B)]).toEqual([undefined, true]);
    await again.accounts.add(B);
    expect(again.accounts.isForgotten(B)).toBe(false);
    expect(server(again, B)).toMatchObject({ authorization: "needs-sign-in", account: null });
    expect(await during(again, again.accounts.ensureAccount(B))).toMatchObject({ username: "anna" });
  });

  it("are signed out of one by one, and not entered again unasked", async () => {
    const device = await signedIn();
    await during(device, device.accounts.ensureAccount(B));
    await device.accounts.signOutOf(B);
    expect(device.servers.of(B).sessions.size).toBe(0);
    const again = await openTab(device.platform.reload(), device.owner);
    await again.platform.clock.advance(600_000);
    expect(server(again, B)).toMatchObject({ authorization: "needs-sign-in", failure: null });
    expect(await during(again, again.accounts.ensureAccount(B))).toMatchObject({ username: "anna" });
  });
});

describe("a refused token", () => {
  it("CL3 of a foreign server is cleared and made anew, and home does not notice", async () => {
    const device = await signedIn();
    await during(device, device.accounts.ensureAccount(B));
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

  it("CL3 of home ends the session with its reason, and keeps what is on the device", async () => {
    const device = await signedIn();
    await during(device, device.accounts.ensureAccount(B));
    device.accounts.signalServerAuthFailed(HOME, device.accounts.token(HOME) ?? "", "revoked");
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

  it("CL3 that is not the one in force changes nothing", async () => {
    const device = await signedIn();
    await during(device, device.accounts.ensureAccount(B));
    const before = [...device.platform.local.entries];
    for (const url of [HOME, B, C]) device.accounts.signalServerAuthFailed(url, "old", "revoked");
    device.accounts.signalServerAuthFailed(HOME, device.accounts.token(B) ?? "", "revoked");
    await device.platform.clock.advance(600_000);
    expect([...device.platform.local.entries]).toEqual(before);
  });

  it("CL3 is entered again when its server is back", async () => {
    const device = await signedIn();
    await during(device, device.accounts.ensureAccount(B));
    device.servers.of(B).trouble = { status: 503 };
    device.accounts.signalServerAuthFailed(B, device.accounts.token(B) ?? "", "expired");
    await device.platform.clock.advance(4_000);
    expect(server(device, B)).toMatchObject({ authorization: "needs-sign-in", failure: "expired" });
    device.servers.of(B).trouble = null;
    await device.platform.clock.advance(60_000);
    expect(server(device, B)).toMatchObject({ authorization: "authorized", failure: null });
    expect(device.platform.clock.waiting).toBe(0);
  });

  it("CL3 again and again is not answered for ever", async () => {
    const device = await signedIn();
    await during(device, device.accounts.ensureAccount(B));
    for (let time = 0; time < 10; time += 1) {
      device.accounts.signalServerAuthFailed(B, device.accounts.token(B) ?? "", "unknown");
      await device.platform.clock.advance(1_000);
    }
    expect(server(device, B)).toMatchObject({ authorization: "needs-sign-in", failure: "unknown" });
    const tries = device.platform.network.requests.filter(({ origin }) => origin === B).length;
    expect(tries).toBeLessThan(8);
  });

  it("CL3 noticed by a call, is the same; trouble of a call never is", async () => {
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

describe("the account", () => {
  it("signs out everywhere at once, reachable or not, and revokes what it can", async () => {
    const device = await signedIn();
    await during(device, device.accounts.ensureAccount(B));
    await during(device, device.accounts.ensureAccount(C));
    device.servers.of(C).trouble = "no-network";
    await during(device, device.accounts.signOut());
    expect([HOME, B, C].map((url) => device.servers.of(url).sessions.size)).toEqual([0, 0, 1]);
    // Also for somebody who closes the page right away.
    const { requests } = device.platform.network;
    expect(requests.filter(({ keepalive }) => keepalive).map(({ path }) => path)).toEqual(
      Array(3).fill("/api/users/logout"),
    );
    expect(JSON.stringify([...device.platform.local.entries])).not.toMatch(/[0-9a-f]{64}/);
    expect(device.accounts.state.getState()).toMatchObject({ phase: "signed-out", ended: null });
    expect(device.owner.profile()).toMatchObject({ username: "anna" });
    expect([...device.owner.credentials.keys()]).toEqual([HOME, B, C]);
  });

  it("is renamed at home and where it was made silently", async () => {
    const device = await signedIn();
    const taken = { id: "x", username: "anna", displayName: "x", password: "x" };
    device.servers.of(C).accounts.set("anna", taken);
    await during(device, device.accounts.ensureAccount(B));
    await during(device, device.accounts.ensureAccount(C));
    await device.accounts.rename("Anna B.");
    await device.platform.clock.advance(100);
    const names = device.accounts.state.getState().servers.map(({ account }) => account?.displayName);
    expect(names).toEqual([
      "Anna B.",
      "Anna B.",
      expect.stringMatching(/^#[0-9a-f]{8} #home\.example Anna B\.$/),
    ]);
    expect(device.owner.profile()).toMatchObject({ displayName: "Anna B." });
    expect(taken.displayName).toBe("x");
  });

  it("changes its password, and says when the old one is wrong", async () => {
    const device = await signedIn();
    expect(await codeOf(device.accounts.changePassword("wrong", "new password"))).toBe("INVALID_CREDENTIALS");
    expect(device.accounts.state.getState().phase).toBe("signed-in");
    await device.accounts.changePassword(anna.password, "new password");
    expect(device.servers.of(HOME).accounts.get("anna")?.password).toBe("new password");
  });

  it("CL1 tabs follow each other, and none writes back what it knew", async () => {
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
