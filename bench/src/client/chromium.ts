import { spawnSync } from "node:child_process";
import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";
import type { Cores } from "../machine/cores.ts";

/** The machine's Chromium on all cores, because it is measured itself. */
export async function launchChromium(cores: Cores): Promise<Browser> {
  if (cores.pinned)
    spawnSync("taskset", ["-acp", `0-${cores.count - 1}`, String(process.pid)], { stdio: "ignore" });
  const executablePath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}
