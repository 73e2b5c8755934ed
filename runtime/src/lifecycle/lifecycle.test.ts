import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "@jest/globals";
import { silentLog } from "../log/log.ts";
import { recordedLog } from "../testing/doubles.ts";
import { createLifecycle } from "./lifecycle.ts";

describe("a lifecycle", () => {
  const made = (failing: Readonly<Record<string, "start" | "stop" | "hang">> = {}) => {
    const done: string[] = [];
    const { log, records } = recordedLog();
    const lifecycle = createLifecycle({ log });
    for (const name of ["bus", "auth", "http"]) {
      lifecycle.add({
        name,
        stopLimitMs: 20,
        start: async () => {
          if (failing[name] === "start") throw new Error(`${name} cannot start`);
          done.push(`+${name}`);
        },
        stop: async () => {
          if (failing[name] === "stop") throw new Error(`${name} cannot stop`);
          if (failing[name] === "hang") await new Promise(() => undefined);
          done.push(`-${name}`);
        },
      });
    }
    return { lifecycle, done, records };
  };

  it("starts in order and stops in reverse, each once", async () => {
    const { lifecycle, done } = made();
    await Promise.all([lifecycle.start(), lifecycle.start()]);
    expect(await Promise.all([lifecycle.stop(), lifecycle.stop()])).toEqual([true, true]);
    expect(done).toEqual(["+bus", "+auth", "+http", "-http", "-auth", "-bus"]);
  });

  it("stops the started parts when one fails, and rejects with its error", async () => {
    const { lifecycle, done } = made({ http: "start" });
    await expect(lifecycle.start()).rejects.toThrow("http cannot start");
    expect(done).toEqual(["+bus", "+auth", "-auth", "-bus"]);
    await lifecycle.stop();
    expect(done).toHaveLength(4);
  });

  it.each(["stop", "hang"] as const)("stops the others behind a part that does %s", async (failure) => {
    const { lifecycle, done, records } = made({ auth: failure });
    await lifecycle.start();
    expect(await lifecycle.stop()).toBe(false);
    expect(done.slice(3)).toEqual(["-http", "-bus"]);
    expect(records()).toEqual([expect.objectContaining({ part: "auth" })]);
  });

  it("starts nothing more once it has to stop", async () => {
    const lifecycle = createLifecycle({ log: silentLog });
    const done: string[] = [];
    lifecycle.add({
      name: "first",
      start: async () => void lifecycle.stop(),
      stop: async () => void done.push("-first"),
    });
    lifecycle.add({ name: "second", start: async () => void done.push("+second") });
    await lifecycle.start();
    await lifecycle.stop();
    expect(done).toEqual(["-first"]);
  });
});

describe("the process", () => {
  const source = new URL("../index.ts", import.meta.url).href;

  /** Runs a process whose only part takes a while to stop, and does `after` once it has started. */
  const run = async (
    after: (pid: number, saw: (text: string) => Promise<void>) => Promise<void>,
    { stop = "", hardLimitMs = 5_000, then = "" } = {},
  ) => {
    const script = `
      import { createLifecycle, createLog } from ${JSON.stringify(source)};
      const lifecycle = createLifecycle({ log: createLog({ name: "test" }), hardLimitMs: ${hardLimitMs} });
      const alive = setInterval(() => {}, 1000);
      lifecycle.add({ name: "part", stopLimitMs: 60000, stop: async () => {
        console.log("part stopping");
        ${stop}
        clearInterval(alive);
        console.log("part stopped");
      } });
      lifecycle.handleSignals();
      await lifecycle.start();
      console.log("started");
      ${then}`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
    let output = "";
    const waiting = new Set<() => void>();
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        output += chunk;
        for (const check of waiting) check();
      });
    }
    const saw = (text: string): Promise<void> =>
      new Promise((resolve) => {
        const check = () => {
          if (output.includes(text)) resolve();
        };
        waiting.add(check);
        check();
      });
    const ended = once(child, "close");
    await saw("started");
    await after(child.pid ?? 0, saw);
    const [code] = (await ended) as [number | null];
    return { code, output };
  };
  const nothing = async () => undefined;

  it.each(["SIGTERM", "SIGINT"] as const)("stops its parts on %s and ends with 0", async (signal) => {
    const { code, output } = await run(async (pid) => void process.kill(pid, signal));
    expect(code).toBe(0);
    expect(output.match(/part stopped/g)).toHaveLength(1);
  });

  it("ends at once with 1 on a second signal", async () => {
    const { code, output } = await run(
      async (pid, saw) => {
        process.kill(pid, "SIGTERM");
        await saw("part stopping");
        process.kill(pid, "SIGINT");
      },
      { stop: "await new Promise(() => {});" },
    );
    expect(code).toBe(1);
    expect(output).not.toContain("part stopped");
  });

  it("ends with 1 at the hard limit", async () => {
    const { code, output } = await run(async (pid) => void process.kill(pid, "SIGTERM"), {
      stop: "await new Promise(() => {});",
      hardLimitMs: 50,
    });
    expect(code).toBe(1);
    expect(output).toContain("stopping took too long");
  });

  it.each([
    ["a rejection that nobody handles", "void Promise.reject(new Error('lost'));"],
    ["an exception that nobody catches", "setTimeout(() => { throw new Error('lost'); });"],
  ])("logs %s, stops in order and ends with 1", async (_name, then) => {
    const { code, output } = await run(nothing, { then });
    expect(code).toBe(1);
    expect(output).toContain("an error that nobody caught");
    expect(output).toContain("lost");
    expect(output).toContain("part stopped");
  });

  it("signals a part that waits in its start, so that it stops waiting", async () => {
    const lifecycle = createLifecycle({ log: silentLog });
    let stopped = false;
    lifecycle.add({
      name: "waiting",
      start: (stopping) =>
        new Promise((resolve) => {
          stopping.addEventListener("abort", () => resolve());
        }),
      stop: async () => void (stopped = true),
    });
    const started = lifecycle.start();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await lifecycle.stop()).toBe(true);
    await started;
    expect(stopped).toBe(true);
  });
});
