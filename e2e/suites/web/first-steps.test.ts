import { expect, it, jest } from "@jest/globals";
import { inChromium } from "../../src/browser/for-tests.ts";
import { worldForTests } from "../../src/web/for-tests.ts";

jest.setTimeout(120_000);

inChromium("the first steps of newcomers", () => {
  const world = worldForTests(1, { isWhole: true });

  it("two strangers sign up, meet in a server and talk", async () => {
    const ada = await (await world.device()).open();
    await ada.page.waitForURL(/\/login/);
    await ada.page.getByRole("link", { name: "Create an account" }).click();
    await ada.page.getByLabel("Username").fill("ada");
    await ada.page.getByLabel("Password", { exact: true }).fill("a kettle and two cups");
    await ada.button("Create account").click();
    await ada.page.getByRole("heading", { level: 1, name: "Welcome to Hearth" }).waitFor();
    await ada.createRoom("Kitchen table");

    const ben = await (await world.device()).open("/register");
    await ben.register("ben");
    await ben.findAndJoin("Kitchen table");
    await ada.say("Hello **Ben**, _tea_?");
    await ben.sees("Hello Ben, tea?");
    await ben.say("With milk, please");
    await ada.sees("With milk, please");
    expect([await ada.count("With milk"), await ben.count("With milk")]).toEqual([1, 1]);
  });

  it("messages are there after a reload and in the next tab", async () => {
    const device = await world.device();
    const cara = await device.open("/register");
    await cara.register("cara");
    await cara.createRoom("Diary");
    await cara.say("Day one");
    await cara.sees("Day one");
    const address = cara.page.url();
    await cara.page.reload();
    await cara.sees("Day one");
    const other = await device.open(new URL(address).pathname);
    await other.sees("Day one");
    await other.say("Day two");
    await cara.sees("Day two");
    expect([await cara.count("Day"), await other.count("Day")]).toEqual([2, 2]);
  });
});
