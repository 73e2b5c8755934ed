import { expect, it, jest } from "@jest/globals";
import { inChromium } from "../../src/browser/for-tests.ts";
import { ownDevicesForTests, worldForTests } from "../../src/web/for-tests.ts";
import { Frames } from "../../src/web/frames.ts";
import { startsWriting } from "../../src/web/room-pages.ts";
import { comeBack } from "../../src/web/own-devices.ts";
import type { ProxiedDevice } from "../../src/web/own-devices.ts";
import type { Tab } from "../../src/web/tab.ts";

jest.setTimeout(120_000);

const REPLACED = "Another tab has taken over this session.";

const instanceOf = ({ page }: Tab): Promise<unknown> =>
  page.evaluate(`sessionStorage.getItem("app.clientInstanceId")`);

/** The shown texts with this prefix, in order. */
const linesOf = async (tab: Tab, start: string): Promise<readonly string[]> => {
  const shown = await tab.page.getByRole("article").getByText(start).allTextContents();
  return shown.map((text) => text.trim());
};

inChromium("tabs of one browser, and sleep", () => {
  const world = worldForTests();
  const devices = ownDevicesForTests(world);

  /** A user in their own server, and a second member who listens. */
  const inRoom = async (
    username: string,
    room: string,
  ): Promise<{ readonly device: ProxiedDevice; readonly tab: Tab; readonly listener: Tab }> => {
    const device = await devices.device("laptop");
    const tab = await device.open("/register");
    await tab.register(username);
    await tab.createRoom(room);
    const listener = await (await world.device()).open("/register");
    await listener.register(`${username}-listener`);
    await listener.findAndJoin(room);
    return { device, tab, listener };
  };

  it("CL4 a duplicated tab gets its own id and both work, while a reload keeps the id", async () => {
    const { tab: first, listener } = await inRoom("ada", "Desk");
    const id = await instanceOf(first);
    const second = await devices.duplicate(first);
    await second.inRoom("Desk");
    expect(await instanceOf(second)).not.toBe(id);
    for (const tab of [first, second]) {
      const before = await instanceOf(tab);
      await tab.page.reload();
      await tab.inRoom("Desk");
      expect(await instanceOf(tab)).toBe(before);
    }
    expect(await instanceOf(first)).toBe(id);

    const numbers = [1, 2, 3, 4, 5];
    const sayAll = async (tab: Tab, from: string): Promise<void> => {
      for (const n of numbers) await tab.say(`${from} ${n}`);
    };
    await Promise.all([sayAll(first, "left"), sayAll(second, "right")]);
    for (const tab of [listener, first, second])
      for (const from of ["left", "right"]) {
        await tab.sees(`${from} 5`);
        expect(await linesOf(tab, from)).toEqual(numbers.map((n) => `${from} ${n}`));
      }
    for (const tab of [first, second]) expect(await tab.page.getByText(REPLACED).count()).toBe(0);
  });

  it("WS6 a replaced tab says so, does not reconnect by itself and can take over again", async () => {
    const { tab: first, listener } = await inRoom("ben", "Bench");
    const frames = new Frames(first.page);
    await first.page.clock.install();
    await first.page.reload();
    await first.inRoom("Bench");
    const usurping = await devices.device("phone");
    const id = JSON.stringify(await instanceOf(first));
    await usurping.context.addInitScript(`sessionStorage.setItem("app.clientInstanceId", ${id})`);
    const second = await usurping.open("/login");
    await second.signIn("ben");
    await second.enterRoom("Bench");
    await first.page.getByText(REPLACED).waitFor();
    const { dials } = frames;
    await first.page.clock.fastForward("10:00");
    await first.page.evaluate(`window.dispatchEvent(new Event("online"))`);
    await second.say("Over here now");
    await listener.sees("Over here now");
    expect([frames.dials - dials, await second.page.getByText(REPLACED).count()]).toEqual([0, 0]);

    await first.button("Use this tab").click();
    await second.page.getByText(REPLACED).waitFor();
    await first.page.getByText(REPLACED).waitFor({ state: "detached" });
    await first.say("And back again");
    await listener.sees("And back again");
    expect(frames.dials - dials).toBe(1);
  });

  it("CL6 a page that slept detects its dead socket, reconnects and shows the missed messages", async () => {
    const { device, tab, listener } = await inRoom("cleo", "Porch");
    const phone = await (await devices.device("phone")).open("/login");
    await phone.signIn("cleo");
    await phone.enterRoom("Porch");
    const frames = new Frames(tab.page);
    await tab.page.clock.install();
    await tab.page.reload();
    await tab.inRoom("Porch");
    await listener.say("Good night");
    for (const one of [tab, phone]) await one.sees("Good night");
    const event = (target: string, made: string) => () =>
      tab.page.evaluate(`void ${target}.dispatchEvent(new ${made})`);
    const naps: readonly (readonly [string, () => Promise<unknown>])[] = [
      ["a closed lid", () => tab.page.clock.fastForward("08:00:00")],
      ["a frozen tab", event("document", `Event("resume")`)],
      ["a way to another page", event("window", `PageTransitionEvent("pageshow", { persisted: true })`)],
    ];
    for (const [name, nap] of naps) {
      const { dials } = frames;
      device.line.forget();
      await listener.say(`During ${name}`);
      await phone.sees(`During ${name}`);
      await nap();
      await tab.sees(`During ${name}`);
      expect(frames.dials).toBe(dials + 1);
    }
    await tab.say("Good morning");
    await listener.sees("Good morning");
    expect(await linesOf(tab, "During")).toEqual(naps.map(([name]) => `During ${name}`));
  });

  it("CL5 messages written offline survive a reload and are sent once and in order", async () => {
    const { device, tab, listener } = await inRoom("dora", "Attic");
    device.line.cut("pages");
    await tab.page.getByText(/^(?:No connection|Connecting) to/u).waitFor();
    await tab.say("waited 1");
    await tab.say("waited 2");
    await startsWriting(tab, "a thought not yet said");
    await tab.sees("waited 2");
    await tab.page.getByText("Waiting for a connection").first().waitFor();
    await tab.page.reload();
    await tab.sees("waited 1");
    await tab.page.getByText(/^(?:No connection|Connecting) to/u).waitFor();
    expect(await tab.composer.inputValue()).toBe("a thought not yet said");
    await tab.say("waited 3");
    await tab.sees("waited 3");
    expect(await linesOf(listener, "waited")).toEqual([]);
    device.line.mend();
    await listener.sees("waited 3");
    await tab.page
      .getByText(/^(?:Waiting for a connection|Sending…)$/u)
      .first()
      .waitFor({ state: "detached" });
    for (const one of [tab, listener])
      expect(await linesOf(one, "waited")).toEqual(["waited 1", "waited 2", "waited 3"]);
  });

  it("CL5 another tab sends what a closed tab could not", async () => {
    const { device, tab, listener } = await inRoom("emma", "Cellar");
    const other = await device.open(new URL(tab.page.url()).pathname);
    await other.inRoom("Cellar");
    device.line.cut();
    await tab.page.getByText(/^(?:No connection|Connecting) to/u).waitFor();
    await tab.say("left 1");
    await tab.say("left 2");
    await other.sees("left 2");
    await tab.page.close();
    device.line.mend();
    await comeBack(other);
    await listener.sees("left 2");
    expect(await linesOf(listener, "left")).toEqual(["left 1", "left 2"]);
    await other.page.reload();
    await other.sees("left 2");
    expect(await linesOf(other, "left")).toEqual(["left 1", "left 2"]);
  });
});
