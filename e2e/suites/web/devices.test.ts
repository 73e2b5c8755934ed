import { expect, it, jest } from "@jest/globals";
import { inChromium } from "../../src/browser/for-tests.ts";
import { ownDevicesForTests, worldForTests } from "../../src/web/for-tests.ts";
import { Frames } from "../../src/web/frames.ts";
import { handOver, placeAt } from "../../src/web/hand-over.ts";
import { DEVICE_NAMES, comeBack } from "../../src/web/own-devices.ts";

jest.setTimeout(120_000);

const LOCAL_PATHS = /filePath|localPath|file:\/\//u;

inChromium("one account on several devices", () => {
  const world = worldForTests();
  const devices = ownDevicesForTests(world);

  it("AS4 messages and edits of one device appear once on the other, without local paths", async () => {
    const laptop = await (await devices.device("laptop")).open("/register");
    const frames = new Frames(laptop.page);
    await laptop.register("ada");
    await laptop.createRoom("Kitchen");
    await laptop.say("Is anybody home?");
    const phone = await (await devices.device("phone")).open("/login");
    await phone.signIn("ada");
    await phone.enterRoom("Kitchen");
    await phone.sees("Is anybody home?");
    const ben = await (await world.device()).open("/register");
    await ben.register("ben");
    await ben.findAndJoin("Kitchen");

    await phone.say("Me, on the phone");
    await laptop.sees("Me, on the phone");
    await ben.sees("Me, on the phone");
    await ben.say("And me");
    for (const tab of [laptop, phone]) await tab.sees("And me");
    await laptop.edit("Me, on the phone", "Me, in the hall");
    for (const tab of [phone, ben]) await tab.sees("Me, in the hall");
    await phone.react("And me", "🎉");
    for (const tab of [laptop, ben]) await tab.button(/🎉, 1 reaction: /u).waitFor();
    await laptop.button(/🎉, 1 reaction: /u).click();
    for (const tab of [phone, ben]) await tab.button(/🎉/u).waitFor({ state: "detached" });
    await phone.say("Never mind");
    for (const tab of [laptop, ben]) await tab.sees("Never mind");
    await phone.remove("Never mind");
    for (const tab of [laptop, ben]) await tab.sees("This message was deleted.");

    for (const tab of [laptop, phone]) {
      await tab.page.reload();
      await tab.sees("And me");
      await tab.sees("Me, in the hall");
      expect(await tab.count("Me, in the hall")).toBe(1);
      expect(await tab.count("And me")).toBe(1);
      expect(await tab.count("Me, on the phone")).toBe(0);
      expect(await tab.count("Is anybody home?")).toBe(1);
    }
    expect(frames.sentOf("account_sync").length).toBeGreaterThan(0);
    expect([...frames.sent, ...frames.heard].filter((text) => LOCAL_PATHS.test(text))).toEqual([]);
  });

  it("read marks, muting and names of one device apply on the other", async () => {
    const laptop = await (await devices.device("laptop")).open("/register");
    await laptop.register("cara");
    await laptop.createRoom("Garden");
    const phone = await (await devices.device("phone")).open("/login");
    await phone.signIn("cara");
    const dan = await (await world.device()).open("/register");
    await dan.register("dan");
    await dan.findAndJoin("Garden");
    await laptop.go("/");
    await laptop.atHome();
    await dan.say("The beans are up");
    for (const tab of [laptop, phone]) await tab.inRail("Garden, unread").waitFor();
    await laptop.enterRoom("Garden");
    await laptop.sees("The beans are up");
    for (const tab of [laptop, phone]) await tab.inRail(/^Garden$/u).waitFor();

    await laptop.chooseForRoom("Garden", "Mute");
    await phone.inRail("Garden, muted").waitFor();

    await laptop.go("/settings/account");
    await laptop.page.getByLabel("Display name").fill("Cara Mia");
    await laptop.page.getByLabel("Display name").press("Enter");
    await laptop.page.getByText("Display name changed.").first().waitFor();
    await phone.button(/^Cara Mia \(cara\)/u).waitFor();
    await phone.enterRoom("Garden");
    await phone.say("It is me");
    await dan.page.getByRole("article", { name: /Cara Mia/u }).waitFor();
  });

  it("servers joined and left on one device appear and disappear on the other, which was offline", async () => {
    const ines = await (await world.device()).open("/register");
    await ines.register("ines");
    await ines.createRoom("Old house");
    const laptop = await (await devices.device("laptop")).open("/register");
    await laptop.register("eve");
    await laptop.findAndJoin("Old house");
    const pocket = await devices.device("phone");
    const phone = await pocket.open("/login");
    await phone.signIn("eve");
    await phone.enterRoom("Old house");

    pocket.line.cut();
    await phone.page
      .getByText(/^No connection to|^Connecting to/u)
      .first()
      .waitFor();
    await laptop.go("/");
    await laptop.createRoom("New house");
    await laptop.say("Boxes everywhere");
    await laptop.sees("Boxes everywhere");
    await laptop.enterRoom("Old house");
    await laptop.leaveRoom("Old house");
    pocket.line.mend();
    await comeBack(phone);
    await phone.inRail("Old house").waitFor({ state: "detached" });
    await phone.enterRoom("New house");
    await phone.sees("Boxes everywhere");
    expect(await phone.count("Boxes")).toBe(1);
  });

  it("edits of one message on two offline devices end as the same text", async () => {
    const [desk, pocket] = [await devices.device("laptop"), await devices.device("phone")];
    const laptop = await desk.open("/register");
    await laptop.register("finn");
    await laptop.createRoom("Notes");
    await laptop.say("A first draft");
    const phone = await pocket.open("/login");
    await phone.signIn("finn");
    await phone.enterRoom("Notes");
    await phone.sees("A first draft");

    for (const { line } of [desk, pocket]) line.cut();
    for (const tab of [laptop, phone])
      await tab.page
        .getByText(/^No connection to|^Connecting to/u)
        .first()
        .waitFor();
    await laptop.edit("A first draft", "Written at the desk");
    await phone.edit("A first draft", "Written on the way");
    await phone.say("And one more thing");
    for (const { line } of [pocket, desk]) line.mend();
    for (const tab of [laptop, phone]) await comeBack(tab);
    for (const tab of [laptop, phone]) {
      await tab.sees("And one more thing");
      await tab.sees("Written on the way");
      expect(await tab.count("Written at the desk")).toBe(0);
    }
    const late = await (await world.device()).open("/login");
    await late.signIn("finn");
    await late.enterRoom("Notes");
    await late.sees("Written on the way");
    expect([await late.count("Written"), await late.count("one more thing")]).toEqual([1, 1]);
  });

  it("a new device catches up, shows its progress and can fetch everything again", async () => {
    const laptop = await (await devices.device("laptop")).open("/register");
    await laptop.register("gus");
    await laptop.createRoom("Archive");
    await handOver(world.home.url, "gus", placeAt(laptop.page.url()), 3_000);
    await laptop.sees("line 2999");
    const tablet = await (await devices.device("tablet")).open("/login");
    const progress = tablet.page.getByRole("progressbar", {
      name: `Syncing from ${DEVICE_NAMES.laptop}`,
    });
    const isShown = progress.waitFor();
    await tablet.signIn("gus");
    await isShown;
    await progress.waitFor({ state: "detached" });
    await tablet.enterRoom("Archive");
    await tablet.sees("line 2999");
    await tablet.go("/settings/devices");
    await tablet.page.getByText(/^Last synced with another device/u).waitFor();
    const again = tablet.button("Sync everything again");
    await again.click();
    await tablet.page.getByText(`Syncing from ${DEVICE_NAMES.laptop}…`).waitFor();
    await tablet.page.getByText(/^Last synced with another device/u).waitFor();
    await tablet.go("/");
    await tablet.enterRoom("Archive");
    await tablet.sees("line 2999");
    expect([await tablet.count("line 2999"), await tablet.count("line 2990")]).toEqual([1, 1]);
  });
});
