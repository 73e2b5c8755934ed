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

/** Each account from an address of its own, unless it is about addresses. */
const by = (account: string, address = account, known = false) => ({ account, address, known });
const refusalOf = (outcome: Promise<unknown>): Promise<string> =>
  outcome.then(
    () => "served",
    (error: unknown) => (error instanceof ProblemError ? error.code : String(error)),
  );

describe("hashing gate", () => {
  it("AU3 runs as many jobs as there are slots, and the others in order", async () => {
    const { started, job, end } = heldJobs();
    const gate = createHashingGate({ clock: manualClock(), slots: 2 });
    const results = ["a", "b", "c", "d"].map((name) => gate.run(by(name), job(name)));
    expect(started).toEqual(["a", "b"]);
    await end("b");
    expect(started).toEqual(["a", "b", "c"]);
    await end("a");
    expect(started).toEqual(["a", "b", "c", "d"]);
    await end("c");
    await end("d");
    expect(await Promise.all(results)).toEqual(["a", "b", "c", "d"]);
  });

  it("AU8 never runs two jobs of one account at once, and lets others overtake them", async () => {
    const { started, job, end } = heldJobs();
    const gate = createHashingGate({ clock: manualClock(), slots: 2 });
    const results = [
      gate.run(by("alice"), job("alice 1")),
      gate.run(by("alice"), job("alice 2")),
      gate.run(by("bob"), job("bob")),
    ];
    expect(started).toEqual(["alice 1", "bob"]);
    await end("bob");
    expect(started).toEqual(["alice 1", "bob"]);
    await end("alice 1");
    expect(started).toEqual(["alice 1", "bob", "alice 2"]);
    await end("alice 2");
    await Promise.all(results);
  });

  it("ER6 refuses with UNAVAILABLE and retryAfterMs when the queue is full", async () => {
    const { job, end } = heldJobs();
    const gate = createHashingGate({ clock: manualClock(), slots: 1, queueLimit: 2 });
    const results = ["a", "b", "c"].map((name) => gate.run(by(name), job(name)));
    const refused = await gate.run(by("d"), job("d")).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ProblemError);
    expect(refused).toMatchObject({ code: "UNAVAILABLE", extras: { retryAfterMs: expect.any(Number) } });
    for (const name of ["a", "b", "c"]) await end(name);
    expect(await Promise.all(results)).toEqual(["a", "b", "c"]);
    const again = gate.run(by("d"), job("d"));
    await end("d");
    expect(await again).toBe("d");
  });

  it("ER6 refuses a job that has waited too long, without running it", async () => {
    const clock = manualClock();
    const { started, job, end } = heldJobs();
    const gate = createHashingGate({ clock, slots: 1, patienceMs: 1000 });
    const first = gate.run(by("a"), job("a"));
    const late = gate.run(by("b"), job("b")).catch((error: unknown) => error);
    clock.advance(600);
    const inTime = gate.run(by("c"), job("c"));
    clock.advance(600);
    await end("a");
    expect(await late).toMatchObject({ code: "UNAVAILABLE" });
    expect(started).toEqual(["a", "c"]);
    await end("c");
    expect(await Promise.all([first, inTime])).toEqual(["a", "c"]);
  });

  it("AU3 a job that fails frees its slot and fails for its caller alone", async () => {
    const gate = createHashingGate({ clock: manualClock(), slots: 1 });
    const failing = gate.run(by("a"), async () => Promise.reject(new Error("no")));
    const next = gate.run(by("b"), async () => "done");
    await expect(failing).rejects.toThrow("no");
    expect(await next).toBe("done");
  });

  it("AU3 reports how many jobs run and wait", async () => {
    const seen: string[] = [];
    const { job, end } = heldJobs();
    const onChange = (running: number, waiting: number) => void seen.push(`${running}/${waiting}`);
    const gate = createHashingGate({ clock: manualClock(), slots: 1, onChange });
    const results = [gate.run(by("a"), job("a")), gate.run(by("b"), job("b"))];
    expect(seen.at(-1)).toBe("1/1");
    await end("a");
    await end("b");
    await Promise.all(results);
    expect(seen.at(-1)).toBe("0/0");
  });

  it("AB7 addresses take turns, however many jobs one of them has", async () => {
    const { started, job, end } = heldJobs();
    const gate = createHashingGate({ clock: manualClock(), slots: 1 });
    const names = ["n1", "n2", "n3", "n4", "q1"];
    const addressOf = (name: string) => (name.startsWith("n") ? "noisy" : "quiet");
    const results = names.map((name) => gate.run(by(name, addressOf(name)), job(name)));
    for (const name of ["n1", "q1", "n2", "n3", "n4"]) await end(name);
    await Promise.all(results);
    expect(started).toEqual(["n1", "q1", "n2", "n3", "n4"]);
  });

  it("AB7 addresses that succeeded before come first, but strangers have every fourth turn", async () => {
    const { started, job, end } = heldJobs();
    const gate = createHashingGate({ clock: manualClock(), slots: 1 });
    const results = ["s1", "s2", "s3"].map((name) => gate.run(by(name), job(name)));
    const known = ["k1", "k2", "k3", "k4"].map((name) => gate.run(by(name, "known", true), job(name)));
    for (const name of ["s1", "k1", "k2", "k3", "s2", "k4", "s3"]) await end(name);
    await Promise.all([...results, ...known]);
    expect(started).toEqual(["s1", "k1", "k2", "k3", "s2", "k4", "s3"]);
  });

  it("AB7 a stranger with one login comes before strangers with several at once", async () => {
    const { started, job, end } = heldJobs();
    const gate = createHashingGate({ clock: manualClock(), slots: 1 });
    const noisy = ["a1", "a2", "b1", "b2"].map((name) => gate.run(by(name, name.slice(0, 1)), job(name)));
    const quiet = gate.run(by("q"), job("q"));
    for (const name of ["a1", "q", "a2", "b1", "b2"]) await end(name);
    await Promise.all([...noisy, quiet]);
    expect(started.slice(0, 2)).toEqual(["a1", "q"]);
  });

  it("AB7 queues four jobs of one address, and refuses only that address's fifth", async () => {
    const { job, end } = heldJobs();
    const gate = createHashingGate({ clock: manualClock(), slots: 1 });
    const results = ["1", "2", "3", "4", "5"].map((name) => gate.run(by(name, "noisy"), job(name)));
    expect(await refusalOf(gate.run(by("6", "noisy"), job("6")))).toBe("RATE_LIMITED");
    const quiet = gate.run(by("q", "quiet"), job("q"));
    for (const name of ["1", "q", "2", "3", "4", "5"]) await end(name);
    expect(await quiet).toBe("q");
    await Promise.all(results);
  });

  it("AB7 a full queue drops a job of the busiest address for a quiet one", async () => {
    const { job, end } = heldJobs();
    const gate = createHashingGate({ clock: manualClock(), slots: 1, queueLimit: 4 });
    const first = gate.run(by("1", "noisy"), job("1"));
    const waiting = ["2", "3", "4", "5"].map((name) => refusalOf(gate.run(by(name, "noisy"), job(name))));
    const quiet = gate.run(by("q", "quiet"), job("q"));
    expect(await waiting[3]).toBe("UNAVAILABLE");
    for (const name of ["1", "q", "2", "3", "4"]) await end(name);
    expect(await Promise.all([first, quiet])).toEqual(["1", "q"]);
    expect(await Promise.all(waiting)).toEqual(["served", "served", "served", "UNAVAILABLE"]);
  });

  it("AB7 the use of an address decays within a few minutes", async () => {
    const clock = manualClock();
    const { started, job, end } = heldJobs();
    const gate = createHashingGate({ clock, slots: 1, patienceMs: 10 * 60_000 });
    const run = async (name: string, address: string) => {
      const result = gate.run(by(name, address), job(name));
      await end(name);
      await result;
    };
    for (const name of ["1", "2", "3"]) await run(name, "once noisy");
    clock.advance(20 * 60_000);
    await run("4", "other");
    const held = gate.run(by("held"), job("held"));
    const results = [gate.run(by("b", "other"), job("b")), gate.run(by("a", "once noisy"), job("a"))];
    for (const name of ["held", "a", "b"]) await end(name);
    await Promise.all([held, ...results]);
    expect(started.slice(-2)).toEqual(["a", "b"]);
  });
});
