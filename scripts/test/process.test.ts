import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { runTool } from "./process.ts";

let folder: string;
beforeAll(() => void (folder = mkdtempSync(path.join(tmpdir(), "hearth-tool-"))));
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts a process that would go on for a minute, and prints its id. */
const PARENT = `const { pid } = require("node:child_process").spawn(process.execPath,
  ["-e", "setTimeout(() => undefined, 60_000)"], { stdio: "ignore" }); console.log(pid);`;

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const gone = async (pid: number): Promise<boolean> => {
  for (let left = 200; left > 0 && isAlive(pid); left -= 1)
    await new Promise((resolve) => setTimeout(resolve, 50));
  return !isAlive(pid);
};

it.each([
  ["has ended", "process.exit(3)", 1],
  ["takes too long", "setTimeout(() => undefined, 60_000)", 0.01],
])("a tool that %s takes along what it has started", async (_, then, minutes) => {
  const log = path.join(folder, `${minutes}.log`);
  expect(await runTool("node", ["-e", PARENT + then], { minutes, log })).toBe(false);
  const pid = Number(readFileSync(log, "utf8"));
  expect(pid).toBeGreaterThan(1);
  expect(await gone(pid)).toBe(true);
});
