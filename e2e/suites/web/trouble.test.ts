import { beforeAll, expect, it, jest } from "@jest/globals";
import { until } from "@hearth/runtime/testing/until";
import { inChromium } from "../../src/browser/for-tests.ts";
import type { RunningServer } from "../../src/server/process.ts";
import { ownDevicesForTests, worldForTests } from "../../src/web/for-tests.ts";
import { DEVICE_NAMES, comeBack } from "../../src/web/own-devices.ts";
import { hasWritten } from "../../src/web/room-pages.ts";
import type { Tab } from "../../src/web/tab.ts";

jest.setTimeout(120_000);

const hasAllParts = (): boolean =>
  performance.getEntriesByType("resource").some(({ name }) => /settings-screen.*js/u.test(name));
const isGrownUp = (): boolean => performance.now() > 10_000;

/** Simulates full storage, because the debugging protocol's quota does not affect databases here. */
const FILLABLE = `
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (...record) {
    if (globalThis.isStorageFull) throw new DOMException("Full", "QuotaExceededError");
    return put.apply(this, record);
  };
`;

const host = (tab: Tab): string => new URL(tab.origin).host;

inChromium("outages and failures", () => {
  const world = worldForTests();
  const devices = ownDevicesForTests(world);
  let server: RunningServer;
  beforeAll(() => {
    server = world.home;
  });

  it("CL6 a restarted server is announced with a countdown, and nothing is lost", async () => {
    const device = await devices.device("laptop");
    const ada = await device.open("/register");
    await ada.register("ada");
    await ada.createRoom("Bridge");
    const ben = await (await world.device()).open("/register");
    await ben.register("ben");
    await ben.findAndJoin("Bridge");
    await ben.say("All is well");
    await ada.sees("All is well");

    await until(() => ada.page.evaluate<boolean>(hasAllParts), 15_000);
    await server.stop("SIGKILL");
    await ada.page.getByText(/^No connection to .+ Retrying in \d+ s\.$/u).waitFor();
    await ada.say("Is anybody there?");
    await ada.page.getByText("Waiting for a connection").waitFor();
    await ada.page.getByRole("link", { name: "Settings" }).click();
    await ada.page.getByRole("heading", { level: 1, name: "Account" }).waitFor();
    await ada.page.goBack();
    await ada.inRoom("Bridge");
    await ada.sees("Is anybody there?");

    // Messages reach connected users only, so the listener reconnects first.
    device.line.cut();
    const returned = (tab: Tab): Promise<void> =>
      tab.page
        .getByText(`Reconnected to ${host(tab)}.`)
        .first()
        .waitFor({ timeout: 45_000 });
    const benReturned = returned(ben);
    server = await world.restart(server);
    await comeBack(ben);
    await benReturned;
    const adaReturned = returned(ada);
    device.line.mend();
    await comeBack(ada);
    await adaReturned;
    await ben.sees("Is anybody there?");
    await ben.say("Always");
    await ada.sees("Always");
    for (const tab of [ada, ben]) {
      await tab.page.reload();
      await tab.sees("Always");
      expect(await tab.count("Is anybody there?")).toBe(1);
    }
  });

  it("a part of the page that could not be loaded appears when the server is up", async () => {
    const device = await devices.device("laptop");
    const ines = await device.open("/register");
    await ines.page.route(/settings-screen/u, (route) => route.abort());
    await ines.register("ines");
    await until(() => ines.page.evaluate<boolean>(isGrownUp), 15_000);
    device.line.cut();
    await ines.page.getByRole("link", { name: "Settings" }).click();
    await ines.page.getByText("Starting Hearth…").waitFor();
    await ines.page.unroute(/settings-screen/u);
    device.line.mend();
    await ines.page.getByRole("heading", { level: 1, name: "Account" }).waitFor();
  });

  it("CL5 a message whose acknowledgement was lost appears once", async () => {
    const device = await devices.device("laptop");
    const cara = await device.open("/register");
    await cara.register("cara");
    await cara.createRoom("Canyon");
    const dan = await (await world.device()).open("/register");
    await dan.register("dan");
    await dan.findAndJoin("Canyon");
    await dan.say("Call something");
    await cara.sees("Call something");

    device.line.deafen();
    await cara.say("Hello, echo");
    await dan.sees("Hello, echo");
    await cara.page.getByText("Sending…").waitFor();
    await cara.page.evaluate(`void document.dispatchEvent(new Event("resume"))`);
    await cara.page.getByText("Sending…").waitFor({ state: "detached" });
    await cara.say("That was all");
    for (const tab of [cara, dan]) {
      await tab.sees("That was all");
      expect(await tab.count("Hello, echo")).toBe(1);
    }
  });

  it("CL3 a device signed out from another one says so at once and keeps its data", async () => {
    const laptop = await (await devices.device("laptop")).open("/register");
    await laptop.register("eve");
    await laptop.createRoom("Loft");
    await laptop.say("Before");
    const [phone, tablet] = [
      await (await devices.device("phone")).open("/login"),
      await (await devices.device("tablet")).open("/login"),
    ];
    for (const tab of [phone, tablet]) {
      await tab.signIn("eve");
      await tab.enterRoom("Loft");
      await tab.sees("Before");
    }
    await phone.composer.fill("half a sentence");
    await phone.page.getByRole("link", { name: "Home", exact: true }).click();
    await phone.enterRoom("Loft");

    await laptop.go("/settings/devices");
    await laptop.button(`Sign out ${DEVICE_NAMES.phone}`).click();
    await phone.page.getByText("You were signed out").waitFor();
    await phone.page.getByText(`Your session on ${host(phone)} was ended from another device.`).waitFor();
    expect(new URL(phone.page.url()).pathname).toBe("/login");
    await laptop.go("/");
    await laptop.enterRoom("Loft");
    await laptop.say("After");
    await tablet.sees("After");

    await phone.page.getByLabel("Password", { exact: true }).fill("correct horse battery");
    await phone.button("Sign in").click();
    await phone.inRoom("Loft");
    expect(await phone.composer.inputValue()).toBe("half a sentence");
    await phone.sees("After");
    expect([await phone.count("Before"), await phone.count("After")]).toEqual([1, 1]);
  });

  it("a device without storage space says so, returns the text and loses nothing", async () => {
    const device = await world.device();
    await device.context.addInitScript(FILLABLE);
    const finn = await device.open("/register");
    await finn.register("finn");
    await finn.createRoom("Shelf");
    await finn.say("There is room for this");
    await finn.sees("There is room for this");
    const gwen = await (await world.device()).open("/register");
    await gwen.register("gwen");
    await gwen.findAndJoin("Shelf");

    await finn.page.evaluate("globalThis.isStorageFull = true");
    await finn.say("But not for this");
    const banner = finn.page.getByRole("region", { name: "Storage on this device" });
    await banner.getByText("This device has no space left for Hearth’s data.").waitFor();
    await hasWritten(finn, "But not for this");
    expect(await finn.count("But not for this")).toBe(0);
    await gwen.say("Throw something away");
    await finn.page.evaluate("globalThis.isStorageFull = false");
    await finn.sees("Throw something away");
    await banner.waitFor({ state: "detached" });
    await finn.composer.press("Enter");
    await gwen.sees("But not for this");
    await finn.page.reload();
    for (const text of ["There is room for this", "Throw something away", "But not for this"]) {
      await finn.sees(text);
      expect(await finn.count(text)).toBe(1);
    }
  });
});
