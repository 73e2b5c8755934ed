import { describe, expect, it } from "@jest/globals";
import { settled } from "../testing/fake-clock.ts";
import {
  anna,
  B,
  C,
  codeOf,
  deviceUnderTest,
  during,
  HOME,
  openTab,
  refuseToken,
  register,
  server,
  signedIn,
} from "./testing/account-tabs.ts";

describe("accounts on foreign instances", () => {
  it("CL1 are created silently, once for concurrent callers, without affecting home", async () => {
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

  it("CL1 get a password that differs from the user's and between instances", async () => {
    const device = await signedIn(B, C);
    const passwords = [B, C].map((url) => device.servers.of(url).accounts.get("anna")?.password ?? "");
    expect(new Set([anna.password, ...passwords]).size).toBe(3);
    for (const password of passwords) expect(password).toMatch(/^[\w-]{43}$/);
  });

  it("CL1 two tabs create one", async () => {
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

  it("CL2 the tries are limited, then a sign-in is needed", async () => {
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

  it("CL2 after a lost answer the same account is used and no other one created", async () => {
    const device = await signedIn(B);
    const { id } = device.servers.of(B).accounts.get("anna") ?? { id: "" };
    await device.accounts.forget(B);
    expect(server(device, B)).toBeUndefined();
    const account = await during(device, device.accounts.ensureAccount(B));
    expect([account.userId, device.servers.of(B).accounts.size]).toEqual([id, 1]);
    expect(server(device, B)?.isNewlyProvisioned).toBe(false);
  });

  it("ER6 CL3 a temporary failure clears and lists nothing, and the next call tries again", async () => {
    const device = await signedIn();
    for (const trouble of ["no-network", { status: 502 }, { status: 503 }, { status: 500 }] as const) {
      device.servers.of(B).trouble = trouble;
      expect(await codeOf(during(device, device.accounts.ensureAccount(B)))).not.toBe("NEEDS_SIGN_IN");
      expect(server(device, B)).toBeUndefined();
    }
    device.servers.of(B).trouble = null;
    expect(await during(device, device.accounts.ensureAccount(B))).toMatchObject({ username: "anna" });
  });

  it("CL1 a manual sign-in affects that URL only and belongs to the user", async () => {
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
    refuseToken(device, B, "revoked");
    await device.platform.clock.advance(1_000);
    expect(server(device, B)).toMatchObject({ authorization: "needs-sign-in", failure: "revoked" });
    expect(await codeOf(device.accounts.ensureAccount(B))).toBe("NEEDS_SIGN_IN");
    expect([...device.servers.of(B).accounts.keys()]).toEqual(["annie"]);
  });

  it("CL3 a manual sign-in does not change the home account, and fails after a sign-out", async () => {
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

  it("need a valid home session", async () => {
    const device = await deviceUnderTest();
    expect(await codeOf(device.accounts.ensureAccount(B))).toBe("NEEDS_SIGN_IN");
    await register(device);
    const asked = device.accounts.ensureAccount(B);
    await device.accounts.signOut();
    expect(await codeOf(during(device, asked))).toBe("NEEDS_SIGN_IN");
    await settled();
    expect([device.servers.of(B).sessions.size, device.accounts.token(B)]).toEqual([0, null]);
  });

  it("are listed, reordered and removed", async () => {
    const device = await signedIn();
    expect(await device.accounts.add("HTTPS://B.example/")).toBe(B);
    await device.accounts.add(C);
    await device.accounts.add(B);
    device.accounts.reorder([C, B]);
    const urls = (): readonly string[] => device.accounts.state.getState().instances.map(({ url }) => url);
    expect(urls()).toEqual([HOME, C, B]);
    await device.accounts.forget(C);
    expect(urls()).toEqual([HOME, B]);
    expect(await codeOf(device.accounts.forget(HOME))).toBe("INVALID_REQUEST");
    expect(await codeOf(device.accounts.add("nowhere"))).toBe("INVALID_SERVER_URL");
    const again = await openTab(device.platform.reload());
    expect(again.accounts.state.getState().instances.map(({ url }) => url)).toEqual([HOME, B]);
  });

  it("stay removed until they are added again", async () => {
    const device = await signedIn(B);
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

  it("are signed out one by one, and not signed in again silently", async () => {
    const device = await signedIn(B);
    await device.accounts.signOutOf(B);
    expect(device.servers.of(B).sessions.size).toBe(0);
    const again = await openTab(device.platform.reload(), device.owner);
    await again.platform.clock.advance(600_000);
    expect(server(again, B)).toMatchObject({ authorization: "needs-sign-in", failure: null });
    expect(await during(again, again.accounts.ensureAccount(B))).toMatchObject({ username: "anna" });
  });
});
