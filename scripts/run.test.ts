import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "@jest/globals";

const folder = mkdtempSync(path.join(tmpdir(), "hearth-run-"));
afterAll(() => rmSync(folder, { recursive: true }));

const program = path.join(folder, "program.ts");
writeFileSync(
  program,
  `const [code] = process.argv.slice(2);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      console.log("got", signal);
      setTimeout(() => process.exit(Number(code)), 300);
    });
  }
  setInterval(() => undefined, 1000);
  console.log("pid", process.pid);`,
);

interface Running {
  readonly parent: ChildProcess;
  readonly pid: number;
  readonly ended: Promise<{ code: unknown; signals: string[] }>;
}

/** In its own process group, like a terminal's foreground job. */
async function start(code: number): Promise<Running> {
  const run = new URL("run.mjs", import.meta.url).href;
  const script = `import { run } from ${JSON.stringify(run)};
    process.exitCode = await run(${JSON.stringify(program)}, ["${code}"]);`;
  const parent = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  const exit = once(parent, "close") as Promise<[unknown]>;
  const pid = await new Promise<number>((resolve) => {
    parent.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      const [, found] = /pid (\d+)/.exec(output) ?? [];
      if (found) resolve(Number(found));
    });
  });
  const ended = exit.then(([exitCode]) => ({ code: exitCode, signals: output.match(/SIG\w+/g) ?? [] }));
  return { parent, pid, ended };
}

const groupOf = ({ parent }: Running): number => -Number(parent.pid);

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s to the parent alone reaches the program once",
  async (signal) => {
    const running = await start(0);
    running.parent.kill(signal);
    running.parent.kill(signal);
    expect(await running.ended).toEqual({ code: 0, signals: [signal] });
  },
);

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s to the whole group reaches the program once",
  async (signal) => {
    const running = await start(0);
    process.kill(groupOf(running), signal);
    expect(await running.ended).toEqual({ code: 0, signals: [signal] });
  },
);

test("the exit code of the program becomes the parent's", async () => {
  const running = await start(3);
  process.kill(running.pid, "SIGTERM");
  expect(await running.ended).toEqual({ code: 3, signals: ["SIGTERM"] });
});

test("a program that a signal ended gives 128 and the signal's number", async () => {
  const running = await start(0);
  process.kill(running.pid, "SIGKILL");
  expect(await running.ended).toEqual({ code: 137, signals: [] });
});

test("the program stops when its parent is killed", async () => {
  const running = await start(0);
  running.parent.kill("SIGKILL");
  expect(await running.ended).toEqual({ code: null, signals: ["SIGTERM"] });
});
