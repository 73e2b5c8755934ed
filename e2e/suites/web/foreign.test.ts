import { beforeAll, expect, it, jest } from "@jest/globals";
import { until } from "@hearth/runtime/testing/until";
import { inChromium } from "../../src/browser/for-tests.ts";
import { call, register } from "../../src/client/rest.ts";
import {
  addSignalServer,
  arrivesAt,
  enter,
  heading,
  hostOf,
  joinListed,
  railEntry,
  serverRow,
  shows,
  signOut,
} from "../../src/web/account-pages.ts";
import { worldForTests } from "../../src/web/for-tests.ts";
import { storedData, storedCredential, storedCredentials, storedSecret } from "../../src/web/stored-data.ts";
import { createPublicServer } from "../../src/web/public-server.ts";
import { RecordedRequests } from "../../src/web/recorded-requests.ts";
import { PASSWORD } from "../../src/web/tab.ts";

jest.setTimeout(120_000);

/** The first digits of a user id, as appended to names (rule CL2). */
const digits = (userId: string, length: number): string => userId.replaceAll("-", "").slice(0, length);

inChromium("accounts on foreign instances, in a browser", () => {
  const world = worldForTests(3);
  let home: string;
  let elsewhere: string;
  let third: string;
  beforeAll(() => {
    [home, elsewhere, third] = [0, 1, 2].map((index) => world.server(index).url) as [string, string, string];
  });

  it("CL1 joining elsewhere creates an account, says so, and each instance sees only its own token", async () => {
    const harbour = await createPublicServer(elsewhere, "Harbour");
    const device = await world.device();
    const overheard = new RecordedRequests(device.context);
    const nina = await device.open("/register");
    await nina.register("nina");
    await addSignalServer(nina, elsewhere);
    await shows(nina, "You have no account on this instance yet. Hearth creates one when you join a server.");
    expect(overheard.tokensTo(elsewhere)).toEqual([]);
    await joinListed(nina, "Harbour");
    await shows(nina, `Hearth created an account for you on ${hostOf(elsewhere)}.`);
    await shows(nina, "Your username there is also nina.");
    await nina.button("Got it").click();
    await nina.say("Ahoy");

    const [atHome, there] = [await storedCredential(nina, home), await storedCredential(nina, elsewhere)];
    expect(there).toMatchObject({ username: "nina", displayName: "nina", autoProvisioned: true });
    expect(there.userId).not.toBe(atHome.userId);
    expect(await harbour.hears("Ahoy")).toMatchObject({ fromUserId: there.userId, fromDisplayName: "nina" });
    expect((await harbour.members()).map(({ userId }) => userId)).toContain(there.userId);
    const { records } = await storedData(nina);
    const [message] = /\{[^{}]*"content":"Ahoy"[^{}]*/.exec(records) ?? [];
    expect(message).toContain(`"senderId":"${there.userId}"`);

    await harbour.say("Welcome aboard");
    await nina.sees("Welcome aboard");
    await nina.page.reload();
    await nina.sees("Welcome aboard");
    expect(await nina.page.getByText("Hearth created an account for you").count()).toBe(0);
    expect(overheard.tokensTo(home)).toEqual([atHome.token]);
    expect(overheard.tokensTo(elsewhere)).toEqual([there.token]);
    expect(overheard.servers).toEqual([home, elsewhere]);
  });

  it("CL1 no instance learns a password that works at another one", async () => {
    const device = await world.device();
    const overheard = new RecordedRequests(device.context);
    const olga = await device.open("/register");
    await olga.register("olga");
    for (const url of [elsewhere, third]) {
      await createPublicServer(url, `Olga’s stop at ${hostOf(url)}`);
      await addSignalServer(olga, url);
      await joinListed(olga, `Olga’s stop at ${hostOf(url)}`);
    }
    const passwords = [home, elsewhere, third].map((url) => overheard.passwordsTo(url));
    expect(passwords.map(({ length }) => length)).toEqual([1, 1, 1]);
    expect(new Set([...passwords.flat(), storedSecret(await storedData(olga))]).size).toBe(4);
    const [, there = []] = passwords;
    const body = { username: "olga", password: there[0] };
    const logins = [home, elsewhere, third].map((url) => call(url, "POST", "/api/users/login", { body }));
    expect((await Promise.all(logins)).map(({ status }) => status)).toEqual([401, 200, 401]);
  });

  it("CL2 a taken name gets the first digits of the home user id, and more if needed", async () => {
    const harbour = await createPublicServer(elsewhere, "Quay");
    for (const [username, length] of [
      ["otto", 8],
      ["paula", 12],
    ] as const) {
      await register(elsewhere, username);
      const tab = await (await world.device()).open("/register");
      await tab.register(username);
      const { userId } = await storedCredential(tab, home);
      if (length > 8) await register(elsewhere, `${username}-${digits(userId, 8)}`);
      await addSignalServer(tab, elsewhere);
      await joinListed(tab, "Quay");
      const name = `${username}-${digits(userId, length)}`;
      const shown = `#${digits(userId, 8)} #${hostOf(home)} ${username}`;
      const there = await storedCredential(tab, elsewhere);
      expect(there).toMatchObject({ username: name, displayName: shown, autoProvisioned: true });
      expect(await harbour.members()).toContainEqual(
        expect.objectContaining({ userId: there.userId, displayName: shown }),
      );
      await shows(tab, `The username ${username} was already taken there, so yours is ${name}`);
      await tab.page.getByRole("complementary", { name: "Members" }).getByText(shown).waitFor();
      expect(await storedCredential(tab, home)).toMatchObject({ userId, username, displayName: username });
      await tab.go("/settings/account");
      await tab.page.getByLabel("Display name").fill(`New ${username}`);
      await tab.button("Save").click();
      await shows(tab, "Display name changed.");
      const renamed = `#${digits(userId, 8)} #${hostOf(home)} New ${username}`;
      await until(
        async () => (await harbour.members()).some(({ displayName }) => displayName === renamed),
        10_000,
      );
    }
  });

  it("CL3 signing in there with one's own account names the instance, can be cancelled and does not affect home", async () => {
    await createPublicServer(elsewhere, "Pier");
    const own = await register(elsewhere, "rosa.there");
    const rosa = await (await world.device()).open("/register");
    await rosa.register("rosa");
    const atHome = await storedCredential(rosa, home);
    await rosa.go("/settings/servers");
    await rosa.page.getByLabel("Address").fill(elsewhere);
    await rosa.button("Add").click();
    const row = serverRow(rosa, elsewhere);
    await row.getByText("Needs sign-in").waitFor();
    await serverRow(rosa, home).getByText("Authorized").waitFor();
    const open = (): Promise<void> =>
      row.getByRole("link", { name: `Sign in to ${hostOf(elsewhere)}` }).click();
    await open();
    await heading(rosa, `Sign in to ${hostOf(elsewhere)}`).waitFor();
    expect(new URL(rosa.page.url()).search).toBe(
      `?${new URLSearchParams({ mode: "authorize", serverId: elsewhere, returnUrl: "/settings/servers" }).toString()}`,
    );
    await shows(rosa, `The address of this instance is ${elsewhere}.`);
    await shows(rosa, `You stay signed in to your home instance, ${hostOf(home)}.`);
    await rosa.button("Cancel").click();
    await arrivesAt(rosa, "/settings/servers");
    await row.getByText("Needs sign-in").waitFor();

    await open();
    await enter(rosa, "Sign in", "rosa.there", "wrong password");
    await shows(rosa, "The username or password is not correct.");
    await enter(rosa, "Sign in", "rosa.there", PASSWORD);
    await arrivesAt(rosa, "/settings/servers");
    await row.getByText("Authorized").waitFor();
    await row.getByText("rosa.there (rosa.there)", { exact: true }).waitFor();
    await addSignalServer(rosa, elsewhere);
    await joinListed(rosa, "Pier");
    expect(await rosa.page.getByText("Hearth created an account for you").count()).toBe(0);
    expect(await storedCredential(rosa, elsewhere)).toMatchObject({ userId: own.id, autoProvisioned: false });
    expect(await storedCredential(rosa, home)).toEqual(atHome);
  });

  it("CL3 signing out there does not affect home, and returning needs no password", async () => {
    const mole = await createPublicServer(elsewhere, "Mole");
    const sven = await (await world.device()).open("/register");
    await sven.register("sven");
    const atHome = await storedCredential(sven, home);
    await addSignalServer(sven, elsewhere);
    await joinListed(sven, "Mole");
    const there = await storedCredential(sven, elsewhere);
    await sven.go("/settings/servers");
    await sven.button(`Sign out of ${hostOf(elsewhere)}`).click();
    const row = serverRow(sven, elsewhere);
    await row.getByText("Needs sign-in").waitFor();
    expect((await call(elsewhere, "GET", "/api/users/me", there)).status).toBe(401);
    await sven.go("/");
    await railEntry(sven, elsewhere, ", needs sign-in").waitFor();
    await sven.page.getByRole("link", { name: "Mole" }).click();
    await sven.button("Sign in again").click();
    await sven.button("Continue as sven").click();
    await sven.inRoom("Mole");
    await sven.say("Back again");
    expect(await mole.hears("Back again")).toMatchObject({ fromUserId: there.userId });
    expect(await storedCredential(sven, home)).toEqual(atHome);

    await sven.go("/settings/servers");
    await sven.button(`Remove ${hostOf(elsewhere)}`).click();
    await sven.page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    await row.waitFor({ state: "detached" });
    await sven.go("/");
    await heading(sven, "Welcome to Hearth").waitFor();
    expect(await sven.page.getByText("Mole").count()).toBe(0);
    await addSignalServer(sven, elsewhere);
    await sven.page.getByRole("link", { name: "Mole" }).click();
    await sven.sees("Back again");
    expect(await storedCredential(sven, home)).toEqual(atHome);
  });

  it("a foreign invite opens at home, and joining creates the account", async () => {
    const cove = await createPublicServer(elsewhere, "Cove");
    const code = await cove.invite();
    const tilda = await (await world.device()).open("/register");
    await tilda.register("tilda");
    await tilda.go(`/invite/${code}?server=${encodeURIComponent(elsewhere)}`);
    await heading(tilda, "Cove").waitFor();
    await shows(tilda, `On the instance ${hostOf(elsewhere)}`);
    await shows(tilda, `You have no account on ${hostOf(elsewhere)} yet. Hearth creates one when you join.`);
    await tilda.button("Join Cove").click();
    await tilda.inRoom("Cove");
    await shows(tilda, `Hearth created an account for you on ${hostOf(elsewhere)}.`);
    await tilda.say("By invitation");
    await cove.hears("By invitation");

    await tilda.go(`/invite/${code}?server=${encodeURIComponent(elsewhere)}`);
    await shows(tilda, "You are already a member.");
    await tilda.page.getByRole("link", { name: "Open Cove" }).click();
    await tilda.inRoom("Cove");
    await tilda.go(`/invite/NOSUCHCODE?server=${encodeURIComponent(elsewhere)}`);
    await heading(tilda, "This invite no longer works").waitFor();
  });

  it("an invite shows a visitor its server and waits for an account", async () => {
    const [bay, hearth] = [
      await createPublicServer(elsewhere, "Bay"),
      await createPublicServer(home, "Fireside"),
    ];
    const foreign = `/invite/${await bay.invite()}?server=${encodeURIComponent(elsewhere)}`;
    const device = await world.device();
    const uwe = await device.open(foreign);
    await heading(uwe, "Bay").waitFor();
    await uwe.page.getByRole("link", { name: "Create an account to join" }).click();
    await arrivesAt(uwe, `/register?${new URLSearchParams({ returnUrl: foreign }).toString()}`);
    await enter(uwe, "Create account", "uwe", PASSWORD);
    await arrivesAt(uwe, foreign);
    await uwe.button("Join Bay").click();
    await uwe.inRoom("Bay");
    expect((await storedCredential(uwe, home)).userId).not.toBe(
      (await storedCredential(uwe, elsewhere)).userId,
    );

    const other = await (await world.device()).open(`/invite/${await hearth.invite()}`);
    await heading(other, "Fireside").waitFor();
    await other.page.getByRole("link", { name: "Sign in to join" }).click();
    await enter(other, "Sign in", "uwe", PASSWORD);
    await other.button("Join Fireside").click();
    await other.inRoom("Fireside");
    await other.say("Warm in here");
    await hearth.hears("Warm in here");
    await uwe.enterRoom("Fireside");
    await uwe.sees("Warm in here");
  });

  it("home may be another instance than the one that served the page, which is then foreign", async () => {
    const lodge = await createPublicServer(home, "Lodge");
    await register(elsewhere, "viktor");
    const device = await world.device();
    const overheard = new RecordedRequests(device.context);
    const viktor = await device.open("/login");
    await viktor.button("Change instance").click();
    await viktor.page.getByLabel("Instance").fill(elsewhere);
    await enter(viktor, "Sign in", "viktor", PASSWORD);
    await heading(viktor, "Welcome to Hearth").waitFor();
    const credentials = (): Promise<readonly string[]> =>
      storedCredentials(viktor).then((all) => Object.keys(all));
    expect(await credentials()).toEqual([elsewhere]);
    expect(overheard.tokensTo(home)).toEqual([]);
    await viktor.go(`/invite/${await lodge.invite()}`);
    await viktor.button("Join Lodge").click();
    await viktor.inRoom("Lodge");
    await viktor.say("From afar");
    expect(await lodge.hears("From afar")).toMatchObject({
      fromUserId: (await storedCredential(viktor, home)).userId,
    });
    await viktor.go("/settings/servers");
    await serverRow(viktor, elsewhere).getByText("Home", { exact: true }).waitFor();
    await serverRow(viktor, home).getByText("account created by Hearth").waitFor();
    // A server that does not respond delays nobody.
    await viktor.page.route(`${home}/api/users/logout`, () => undefined);
    await signOut(viktor);
    expect(await credentials()).toEqual([]);
    await viktor.page.getByLabel("Instance").waitFor();
    expect(await viktor.page.getByLabel("Instance").inputValue()).toBe(elsewhere);
  });
});
