import { setTimeout } from "node:timers/promises";
import { beforeAll, describe, expect, it, jest } from "@jest/globals";
import { until } from "@hearth/runtime/testing/until";
import { inChromium } from "../../src/browser/for-tests.ts";
import { serverWithUsers, newcomer, channelShownIn, Program } from "../../src/web/users.ts";
import { worldForTests } from "../../src/web/for-tests.ts";
import { Frames } from "../../src/web/frames.ts";
import { violationsOf } from "../../src/web/accessibility.ts";
import { clickNotice, look, noticesOf, recordNotices } from "../../src/web/notices.ts";
import { refusing } from "../../src/web/refusing.ts";
import { addChannel, channelOf, isInSight } from "../../src/web/room-pages.ts";
import type { Tab } from "../../src/web/tab.ts";
import type { Device } from "../../src/web/web-world.ts";

jest.setTimeout(120_000);

const PATIENCE_MS = 15_000;
const DAY_MS = 86_400_000;
const ROOM = "Harbour";

inChromium("mentions, unread messages and typing", () => {
  const world = worldForTests();
  let ada: Tab;
  let ben: Tab;

  beforeAll(async () => {
    const [first, second] = await serverWithUsers(world, ROOM, ["ada", "ben"]);
    if (second === undefined) throw new Error("Ben is missing");
    [ada, ben] = [first, second];
    await addChannel(ada, ROOM, "boats");
    await channelOf(ben, ROOM, "boats").waitFor();
  }, 120_000);

  it("a mention is completed, counted in rail, list and title, and highlighted", async () => {
    await channelOf(ben, ROOM, "boats").click();
    await ada.composer.pressSequentially("Ahoy @be");
    await ada.page.getByRole("option", { name: "ben" }).waitFor();
    await ada.composer.press("Enter");
    await ada.composer.pressSequentially("come over");
    await ada.composer.press("Enter");
    await ada.say("Nobody in particular");
    await channelOf(ben, ROOM, "general, 1 mention, 2 unread").waitFor();
    await ben.inRail(`${ROOM}, 1 mention`).waitFor();
    expect(await ben.page.title()).toMatch(/^\(1\) /);
    await ben.page.getByRole("link", { name: "Home", exact: true }).click();
    await ben.page.getByRole("heading", { name: "Unread" }).waitFor();
    await ben.enterRoom(ROOM);
    await channelOf(ben, ROOM, "general, 1 mention, 2 unread").click();
    await ben.sees("Ahoy @ben come over");
    await ben.inRail(ROOM).waitFor();
    const marked = ben.page.locator("article[data-mentioned]");
    expect(await marked.count()).toBe(1);
    expect(await marked.textContent()).toContain("Ahoy @ben");
    expect(await ada.page.locator("article[data-mentioned]").count()).toBe(0);
    await channelOf(ben, ROOM, "general").waitFor();
  });

  it("the line above new messages stays while reading, and one can jump to the first of many", async () => {
    const divider = ben.page.getByRole("separator", { name: "New messages" });
    await channelOf(ben, ROOM, "boats").click();
    await ada.say("The first news");
    await channelOf(ben, ROOM, "general, 1 unread").click();
    await ben.sees("The first news");
    await divider.waitFor();
    await ada.say("More, while he looks");
    await ben.sees("More, while he looks");
    expect(await divider.count()).toBe(1);
    const row = ben.page.getByRole("listitem").filter({ has: divider });
    expect(await row.textContent()).toContain("The first news");
    await channelOf(ben, ROOM, "general").waitFor();
    await channelOf(ben, ROOM, "boats").click();
    await channelOf(ben, ROOM, /^general/u).click();
    await ben.sees("More, while he looks");
    expect(await divider.count()).toBe(0);

    await channelOf(ben, ROOM, "boats").click();
    await using program = await Program.of(ada);
    const waves = (name: string) => Array.from({ length: 60 }, (_, n) => `${name} ${n}\n\nand on`);
    await program.say(...waves("Wave"));
    await channelOf(ben, ROOM, "general, 60 unread").click();
    await isInSight(ben, "Wave 0");
    await divider.waitFor();
    // Messages out of view stay unread.
    await channelOf(ben, ROOM, /^general, [45]\d unread$/u).waitFor();
    await ben.button(/new messages.*Jump to newest/u).click();
    await isInSight(ben, "Wave 59");
    await channelOf(ben, ROOM, "general").waitFor();

    await channelOf(ben, ROOM, "boats").click();
    const ids = await program.say(...waves("Tide"));
    await channelOf(ben, ROOM, "general, 60 unread").waitFor();
    const { roomId, channelId } = channelShownIn(ada);
    // The read mark is stored within a second; the page closes now.
    await setTimeout(1_000);
    await ben.go(`/rooms/${roomId}/${channelId}?message=${ids.at(-1)}`);
    await isInSight(ben, "Tide 59");
    await ben.button(/jump to the first|where you left off/u).click();
    await isInSight(ben, "Tide 0");
    await divider.waitFor();
  });

  it("others see who is typing, unless the user turns it off", async () => {
    await channelOf(ben, ROOM, /^general/u).click();
    await ben.composer.pressSequentially("I am");
    await ada.page.getByText("ben is typing").waitFor();
    await ben.say("I am back");
    await ada.sees("I am back");
    await ada.page.getByText("ben is typing").waitFor({ state: "detached" });

    const frames = new Frames(ben.page);
    await ben.go("/settings/notifications");
    await ben.page.getByRole("switch", { name: "Show others when I am typing" }).click();
    await ben.go("/");
    await ben.enterRoom(ROOM);
    await channelOf(ben, ROOM, /^general/u).click();
    await ben.composer.pressSequentially("In secret");
    await ben.composer.press("Enter");
    await ada.sees("In secret");
    expect(frames.sentOf("chat_message")).toHaveLength(1);
    expect(frames.sentOf("user_typing")).toEqual([]);
  });

  it("AB10 a sender's false dates hide neither the message nor later ones", async () => {
    await ben.say("Read up to here");
    await channelOf(ben, ROOM, "general").waitFor();
    await channelOf(ben, ROOM, "boats").click();
    await using program = await Program.of(ada);
    await program.sayAt("Dated 300 days ago", Date.now() - 300 * DAY_MS);
    await channelOf(ben, ROOM, "general, 1 unread").waitFor();
    await program.sayAt("Dated in ten days", Date.now() + 10 * DAY_MS);
    await channelOf(ben, ROOM, "general, 2 unread").click();
    await isInSight(ben, "Dated in ten days");
    await channelOf(ben, ROOM, "general").waitFor();
    await channelOf(ben, ROOM, "boats").click();
    await program.say("Said after both");
    await channelOf(ben, ROOM, "general, 1 unread").click();
    await ben.sees("Said after both");
    const order = ["Read up to here", "Dated 300 days ago", "Dated in ten days", "Said after both"];
    for (const tab of [ben, ada]) {
      await tab.page.reload();
      await tab.sees("Said after both");
      const shown = await tab.page.getByRole("article").allTextContents();
      const texts = shown.flatMap((text) => order.filter((line) => text.includes(line)));
      expect(texts).toEqual(order);
    }
  });

  it("AB6 a device past its limit deletes the oldest messages, never the newest, and says so", async () => {
    const gina = await newcomer(world, "gina");
    await gina.page.evaluate(`localStorage.setItem("app.preferences", '{"keepAtMost":400000}')`);
    await gina.page.reload();
    await gina.createRoom("Attic");
    await using program = await Program.of(gina);
    const long = " and so on".repeat(120);
    for (let from = 0; from < 300; from += 20) {
      await program.say(...Array.from({ length: 20 }, (_, n) => `Box ${from + n}${long}`));
      await setTimeout(300);
    }
    const notice = gina.page.getByRole("region", { name: "Storage on this device" });
    await notice
      .getByText(/^Hearth removed the oldest messages from this device to stay within your limit/u)
      .waitFor();
    expect(await violationsOf(gina.page)).toEqual([]);
    await gina.sees("Box 299 and so on");
    await notice.getByRole("button", { name: "Change limit" }).click();
    await gina.page.getByText(/^2\d\d messages use .+ now\.$/u).waitFor();
    expect(await violationsOf(gina.page)).toEqual([]);
    await gina.page.getByRole("radio", { name: "No limit" }).click();
    await gina.go("/");
    await gina.atHome();
    expect(await notice.count()).toBe(0);
    await gina.page.close();
  });

  it("CL5 a refused message is kept, even over a reload, until it is sent or discarded", async () => {
    const device = await world.device();
    const refusal = await refusing(device.context, "PAYLOAD_TOO_LARGE");
    const cara = await device.open("/register");
    await cara.register("cara");
    await cara.findAndJoin(ROOM);
    refusal.isOn = true;
    for (const text of ["Take it", "or leave it"]) await cara.say(text);
    const failed = (text: string) => cara.message(text).filter({ hasText: "Not sent. This is too long" });
    await failed("Take it").waitFor();
    await failed("or leave it").waitFor();
    await cara.page.reload();
    await failed("Take it").waitFor();
    await failed("or leave it").getByRole("button", { name: "Delete" }).click();
    await failed("or leave it").waitFor({ state: "detached" });
    refusal.isOn = false;
    await failed("Take it").getByRole("button", { name: "Try again" }).click();
    await ada.sees("Take it");
    await failed("Take it").waitFor({ state: "detached" });
    expect([await cara.count("Take it"), await ada.count("or leave it")]).toEqual([1, 0]);
  });

  describe("notifications", () => {
    let dora: Tab;
    let device: Device;

    beforeAll(async () => {
      device = await world.device();
      await recordNotices(device.context);
      dora = await device.open("/register");
      await dora.register("dora");
      await dora.findAndJoin(ROOM);
      await dora.go("/settings/notifications");
      await dora.page.getByText("Notifications are allowed on this device.").waitFor();
      await dora.page.getByRole("radio", { name: "All messages" }).click();
      await dora.go("/");
      await dora.enterRoom(ROOM);
    });

    const shows = (count: number) => until(async () => (await noticesOf(dora)).length >= count, PATIENCE_MS);

    it("appear while the page is hidden, and open their message", async () => {
      await ada.say("Seen at once");
      await dora.sees("Seen at once");
      await dora.page.getByRole("link", { name: "Home", exact: true }).click();
      await look(dora, false);
      await ada.say("A **ship** comes in");
      await shows(1);
      expect(await noticesOf(dora)).toEqual([
        { title: `ada in ${ROOM}`, body: "A ship comes in", isClosed: false },
      ]);
      await look(dora, true);
      await clickNotice(dora);
      await dora.inRoom(ROOM);
      await isInSight(dora, "A ship comes in");
      await channelOf(dora, ROOM, "general").waitFor();
      await until(async () => (await noticesOf(dora)).at(-1)?.isClosed === true, PATIENCE_MS);
    });

    it("do not appear for a muted server, and close when another device reads", async () => {
      await dora.page.getByRole("link", { name: "Home", exact: true }).click();
      await look(dora, false);
      await ada.say("A fog bell");
      await shows(2);
      const other = await (await world.device()).open("/login");
      await other.signIn("dora");
      await other.enterRoom(ROOM);
      await other.sees("A fog bell");
      await until(async () => (await noticesOf(dora)).at(-1)?.isClosed === true, PATIENCE_MS);
      await other.chooseForRoom(ROOM, "Mute");
      await dora.inRail(`${ROOM}, muted`).waitFor();
      await ada.say("Hushed");
      await other.sees("Hushed");
      await other.chooseForRoom(ROOM, "Unmute");
      await dora.inRail(/^Harbour(?!.*muted)/).waitFor();
      await other.page.close();
      await ada.say("Loud again");
      await shows(3);
      const told = (await noticesOf(dora)).map(({ body }) => body);
      expect(told).toEqual(["A ship comes in", "A fog bell", "Loud again"]);
    });
  });

  it("preferences take effect at once and survive a reload", async () => {
    const looks = (): Promise<readonly string[]> =>
      ben.page.evaluate(
        "[getComputedStyle(document.body).backgroundColor, document.documentElement.dataset.density]",
      );
    await ben.go("/settings/appearance");
    await ben.page.getByRole("radio", { name: "Light" }).click();
    const [light] = await looks();
    await ben.page.getByRole("radio", { name: "Dark" }).click();
    await ben.page.getByRole("radio", { name: "Compact" }).click();
    const [dark, density] = await looks();
    expect([light === dark, density]).toEqual([false, "compact"]);
    await ben.go("/settings/keyboard");
    await ben.page.getByRole("switch", { name: "Send messages with Enter" }).click();
    expect(await looks()).toEqual([dark, "compact"]);
    await ben.page.reload();
    await ben.page.getByRole("switch", { name: "Send messages with Enter", checked: false }).waitFor();
    await ben.go("/");
    await ben.enterRoom(ROOM);
    await channelOf(ben, ROOM, /^general/u).click();
    await ben.composer.fill("A line");
    await ben.composer.press("Enter");
    await ben.composer.pressSequentially("and another");
    expect(await ben.composer.inputValue()).toBe("A line\nand another");
    await ben.composer.press("Control+Enter");
    await ada.sees("and another");
    expect(await ada.count("A line")).toBe(1);
  });
});
