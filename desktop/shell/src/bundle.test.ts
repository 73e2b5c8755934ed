import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { expect, it } from "@jest/globals";
import { CALL } from "@hearth/bridge";

it("the built main process is one file that starts and stops without any other", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "hearth-bundle-"));
  try {
    const program = path.join(import.meta.dirname, "testing/run-bundle.ts");
    const { stdout } = await promisify(execFile)(process.execPath, [program, folder], { cwd: folder });
    expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toEqual({
      channels: Object.values(CALL),
      preload: path.join(folder, "preload.cjs"),
      exits: [0],
      errors: [],
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 60_000);
