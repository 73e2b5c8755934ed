import { beforeAll, expect, it, jest } from "@jest/globals";
import { until } from "@hearth/runtime/testing/until";
import { inChromium } from "../../src/browser/for-tests.ts";
import { worldForTests } from "../../src/web/for-tests.ts";
import { storedData } from "../../src/web/stored-data.ts";
import { serverWithUsers, channelShownIn, Program } from "../../src/web/users.ts";
import { addChannel, channelOf, hasWritten, isInSight, startsWriting } from "../../src/web/room-pages.ts";
import type { Tab } from "../../src/web/tab.ts";

jest.setTimeout(120_000);

const DAY = 86_400_000;

/** Texts that must stay text: as markup they would run, fetch or navigate somewhere. */
const HOSTILE = [
  "<script>globalThis.wasHit = 1</script> <img src=https://evil.example/a.png onerror=globalThis.wasHit=1>",
  "![picture](https://evil.example/b.png) ![x](x){onerror=alert(1)}",
  "[harmless](javascript:globalThis.wasHit=1) [data](data:text/html,<script>globalThis.wasHit=1</script>)",
  "<https://evil.example/c> <iframe src=https://evil.example></iframe><style>*{display:none}</style>",
  '[a](https://evil.example/d"onmouseover="globalThis.wasHit=1) <a href="javascript:globalThis.wasHit=1">b</a>',
  "[https://bank.example](https://evil.example/e) [hidden]: javascript:globalThis.wasHit=1",
];

inChromium("a conversation", () => {
  const world = worldForTests();
  let ada: Tab;
  let ben: Tab;

  beforeAll(async () => {
    const [first, second] = await serverWithUsers(world, "Orchard", ["ada", "ben"]);
    if (second === undefined) throw new Error("Ben is missing");
    [ada, ben] = [first, second];
  }, 120_000);

  it("Up edits a message, Escape cancels the edit, and deleting asks first", async () => {
    await ada.say("One apple");
    await ben.sees("One apple");
    await ada.composer.press("ArrowUp");
    const editing = ada.page.getByText("Editing your message");
    await editing.waitFor();
    expect(await ada.composer.inputValue()).toBe("One apple");
    await ada.composer.press("Escape");
    await editing.waitFor({ state: "detached" });
    expect(await ada.composer.inputValue()).toBe("");
    await ada.composer.press("ArrowUp");
    await ada.say("Two apples");
    await ben.message("Two apples").getByText("(edited)").waitFor();
    expect([await ada.count("One apple"), await ben.count("One apple")]).toEqual([0, 0]);

    await ada.say("A pear by mistake");
    await ben.sees("A pear by mistake");
    await ada.chooseFor("A pear by mistake", "Delete");
    const question = ada.page.getByRole("alertdialog", { name: "Delete this message?" });
    await question.getByRole("button", { name: "Cancel" }).click();
    await ada.sees("A pear by mistake");
    await ada.remove("A pear by mistake");
    await ben.message("A pear by mistake").waitFor({ state: "detached" });
    expect(await ben.count("This message was deleted.")).toBe(1);
  });

  it("replies link to their message, and two users share a reaction", async () => {
    await ada.say("Which cider press?");
    await ben.sees("Which cider press?");
    await ben.chooseFor("Which cider press?", "Reply");
    await ben.page.getByText("Replying to ada").waitFor();
    await using program = await Program.of(ben);
    await program.say(...Array.from({ length: 40 }, (_, index) => `Pressing ${index}\n\nand on`));
    await ada.sees("Pressing 39");
    await ben.say("The old one");
    await ada.sees("The old one");
    await ada.page.getByRole("button", { name: "ada Which cider press?" }).click();
    await isInSight(ada, "Which cider press?");
    await ada.button("Jump to newest").click();
    await isInSight(ada, "The old one");

    await ben.react("The old one", "👍");
    const shared = (tab: Tab) => tab.message("The old one").getByRole("button", { name: /^👍/ });
    await ada.message("The old one").getByRole("button", { name: "👍, 1 reaction: ben" }).click();
    await ben.message("The old one").getByRole("button", { name: "👍, 2 reactions: ada and You" }).waitFor();
    expect(await shared(ben).getAttribute("aria-pressed")).toBe("true");
    await shared(ben).click();
    await ada.message("The old one").getByRole("button", { name: "👍, 1 reaction: You" }).click();
    await shared(ben).waitFor({ state: "detached" });
    await shared(ada).waitFor({ state: "detached" });
  });

  it("hostile texts stay text: nothing runs and nothing is fetched", async () => {
    const asked: string[] = [];
    for (const { page } of [ada, ben]) page.on("request", (request) => asked.push(request.url()));
    await using program = await Program.of(ada);
    await program.say(...HOSTILE);
    for (const text of HOSTILE) await ben.say(text);
    await ben.say("That was all of it");
    for (const tab of [ada, ben]) {
      await tab.sees("That was all of it");
      await tab.sees("globalThis.wasHit = 1");
      expect(await tab.page.evaluate("'wasHit' in globalThis")).toBe(false);
      const log = tab.page.getByRole("log");
      expect(await log.locator("script, iframe, style, img, object, embed, form, [onerror]").count()).toBe(0);
      for (const link of await log.getByRole("link").all()) {
        expect(await link.getAttribute("href")).toMatch(/^https:\/\/evil\.example\//);
        expect(await link.getAttribute("target")).toBe("_blank");
        expect((await link.getAttribute("rel"))?.split(" ")).toEqual(
          expect.arrayContaining(["noopener", "noreferrer"]),
        );
      }
    }
    const told = ben.message("https://bank.example").first().getByRole("link", { name: "bank.example" });
    expect(await told.textContent()).toContain("(evil.example)");
    expect(asked.filter((url) => !url.startsWith(ada.origin))).toEqual([]);
  });

  it("code stays as written and can be copied", async () => {
    await ben.page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: ben.origin });
    const code = "const a = `<b>`;\n\tif (a) **no**;";
    await ada.say(`Look:\n\n\`\`\`js\n${code}\n\`\`\``);
    await ben.sees("Look:");
    const message = ben.message("Look:").last();
    expect(await message.locator("pre").textContent()).toBe(code);
    await message.getByRole("button", { name: "Copy code" }).click();
    await ben.page.getByText("Code copied").first().waitFor();
    expect(await ben.page.evaluate("navigator.clipboard.readText()")).toBe(code);
  });

  it("CL5 each channel's draft survives a reload, and the channel list shows it", async () => {
    await addChannel(ada, "Orchard", "recipes");
    const channel = (name: string | RegExp) => channelOf(ada, "Orchard", name);
    await ada.composer.fill("Half a sentence");
    await channel("recipes").click();
    await channel("general, draft").waitFor();
    expect(await ada.composer.inputValue()).toBe("");
    await startsWriting(ada, "Flour, and");
    await channel("recipes, draft").waitFor();
    await ada.page.reload();
    await ada.inRoom("Orchard");
    await hasWritten(ada, "Flour, and");
    await channel("general, draft").click();
    await hasWritten(ada, "Half a sentence");
    await ada.say("Half a sentence, ended");
    await ada.sees("Half a sentence, ended");
    await channel("recipes, draft").click();
    await channel("general").waitFor();
    await ada.composer.fill("");
    await channel("general").click();
    await channel("recipes").waitFor();
  });

  it("messages from another device appear under their days, in order", async () => {
    await using program = await Program.of(ada);
    const now = Date.now();
    const messages = [5, 1, 400].map((days) => ({
      id: crypto.randomUUID(),
      content: `Said ${days} days ago`,
      timestamp: now - days * DAY,
    }));
    await program.handOver(messages);
    await until(async () => (await storedData(ada)).records.includes("Said 400 days ago"), 10_000);
    const { roomId, channelId } = channelShownIn(ada);
    await ada.go(`/rooms/${roomId}/${channelId}?message=${messages[1]?.id}`);
    await isInSight(ada, "Said 1 days ago");
    const named = (days: number, more: Intl.DateTimeFormatOptions = {}): string =>
      new Intl.DateTimeFormat("en-GB", {
        ...{ weekday: "long", day: "numeric", month: "long", timeZone: "UTC", ...more },
      }).format(now - days * DAY);
    const separators = ada.page.getByRole("log").getByRole("separator");
    await ada.page.getByRole("separator", { name: named(400, { year: "numeric" }) }).waitFor();
    const names = await Promise.all((await separators.all()).map((it) => it.getAttribute("aria-label")));
    expect(names.filter((name) => name !== "New messages")).toEqual([
      named(400, { year: "numeric" }),
      named(5),
      "Yesterday",
      "Today",
    ]);
  });

  it("search works in one server and everywhere, and shows a result in context", async () => {
    await ben.say("A quince is no **apple pie**");
    await ben.sees("A quince is no apple pie");
    await ben.go("/");
    await ben.createRoom("Kitchen");
    await ben.say("Quince jam needs time");
    await ben.sees("Quince jam needs time");
    await ben.button("Search messages").click();
    const search = ben.page.getByRole("search", { name: "Search messages" });
    await search.getByLabel("Search messages by text").fill("quinc");
    await search.getByText("1 message", { exact: true }).waitFor();
    await search.getByText("All servers").click();
    await search.getByText("2 messages", { exact: true }).waitFor();
    await search.getByRole("heading", { name: "Orchard › general" }).waitFor();
    await search.getByRole("link", { name: "A quince is no apple pie" }).click();
    await ben.inRoom("Orchard");
    await isInSight(ben, "A quince is no apple pie");
  });

  it("emoji are entered by name and with the picker", async () => {
    await ada.composer.pressSequentially("Ripe :toma");
    await ada.page.getByRole("option", { name: "tomato" }).first().waitFor();
    await ada.composer.press("Enter");
    expect(await ada.composer.inputValue()).toContain("🍅");
    await ada.button("Emoji").click();
    const picker = ada.page.getByRole("dialog", { name: "Emoji" });
    await picker.getByRole("combobox", { name: "Search" }).fill("green apple");
    await picker.getByRole("option", { name: /green apple/ }).click();
    await picker.waitFor({ state: "detached" });
    await ada.composer.press("Enter");
    await ben.sees("🍏");
    expect(await ben.message("🍏").textContent()).toContain("Ripe 🍅");
  });
});
