import { rm } from "node:fs/promises";
import { expect, it, jest } from "@jest/globals";
import { until } from "@hearth/runtime/testing/until";
import { inChromium } from "../../src/browser/for-tests.ts";
import { expectOk } from "../../src/client/index.ts";
import { localLogin } from "../../src/local-api/calls.ts";
import { newDataDir, startLocalApi } from "../../src/local-api/process.ts";
import { buildWindow } from "../../src/settings-screen/built-window.ts";
import { enter } from "../../src/web/account-pages.ts";
import { asAppWindow } from "../../src/web/app-window.ts";
import { newcomer, channelShownIn, Program } from "../../src/web/users.ts";
import type { ProgramMessage } from "../../src/web/users.ts";
import { worldForTests } from "../../src/web/for-tests.ts";
import { chooseForMember, showMembers } from "../../src/web/members.ts";
import { isInSight } from "../../src/web/room-pages.ts";
import { PASSWORD } from "../../src/web/tab.ts";
import type { Tab } from "../../src/web/tab.ts";
import { startStoreProcess } from "../../src/window/store-process.ts";

jest.setTimeout(120_000);

const COUNT = 10_000;
const BATCH = 200;
const MINUTE = 60_000;
const PATIENCE_MS = 30_000;

const numbered = (n: number): string => `No. ${n} of the log`;

/** A year of messages from another device. */
function history(now: number): readonly ProgramMessage[] {
  return Array.from({ length: COUNT }, (_, n) => ({
    id: crypto.randomUUID(),
    content: n % 7 === 0 ? `${numbered(n)}\n\nwith a **second** line` : numbered(n),
    timestamp: now - (COUNT - n) * 30 * MINUTE,
  }));
}

const LAID_OUT = `[...document.querySelectorAll("[role=log] article")].map((article) => ({
  n: Number(/No\\. (\\d+) of the log/.exec(article.textContent)?.[1]),
  isTabStop: article.tabIndex === 0,
}))`;

interface LaidOut {
  readonly n: number;
  readonly isTabStop: boolean;
}

/** The numbers of the rendered messages, from the top. */
async function laidOut(tab: Tab): Promise<readonly number[]> {
  const all = await tab.page.evaluate<readonly LaidOut[]>(LAID_OUT);
  // The Tab stop stays rendered wherever it is.
  const isFarAway = ({ n, isTabStop }: LaidOut): boolean =>
    isTabStop && !all.some((other) => Math.abs(other.n - n) === 1);
  return all.filter((it) => !isFarAway(it)).map(({ n }) => n);
}

/** Consecutive numbers: none missing, none twice. */
function expectWhole(numbers: readonly number[]): void {
  const [first = 0] = numbers;
  expect(numbers).toEqual(numbers.map((_, index) => first + index));
}

/** Scrolls with the wheel until this message is rendered, and checks the messages at every step. */
async function scrollTo(tab: Tab, wanted: number, step: number): Promise<number> {
  const log = tab.page.getByRole("log");
  await log.hover();
  let most = 0;
  await until(async () => {
    const numbers = await laidOut(tab);
    expectWhole(numbers);
    most = Math.max(most, numbers.length);
    if (numbers.includes(wanted)) return true;
    await tab.page.mouse.wheel(0, step);
    return false;
  }, 60_000);
  return most;
}

inChromium("a long history", () => {
  const world = worldForTests();

  it("of ten thousand messages scrolls to its beginning and back, complete and in order, and the page stays small", async () => {
    const ada = await newcomer(world, "ada");
    await ada.createRoom("Logbook");
    const messages = history(Date.now());
    {
      await using program = await Program.of(ada);
      for (let from = 0; from < COUNT; from += BATCH)
        await program.handOver(messages.slice(from, from + BATCH));
    }
    await ada
      .message(numbered(COUNT - 1))
      .first()
      .waitFor({ timeout: 120_000 });
    await ada.page.reload();
    await isInSight(ada, numbered(COUNT - 1));
    expectWhole(await laidOut(ada));
    // Scrolls a long way, then jumps across the history.
    expect(await scrollTo(ada, COUNT - 400, -900)).toBeLessThan(150);
    const { roomId, channelId } = channelShownIn(ada);
    await ada.button("Search messages").click();
    const search = ada.page.getByRole("search", { name: "Search messages" });
    for (const n of [7_501, 5_000, 2_499]) {
      await search.getByLabel("Search messages by text").fill(`${n} log`);
      await search.getByRole("link", { name: numbered(n) }).click();
      await isInSight(ada, numbered(n));
      expectWhole(await laidOut(ada));
      expect(channelShownIn(ada)).toEqual({ roomId, channelId });
    }
    await ada.button("Close search").click();
    await scrollTo(ada, 2_400, -600);
    await scrollTo(ada, 2_560, 600);
    await ada.go(`/rooms/${roomId}/${channelId}?message=${messages[3]?.id}`);
    await isInSight(ada, numbered(3));
    await scrollTo(ada, 0, -600);
    await ada.page.getByText("This is the beginning of general.").waitFor();
    expect((await laidOut(ada))[0]).toBe(0);
    const elements = Number(await ada.page.evaluate("document.querySelectorAll('*').length"));
    expect(elements).toBeLessThan(5_000);
    await ada.button(/Jump to newest/u).click();
    await isInSight(ada, numbered(COUNT - 1));
    expectWhole(await laidOut(ada));
  }, 240_000);

  it("shows its beginning", async () => {
    const ben = await newcomer(world, "ben");
    await ben.createRoom("Notes");
    await using program = await Program.of(ben);
    await program.handOver(history(Date.now()).slice(0, 450));
    await isInSight(ben, numbered(449));
    expect(await scrollTo(ben, 0, -1_500)).toBeLessThan(150);
    await ben.page.getByText("This is the beginning of general.").waitFor();
    expect((await laidOut(ben))[0]).toBe(0);
    await scrollTo(ben, 449, 1_500);
  });

  it("LA1 stored by the app's window is what its local API returns: messages, reactions, users, roles and bans", async () => {
    const dataDir = await newDataDir();
    await using store = await startStoreProcess(dataDir);
    const device = await world.device();
    await asAppWindow(device.context, (await buildWindow()).preload, store);
    const nora = await device.open("/register");
    await nora.page.getByLabel("Instance").fill(nora.origin);
    await enter(nora, "Create account", "nora", PASSWORD);
    await nora.atHome();
    await nora.createRoom("Reading room");
    const [otto, pia] = await Promise.all([newcomer(world, "otto"), newcomer(world, "pia")]);
    await otto.findAndJoin("Reading room");
    await pia.findAndJoin("Reading room");
    await nora.say("Chapter one");
    await otto.sees("Chapter one");
    await otto.say("Chapter **two**");
    await nora.sees("Chapter two");
    await nora.edit("Chapter one", "Chapter zero");
    await otto.react("Chapter zero", "🎉");
    await nora.button(/^🎉, 1 reaction: otto$/u).waitFor();
    await showMembers(nora);
    await chooseForMember(nora, "otto", "Make moderator");
    await chooseForMember(nora, "pia", "Ban…");
    await nora.page
      .getByRole("dialog", { name: "Ban pia?" })
      .getByRole("button", { name: "Ban", exact: true })
      .click();
    await pia.inRail("Reading room").waitFor({ state: "detached" });

    const local = await startLocalApi({ dataDir, args: ["--allow", nora.origin] });
    try {
      const { token, user } = await localLogin(local.url, nora.origin, "nora", PASSWORD);
      const { roomId } = channelShownIn(nora);
      const ask = <Body>(path: string) => expectOk<Body>(local.url, "GET", path, { token });
      expect(user.username).toBe("nora");
      expect(await ask("/api/profile")).toMatchObject({ username: "nora", homeSignalServerUrl: nora.origin });
      expect(await ask("/api/rooms")).toMatchObject([{ id: roomId, name: "Reading room", role: "owner" }]);
      const messages = await ask<readonly { id: string }[]>(`/api/rooms/${roomId}/messages`);
      expect(messages).toMatchObject([
        { content: "Chapter zero", revision: 1, senderDisplayName: "nora", delivery: "sent" },
        { content: "Chapter **two**", senderDisplayName: "otto" },
      ]);
      expect(await ask(`/api/messages/${messages[0]?.id}/reactions`)).toMatchObject([{ emoji: "🎉" }]);
      await until(async () => {
        const people = await ask<readonly { displayName: string; role: string }[]>(
          `/api/rooms/${roomId}/users`,
        );
        const known = people.map(({ displayName, role }) => `${displayName}: ${role}`);
        return known.join() === "nora: owner,otto: moderator";
      }, PATIENCE_MS);
      const [banned] = await ask<readonly { userId: string }[]>(`/api/rooms/${roomId}/bans`);
      expect(await ask(`/api/users/${banned?.userId}`)).toMatchObject({ displayName: "pia" });
      await nora.page.reload();
      await nora.sees("Chapter zero");
      expect(await ask(`/api/rooms/${roomId}/messages`)).toHaveLength(2);
    } finally {
      await local.stop();
      await device.context.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
