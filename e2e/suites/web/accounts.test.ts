import { expect, it, jest } from "@jest/globals";
import { inChromium } from "../../src/browser/for-tests.ts";
import { call, register } from "../../src/client/rest.ts";
import { arrivesAt, enter, heading, hostOf, shows, signOut } from "../../src/web/account-pages.ts";
import { worldForTests } from "../../src/web/for-tests.ts";
import { storedData, storedCredential, storedCredentials, storedSecret } from "../../src/web/stored-data.ts";
import { RecordedRequests } from "../../src/web/recorded-requests.ts";
import { PASSWORD } from "../../src/web/tab.ts";
import { hasWritten, startsWriting } from "../../src/web/room-pages.ts";

jest.setTimeout(120_000);

inChromium("the home account in a browser", () => {
  const world = worldForTests();

  it("a newcomer sees what is wrong with a name and a password, and then signs up", async () => {
    await register(world.home.url, "ada");
    const tab = await (await world.device()).open("/register");
    await enter(tab, "Create account", "ada", "short");
    await shows(tab, "Use 8 to 1024 characters.");
    await enter(tab, "Create account", "ada lovelace", PASSWORD);
    await shows(tab, "Use 3 to 64 letters, digits, and _ . -");
    await enter(tab, "Create account", "Ada", PASSWORD);
    await shows(tab, "This username is already taken on this instance. Choose another one.");
    expect(await tab.page.locator(":focus").getAttribute("name")).toBe("username");
    await enter(tab, "Create account", "ada.b", PASSWORD);
    await heading(tab, "Welcome to Hearth").waitFor();
    await tab.button(/Your status: Online/).waitFor();
    const { local } = await storedData(tab);
    const credential = await storedCredential(tab, world.home.url);
    expect(JSON.parse(local["app.authTokens"] ?? "")).toEqual({ [world.home.url]: credential.token });
    expect(credential).toMatchObject({ username: "ada.b", autoProvisioned: false });
    expect(local["app_currentUserId"]).toBe(credential.userId);
    expect(local["homeSignalServerUrl"]).toBe(world.home.url);
  });

  it("a wrong password is reported, and many of them delay only the guesser", async () => {
    await register(world.home.url, "bea");
    const tab = await (await world.device()).open("/login");
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const answer = tab.page.waitForResponse(/\/api\/users\/login/);
      await enter(tab, "Sign in", "bea", `wrong password ${attempt}`);
      expect((await answer).status()).toBe(401);
      await shows(tab, "The username or password is not correct.");
    }
    await enter(tab, "Sign in", "bea", PASSWORD);
    await shows(tab, "Too many attempts");
    await shows(tab, /Try again in 1[45] minutes/);
    expect(await tab.button("Sign in").getAttribute("aria-disabled")).toBe("true");

    await tab.page.reload();
    await register(world.home.url, "other-bea");
    await tab.signIn("other-bea");
  });

  it("the page names the trouble, and signing in works after the wait without a reload", async () => {
    await register(world.home.url, "cleo");
    const tab = await (await world.device()).open("/login");
    await tab.page.route("**/api/users/login", (route) => route.abort(), { times: 1 });
    await enter(tab, "Sign in", "cleo", PASSWORD);
    await shows(tab, "The instance does not respond. Check the address and your connection.");
    const unavailable = { type: "about:blank", title: "Unavailable", status: 503, code: "UNAVAILABLE" };
    await tab.page.route("**/api/users/login", (route) => route.fulfill({ status: 503, json: unavailable }), {
      times: 1,
    });
    await enter(tab, "Sign in", "cleo", PASSWORD);
    await shows(tab, "The instance cannot do this right now. Try again in a moment.");
    await tab.page.route(
      "**/api/users/login",
      (route) =>
        route.fulfill({
          status: 429,
          headers: { "retry-after": "3", "content-type": "application/problem+json" },
          json: { type: "about:blank", title: "Too Many Requests", status: 429, code: "RATE_LIMITED" },
        }),
      { times: 1 },
    );
    await enter(tab, "Sign in", "cleo", PASSWORD);
    await shows(tab, /Try again in [123] seconds?/);
    await tab.page.getByRole("timer").waitFor({ state: "detached" });
    await tab.button("Sign in").click();
    await tab.atHome();
  });

  it("CL3 every address leads a visitor to the sign-in page and back afterwards", async () => {
    await register(world.home.url, "dora");
    const device = await world.device({ viewport: { width: 390, height: 800 } });
    const tab = await device.open("/");
    await arrivesAt(tab, "/login");
    const addresses = [
      "/directory",
      "/settings/account",
      "/settings/devices",
      "/rooms/0198c1f2-7d3a-7c11-9a55-3d1f0c0e5b21/general?message=m-1",
    ];
    for (const address of addresses) {
      await tab.go(address);
      await arrivesAt(tab, `/login?returnUrl=${encodeURIComponent(address)}`);
      await heading(tab, "Welcome back").waitFor();
    }
    await tab.go("/no/such/place");
    await arrivesAt(tab, "/login");
    for (const address of ["/login", "/register", "/invite/ABCDEFGH"]) {
      await tab.go(address);
      await tab.page.getByRole("heading", { level: 1 }).waitFor();
      expect(tab.page.url()).toBe(new URL(address, tab.origin).href);
    }

    await tab.go("/settings/devices");
    await tab.page.getByRole("link", { name: "Create an account" }).click();
    await tab.page.getByRole("link", { name: "Sign in" }).click();
    await enter(tab, "Sign in", "dora", PASSWORD);
    await arrivesAt(tab, "/settings/devices");
    await shows(tab, "This device");
  });

  it("CL3 a returnUrl that leads elsewhere leads home", async () => {
    const device = await world.device();
    const overheard = new RecordedRequests(device.context);
    const tab = await device.open("/register");
    await tab.register("emil");
    const hostile = [
      "https://evil.example/directory",
      "//evil.example/directory",
      "/\\evil.example",
      "/%5Cevil.example/..//evil.example",
      "javascript:document.title='evil'",
      "data:text/html,evil",
      "\u0009//evil.example",
      `${tab.origin}.evil.example/directory`,
      "/login?returnUrl=//evil.example",
      "http:evil.example",
    ];
    for (const returnUrl of hostile) {
      await tab.go(`/login?returnUrl=${encodeURIComponent(returnUrl)}`);
      await heading(tab, "Welcome to Hearth").waitFor();
      expect(tab.page.url()).toBe(`${tab.origin}/`);
    }
    await tab.go(`/login?returnUrl=${encodeURIComponent(`${tab.origin}/directory`)}`);
    await arrivesAt(tab, "/directory");
    for (const address of ["/login?mode=authorize&serverId=", "/invite/ABCDEFGH?server="]) {
      await tab.go(`${address}${encodeURIComponent("javascript:alert(1)")}`);
      await heading(
        tab,
        /This is not the address of an instance|This invite does not say which instance it is for/,
      ).waitFor();
    }
    expect(overheard.servers).toEqual([tab.origin]);
  });

  it("CL1 the install secret is stored for the session only, and no password anywhere", async () => {
    const tabs = await Promise.all([0, 1].map(async () => (await world.device()).open("/register")));
    const secrets: string[] = [];
    for (const [index, tab] of tabs.entries()) {
      await tab.register(`fritz-${index}`);
      const all = await storedData(tab);
      const secret = storedSecret(all);
      expect(secret).toMatch(/^[\w-]{43}$/);
      expect(JSON.stringify(all.local) + all.records).not.toContain(secret);
      expect(all.records).toContain(`fritz-${index}`);
      expect(JSON.stringify(all)).not.toContain(PASSWORD);
      secrets.push(secret);
    }
    expect(new Set(secrets).size).toBe(2);
  });

  it("CL3 signing out keeps the device's data for its account and hides it from others", async () => {
    const tab = await (await world.device()).open("/register");
    await tab.register("gerda");
    await tab.createRoom("Gerda’s attic");
    await tab.say("A box of letters");
    await tab.sees("A box of letters");
    const room = new URL(tab.page.url()).pathname;
    await startsWriting(tab, "half a thought");
    const { token } = await storedCredential(tab, world.home.url);
    await signOut(tab);
    expect(await storedCredentials(tab)).toEqual({});
    expect((await call(world.home.url, "GET", "/api/users/me", { token })).status).toBe(401);
    const { records } = await storedData(tab);
    expect(records).toContain("A box of letters");
    expect(records).not.toContain(token);

    await tab.signIn("gerda");
    await tab.enterRoom("Gerda’s attic");
    await tab.sees("A box of letters");
    await hasWritten(tab, "half a thought");
    await signOut(tab);

    await tab.register("hugo");
    await heading(tab, "Welcome to Hearth").waitFor();
    expect(await tab.page.getByText("Gerda").count()).toBe(0);
    await tab.go(room);
    await shows(tab, "You are not a member of this server");
    const after = JSON.stringify(await storedData(tab));
    for (const trace of ["A box of letters", "half a thought", "Gerda’s attic", "gerda"])
      expect(after).not.toContain(trace);
  });

  it("CL3 a session ended from another device says so, and signing in continues it", async () => {
    const first = await (await world.device()).open("/register");
    await first.register("ines");
    await first.createRoom("Ines’ garden");
    await first.say("The roses are early");
    const room = new URL(first.page.url()).pathname;
    const second = await (await world.device()).open("/login");
    await second.signIn("ines");
    await startsWriting(first, "and the tulips are");

    await second.go("/settings/devices");
    await second.button(/^Sign out .+ on Linux$/).click();
    await arrivesAt(first, `/login?returnUrl=${encodeURIComponent(room)}`);
    await shows(first, "You were signed out");
    await shows(first, `Your session on ${hostOf(world.home.url)} was ended from another device.`);
    expect(await first.page.getByLabel("Username").inputValue()).toBe("ines");
    await first.page.reload();
    await shows(first, "You were signed out");
    await enter(first, "Sign in", "ines", PASSWORD);
    await arrivesAt(first, room);
    await first.sees("The roses are early");
    await hasWritten(first, "and the tulips are");
    await first.say("and the tulips are late");
    await second.go("/");
    await second.enterRoom("Ines’ garden");
    await second.sees("and the tulips are late");
  });

  it("CL3 a new password signs out the other device, which signs in only with it", async () => {
    const first = await (await world.device()).open("/register");
    await first.register("jonas");
    const second = await (await world.device()).open("/login");
    await second.signIn("jonas");
    await first.go("/settings/account");
    const change = async (current: string): Promise<void> => {
      await first.page.getByLabel("Current password").fill(current);
      await first.page.getByLabel("New password").fill("a better battery horse");
      await first.button("Change password").click();
    };
    await change("not the password");
    await shows(first, "The username or password is not correct.");
    await change(PASSWORD);
    await shows(first, "Password changed. Your other devices are signed out.");
    await shows(second, "You were signed out");
    await enter(second, "Sign in", "jonas", PASSWORD);
    await shows(second, "The username or password is not correct.");
    await enter(second, "Sign in", "jonas", "a better battery horse");
    await second.atHome();
    await first.go("/");
    await first.createRoom("Jonas’ workshop");
    await second.enterRoom("Jonas’ workshop");
  });

  it("others and one's own devices see a new display name", async () => {
    const karl = await (await world.device()).open("/register");
    await karl.register("karl");
    await karl.createRoom("Karl’s choir");
    const lena = await (await world.device()).open("/register");
    await lena.register("lena");
    await lena.findAndJoin("Karl’s choir");
    const members = lena.page.getByRole("complementary", { name: "Members" });
    await members.getByText("karl").waitFor();
    await karl.go("/settings/account");
    await karl.page.getByLabel("Display name").fill("Karl the Tenor");
    await karl.button("Save").click();
    await shows(karl, "Display name changed.");
    await karl.go("/");
    await karl.enterRoom("Karl’s choir");
    await karl.say("La");
    await lena.message("La").filter({ hasText: "Karl the Tenor" }).waitFor();
    await members.getByText("Karl the Tenor").waitFor();
  });
});
