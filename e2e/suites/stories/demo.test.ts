import { describe, expect, it } from "@jest/globals";
import { outputMatch } from "../../src/server/child.ts";
import { runCommand } from "../../src/server/command.ts";

const DEMO = "e2e/src/demo/main.ts";

const SCENES = [
  "Accounts",
  "Connections, through both doors",
  "A server, created, found and joined",
  "Chat, and an edit",
  "One account, every device the same",
  "Voice moves from one device to the other",
  "Signing out everywhere else",
];

const SERVER = /The server is at (http:\S+?)\. /;
const START_MS = 20_000;

describe("npm run demo", () => {
  it("WS1 plays all scenes, and prints no colours outside a terminal", async () => {
    const demo = runCommand(DEMO);
    expect([await demo.ended, demo.stderr()]).toEqual([0, ""]);
    const text = demo.stdout();
    const headlines = text.split("\n").filter((line) => /^\d+\. /.test(line));
    expect(headlines).toEqual(SCENES.map((scene, index) => `${index + 1}. ${scene}`));
    expect(text).toContain("Hearth, a short story");
    expect(text).toMatch(/stopped with code 0\.\s*$/);
    expect(text).not.toContain("\u001b");
    expect(text).not.toMatch(/undefined|NaN|\[object/);
  }, 30_000);

  it.each(["SIGINT", "SIGTERM"] as const)(
    "WS15 %s in the midst of it leaves no server behind",
    async (signal) => {
      const demo = runCommand(DEMO);
      const url = await outputMatch(demo, (text) => SERVER.exec(text)?.[1], START_MS);
      demo.process.kill(signal);
      expect(await demo.ended).toBe(signal === "SIGINT" ? 130 : 143);
      await expect(fetch(url)).rejects.toThrow();
    },
    30_000,
  );
});
