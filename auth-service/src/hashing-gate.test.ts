import { describe, expect, it } from "@jest/globals";
import { ProblemError } from "@hearth/contracts";
import { manualClock } from "@hearth/runtime/testing";
import { createHashingGate } from "./hashing-gate.ts";

/** A job that a test ends when it likes. */
function heldJobs() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const job = (name: string) => () =>
    new Promise<string>((resolve) => {
      started.push(name);
      ends.set(name, () => resolve(name));
    });
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { started, job, end };
}

describe("hashing gate", () => {
  it("AU3 runs as many as there are slots, then first come, first served", async () => {
    const { started, job, end } = heldJobs();
    const gate = createHashingGate({ clock: manualClock(), slots: 2 });
    const results = ["a", "b", "c", "d"].map((name) => gate.run(name, job(name)));
    expect(started).toEqual(["a", "b"]);
    await end("b");
    expect(started).toEqual(["a", "b", "c"]);
    await end("a");
    expect(started).toEqual(["a", "b", "c", "d"]);
    await end("c");
    await end("d");
    expect(await Promise.all(results)).toEqual(["a", "b", "c", "d"]);
  });

  it("AU8 never runs two of one account at once, and lets others pass them", async () => {
    const { started, job, end } = heldJobs();
    const gate = createHashingGate({ clock: manualClock(), slots: 2 });
    const results = [
      gate.run("alice", job("alice 1")),
      gate.run("alice", job("alice 2")),
      gate.run("bob", job("bob")),
    ];
    expect(started).toEqual(["alice 1", "bob"]);
    await end("bob");
    expect(started).toEqual(["alice 1", "bob"]);
    await end("alice 1");
    expect(started).toEqual(["alice 1", "bob", "alice 2"]);
    await end("alice 2");
    await Promise.all(results);
  });

  it("ER6 refuses with UNAVAILABLE and a time to wait when the queue is full", async () => {
    const { job, end } = heldJobs();
    const gate = createHashingGate({ clock: manualClock(), slots: 1, queueLimit: 2 });
    const results = ["a", "b", "c"].map((name) => gate.run(name, job(name)));
    const refused = await gate.run("d", job("d")).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ProblemError);
    expect(refused).toMatchObject({ code: "UNAVAILABLE", extras: { retryAfterMs: expect.any(Number) } });
    for (const name of ["a", "b", "c"]) await end(name);
    expect(await Promise.all(results)).toEqual(["a", "b", "c"]);
    const again = gate.run("d", job("d"));
    await end("d");
    expect(await again).toBe("d");
  });

  it("ER6 refuses whoever has waited longer than anybody listens, without doing the work", async () => {
    const clock = manualClock();
    const { started, job, end } = heldJobs();
    const gate = createHashingGate({ clock, slots: 1, patienceMs: 1000 });
    const first = gate.run("a", job("a"));
    const late = gate.run("b", job("b")).catch((error: unknown) => error);
    clock.advance(600);
    const inTime = gate.run("c", job("c"));
    clock.advance(600);
    await end("a");
    expect(await late).toMatchObject({ code: "UNAVAILABLE" });
    expect(started).toEqual(["a", "c"]);
    await end("c");
    expect(await Promise.all([first, inTime])).toEqual(["a", "c"]);
  });

  it("AU3 a job that fails frees its slot and fails for its caller alone", async () => {
    const gate = createHashingGate({ clock: manualClock(), slots: 1 });
    const failing = gate.run("a", async () => Promise.reject(new Error("no")));
    const next = gate.run("b", async () => "done");
    await expect(failing).rejects.toThrow("no");
    expect(await next).toBe("done");
  });

  it("AU3 tells how many run and wait", async () => {
    const seen: string[] = [];
    const { job, end } = heldJobs();
    const onChange = (running: number, waiting: number) => void seen.push(`${running}/${waiting}`);
    const gate = createHashingGate({ clock: manualClock(), slots: 1, onChange });
    const results = [gate.run("a", job("a")), gate.run("b", job("b"))];
    expect(seen.at(-1)).toBe("1/1");
    await end("a");
    await end("b");
    await Promise.all(results);
    expect(seen.at(-1)).toBe("0/0");
  });
});
