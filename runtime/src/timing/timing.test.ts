import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { recordedLog } from "../testing/doubles.ts";
import { repeat } from "./repeat.ts";
import { poll, retry } from "./retry.ts";
import { within } from "./within.ts";

const FAST = { delayMs: 1 };

/** Work that fails a number of times; `calls` counts. */
function failing(times: number) {
  const work = {
    calls: 0,
    run: async (): Promise<string> => {
      work.calls += 1;
      if (work.calls <= times) throw new Error(`failure ${work.calls}`);
      return "done";
    },
  };
  return work;
}

describe("retry", () => {
  it("returns the result of the first attempt that succeeds, and reports each failure", async () => {
    const work = failing(3);
    const failures: unknown[] = [];
    expect(await retry(work.run, { ...FAST, onFailure: (error) => failures.push(error) })).toBe("done");
    expect(failures.map(String)).toEqual(["Error: failure 1", "Error: failure 2", "Error: failure 3"]);
  });

  it("gives up at once on an error that is not retryable", async () => {
    const work = failing(3);
    await expect(retry(work.run, { ...FAST, isRetryable: () => false })).rejects.toThrow("failure 1");
    expect(work.calls).toBe(1);
  });

  it("gives up at its limit, with the last error", async () => {
    const work = failing(Infinity);
    await expect(retry(work.run, { ...FAST, limitMs: 20 })).rejects.toThrow(/^failure \d+$/);
    expect(work.calls).toBeGreaterThan(1);
  });

  it("ends its wait when it is aborted", async () => {
    const work = failing(Infinity);
    const ending = new AbortController();
    const options = { delayMs: 60_000, signal: ending.signal, onFailure: () => ending.abort() };
    await expect(retry(work.run, options)).rejects.toThrow("failure 1");
  });
});

describe("poll", () => {
  it("returns the first truthy answer", async () => {
    const answers = [0, null, "", false, 7, 8];
    expect(await poll(() => answers.shift(), { everyMs: 1, limitMs: 10_000 })).toBe(7);
  });

  it("looks once more at its limit, and then returns undefined", async () => {
    let looks = 0;
    const look = async (): Promise<boolean> => (looks += 1) < 0;
    expect(await poll(look, { everyMs: 1, limitMs: 20 })).toBeUndefined();
    expect(looks).toBeGreaterThan(1);
  });
});

describe("within", () => {
  it("rejects when the work takes longer, and passes its result or its error on otherwise", async () => {
    const late = () => new Error("late");
    await expect(within(5, setTimeout(60_000, "", { ref: false }), late)).rejects.toThrow("late");
    expect(await within(60_000, Promise.resolve("done"), late)).toBe("done");
    await expect(within(60_000, Promise.reject(new Error("broken")), late)).rejects.toThrow("broken");
  });
});

describe("repeat", () => {
  const settled = (check: () => boolean) => poll(check, { everyMs: 1, limitMs: 5_000 });

  it("never runs twice at once, and waits for the run in progress when it stops", async () => {
    let runs = 0;
    const { promise: gate, resolve: open } = Promise.withResolvers<undefined>();
    const work = async (): Promise<void> => {
      runs += 1;
      await gate;
    };
    const repetition = repeat(work, { everyMs: 1, name: "test", log: recordedLog().log, immediately: true });
    expect(runs).toBe(1);
    await setTimeout(20);
    expect(runs).toBe(1);
    let stopped = false;
    const stopping = repetition.stop().then(() => (stopped = true));
    await setTimeout(5);
    expect(stopped).toBe(false);
    open(undefined);
    await stopping;
    await setTimeout(5);
    expect(runs).toBe(1);
  });

  it("outlives failures, and logs them once until a run succeeds", async () => {
    const { log, records } = recordedLog();
    const work = failing(3);
    const repetition = repeat(
      async () => {
        await work.run();
      },
      { everyMs: 1, name: "test", log },
    );
    await settled(() => work.calls > 4);
    await repetition.stop();
    expect(records()).toMatchObject([{ task: "test", err: { message: "failure 1" } }]);
  });
});
