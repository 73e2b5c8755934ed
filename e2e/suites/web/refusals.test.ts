import { beforeAll, expect, it, jest } from "@jest/globals";
import { until } from "@hearth/runtime/testing/until";
import { inChromium } from "../../src/browser/for-tests.ts";
import { expectOk, register } from "../../src/client/rest.ts";
import {
  addSignalServer,
  arrivesAt,
  enter,
  hostOf,
  joinListed,
  railEntry,
  serverRow,
  shows,
  signOut,
} from "../../src/web/account-pages.ts";
import { worldForTests } from "../../src/web/for-tests.ts";
import { storedData, storedCredential, storedSecret } from "../../src/web/stored-data.ts";
import { createPublicServer } from "../../src/web/public-server.ts";
import type { PublicServer } from "../../src/web/public-server.ts";
import { PASSWORD } from "../../src/web/tab.ts";
import type { Tab } from "../../src/web/tab.ts";

jest.setTimeout(120_000);

const revoke = (url: string, { token }: { readonly token: string }): Promise<unknown> =>
  expectOk(url, "POST", "/api/users/logout", { token });

const channel = ({ room }: PublicServer): string => room.channels[0]?.id ?? "";

inChromium("instances that refuse or are down, in a browser", () => {
  const world = worldForTests(2);
  let home: string;
  let elsewhere: string;
  beforeAll(() => {
    [home, elsewhere] = [world.home.url, world.server(1).url];
  });

  /** A user with a server at home and one elsewhere, with the latter open; and the tab's addresses since. */
  async function traveller(
    name: string,
    place: PublicServer,
  ): Promise<{ tab: Tab; visited: readonly string[] }> {
    const tab = await (await world.device()).open("/register");
    await tab.register(name);
    await tab.createRoom(`${name}’s home`);
    await addSignalServer(tab, place.url);
    await joinListed(tab, place.room.name);
    const visited: string[] = [];
    tab.page.on("framenavigated", (frame) => visited.push(new URL(frame.url()).pathname));
    return { tab, visited };
  }

  it("CL3 a foreign instance that refuses a session gets a new one by itself, without affecting home", async () => {
    const inn = await createPublicServer(elsewhere, "Inn");
    const { tab, visited } = await traveller("vera", inn);
    const [atHome, there] = [await storedCredential(tab, home), await storedCredential(tab, elsewhere)];
    await revoke(elsewhere, there);
    await until(
      () =>
        tab.page.evaluate<boolean>(
          `!(localStorage.getItem("app.signalServerCredentials") ?? "").includes(${JSON.stringify(there.token)})`,
        ),
      15_000,
    );
    await tab.say("Did you miss me?");
    expect(await inn.hears("Did you miss me?")).toMatchObject({ fromUserId: there.userId });
    await inn.say("Hardly");
    await tab.sees("Hardly");
    const after = await storedCredential(tab, elsewhere);
    expect(after.token).not.toBe(there.token);
    expect({ ...after, token: "", expiresAt: 0 }).toEqual({ ...there, token: "", expiresAt: 0 });
    expect(await storedCredential(tab, home)).toEqual(atHome);
    expect(visited.filter((path) => path === "/login")).toEqual([]);
    await railEntry(tab, elsewhere).waitFor();
    expect(await tab.page.getByText("needs sign-in").count()).toBe(0);
  });

  it("CL3 one’s own account that is refused asks for a sign-in, at that instance only", async () => {
    const mill = await createPublicServer(elsewhere, "Mill");
    const own = await register(elsewhere, "wim.there");
    const tab = await (await world.device()).open("/register");
    await tab.register("wim");
    await tab.createRoom("Wim’s home");
    const atHome = await storedCredential(tab, home);
    const door = new URLSearchParams({ mode: "authorize", serverId: elsewhere, returnUrl: "/directory" });
    await tab.go(`/login?${door.toString()}`);
    await enter(tab, "Sign in", "wim.there", PASSWORD);
    await arrivesAt(tab, "/directory");
    await addSignalServer(tab, elsewhere);
    await joinListed(tab, "Mill");
    const room = new URL(tab.page.url()).pathname;
    await tab.say("Grinding");
    await mill.hears("Grinding");
    await tab.composer.fill("not lost");

    await revoke(elsewhere, await storedCredential(tab, elsewhere));
    await shows(tab, `You are signed out of ${hostOf(elsewhere)}.`);
    await shows(tab, "The session was ended from another device.");
    await railEntry(tab, elsewhere, ", needs sign-in").waitFor();
    await shows(tab, `Sign in to ${hostOf(elsewhere)} again to write here.`);
    await tab.sees("Grinding");
    await tab.enterRoom("Wim’s home");
    expect(await tab.page.getByText("You are signed out of").count()).toBe(0);
    await tab.say("Home is as it was");
    await tab.sees("Home is as it was");
    await tab.go("/settings/servers");
    await serverRow(tab, elsewhere).getByText("Needs sign-in").waitFor();
    await serverRow(tab, home).getByText("Authorized").waitFor();

    await tab.go(room);
    await tab.button("Sign in again").click();
    expect(await tab.page.getByLabel("Username").inputValue()).toBe("wim.there");
    await enter(tab, "Sign in", "wim.there", PASSWORD);
    await arrivesAt(tab, room);
    await tab.inRoom("Mill");
    expect(await tab.composer.inputValue()).toBe("not lost");
    await tab.say("not lost at all");
    expect(await mill.hears("not lost at all")).toMatchObject({ fromUserId: own.id });
    expect(await storedCredential(tab, home)).toEqual(atHome);
  });

  it("CL3 a refusal by home signs out with the reason; the foreign account works again after signing in", async () => {
    const barn = await createPublicServer(elsewhere, "Barn");
    const { tab } = await traveller("xenia", barn);
    const there = await storedCredential(tab, elsewhere);
    const room = new URL(tab.page.url()).pathname;
    await revoke(home, await storedCredential(tab, home));
    await arrivesAt(tab, `/login?returnUrl=${encodeURIComponent(room)}`);
    await shows(tab, `Your session on ${hostOf(home)} was ended from another device.`);
    await enter(tab, "Sign in", "xenia", PASSWORD);
    await arrivesAt(tab, room);
    await tab.say("Hay again");
    expect(await barn.hears("Hay again")).toMatchObject({ fromUserId: there.userId });
    expect((await storedCredential(tab, elsewhere)).userId).toBe(there.userId);
    expect((await barn.members()).filter(({ displayName }) => displayName.includes("xenia"))).toHaveLength(1);
  });

  it("CL3 an instance that refuses a created account asks for one’s own", async () => {
    const gate = await createPublicServer(elsewhere, "Gate");
    await register(elsewhere, "wanda.there");
    const tab = await (await world.device()).open("/register");
    await tab.register("wanda");
    const atHome = await storedCredential(tab, home);
    const refusal = { type: "about:blank", title: "Forbidden", status: 403, code: "FORBIDDEN" };
    await tab.page.route(`${elsewhere}/api/users/register`, (route) =>
      route.fulfill({ status: 403, headers: { "access-control-allow-origin": "*" }, json: refusal }),
    );
    await addSignalServer(tab, elsewhere);
    await tab.button("Join Gate").first().click();
    await shows(tab, "The instance did not accept the account that Hearth created for you.");
    await railEntry(tab, elsewhere, ", needs sign-in").waitFor();
    await tab.button("Sign in again").click();
    await enter(tab, "Sign in", "wanda.there", PASSWORD);
    await arrivesAt(tab, `/directory?server=${encodeURIComponent(elsewhere)}`);
    await joinListed(tab, "Gate");
    await tab.say("Let in");
    await gate.hears("Let in");
    expect(await storedCredential(tab, elsewhere)).toMatchObject({ autoProvisioned: false });
    expect(await storedCredential(tab, home)).toEqual(atHome);
  });

  it("CL3 a session expired, missing or unknown at the start is reported, and everything is there after signing in", async () => {
    const tab = await (await world.device()).open("/register");
    await tab.register("zoe");
    await tab.createRoom("zoe’s home");
    const room = new URL(tab.page.url()).pathname;
    const { token } = await storedCredential(tab, home);
    const host = hostOf(home);
    const told = async (change: string, sentence: string): Promise<void> => {
      await tab.page.evaluate(change);
      await tab.page.reload();
      await arrivesAt(tab, `/login?returnUrl=${encodeURIComponent(room)}`);
      await shows(tab, sentence);
      await enter(tab, "Sign in", "zoe", PASSWORD);
      await arrivesAt(tab, room);
      await tab.inRoom("zoe’s home");
    };
    const key = `"app.signalServerCredentials"`;
    await told(
      `localStorage.setItem(${key}, localStorage.getItem(${key}).replace(/"expiresAt":\\d+/, '"expiresAt":1000'))`,
      `Your session on ${host} has expired.`,
    );
    await told(`localStorage.removeItem(${key})`, `This device no longer has a session on ${host}.`);
    await told(
      `localStorage.setItem(${key}, localStorage.getItem(${key}).replace(/[0-9a-f]{64}/, "0".repeat(64)))`,
      `${host} no longer accepts your session.`,
    );
    expect((await storedCredential(tab, home)).token).not.toBe(token);
  });

  it("CL1 tabs share the secret, the created account and its sign-out", async () => {
    const tower = await createPublicServer(elsewhere, "Tower");
    const device = await world.device();
    const first = await device.open("/register");
    await first.register("abel");
    await addSignalServer(first, elsewhere);
    await joinListed(first, "Tower");
    const there = await storedCredential(first, elsewhere);
    const second = await device.open(new URL(first.page.url()).pathname);
    await second.inRoom("Tower");
    const secret = storedSecret(await storedData(first));
    await until(async () => JSON.stringify((await storedData(second)).session).includes(secret), 5_000);
    await first.page.close();
    await revoke(elsewhere, there);
    await until(
      () =>
        second.page.evaluate<boolean>(
          `!(localStorage.getItem("app.signalServerCredentials") ?? "").includes(${JSON.stringify(there.token)})`,
        ),
      15_000,
    );
    await second.say("From the other window");
    expect(await tower.hears("From the other window")).toMatchObject({ fromUserId: there.userId });

    const third = await device.open("/settings/account");
    await signOut(third);
    await arrivesAt(
      second,
      `/login?returnUrl=${encodeURIComponent(`/rooms/${tower.room.id}/${channel(tower)}`)}`,
    );
    expect(await second.page.getByText("You were signed out").count()).toBe(0);
    await enter(third, "Sign in", "abel", PASSWORD);
    await third.atHome();
    await second.inRoom("Tower");
  });

  it("CL6 an instance that is down never signs out, and the client reconnects as soon as it is up", async () => {
    const ferry = await createPublicServer(elsewhere, "Ferry");
    const { tab, visited } = await traveller("yann", ferry);
    await tab.button("Got it").click();
    const credentials = [await storedCredential(tab, home), await storedCredential(tab, elsewhere)];
    const room = new URL(tab.page.url()).pathname;
    const gone = world.server(1);
    await gone.stop("SIGKILL");
    await shows(tab, new RegExp(`No connection to ${hostOf(elsewhere)}. Retrying in \\d+ s.`));
    await railEntry(tab, elsewhere, ", not connected").waitFor();
    await tab.say("Is anybody there?");
    await shows(tab, "Waiting for a connection");
    await tab.enterRoom("yann’s home");
    expect(await tab.page.getByText("No connection to").count()).toBe(0);
    await tab.say("Quiet evening");
    await tab.sees("Quiet evening");

    await tab.go(`/directory?server=${encodeURIComponent(elsewhere)}`);
    await shows(tab, "The instance does not respond. Check the address and your connection.");
    await tab.go(room);
    await tab.sees("Is anybody there?");
    expect(await tab.page.getByText("sign-in").count()).toBe(0);
    await shows(tab, /Retrying in \d\d? s/);

    const context = tab.page.context();
    await context.setOffline(true);
    await world.restart(gone);
    await ferry.comeBack();
    await context.setOffline(false);
    await ferry.hears("Is anybody there?");
    await ferry.say("We are");
    await tab.sees("We are");
    expect(await tab.count("Is anybody there?")).toBe(1);
    expect([await storedCredential(tab, home), await storedCredential(tab, elsewhere)]).toEqual(credentials);
    expect(visited.filter((path) => path === "/login")).toEqual([]);
  });
});
