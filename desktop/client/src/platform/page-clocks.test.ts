import { describe, expect, it } from "@jest/globals";
import { settled } from "../testing/fake-clock.ts";
import { createFakeDevice } from "../testing/fake-device.ts";
import { createFakePlatform } from "../testing/fake-platform.ts";
import type { FakePlatform } from "../testing/fake-platform.ts";
import { createLeaseLocks } from "./lease-locks.ts";
import { createResumeWatch } from "./resume-watch.ts";
import { createIdSource } from "../uuid.ts";

describe("a page that slept", () => {
  function watched() {
    let time = 0;
    let resumed = 0;
    const watch = createResumeWatch(
      () => time,
      () => void (resumed += 1),
    );
    return { watch, pass: (milliseconds: number) => void (time += milliseconds), resumed: () => resumed };
  }

  it("CL6 is noticed by the clock, once", () => {
    const { watch, pass, resumed } = watched();
    for (let tick = 0; tick < 100; tick += 1) {
      pass(5_200);
      watch.tick(true);
    }
    expect(resumed()).toBe(0);
    pass(3_600_000);
    watch.tick(true);
    pass(5_000);
    watch.tick(true);
    expect(resumed()).toBe(1);
  });

  it("CL6 is not confused with a background page, whose timers run once a minute", () => {
    const { watch, pass, resumed } = watched();
    for (let tick = 0; tick < 100; tick += 1) {
      pass(60_500);
      watch.tick(false);
    }
    expect(resumed()).toBe(0);
    pass(40_000);
    watch.shown();
    expect(resumed()).toBe(1);
  });
});

describe("UUIDs of version 7", () => {
  it("sort by creation, whatever the clock does", () => {
    let time = 1_000;
    const random = createFakePlatform({ seed: 1 });
    const newId = createIdSource(
      () => time,
      (length) => random.randomBytes(length),
    );
    const ids = Array.from({ length: 20_000 }, (_, index) => {
      if (index % 7_000 === 0) time += index % 2 === 0 ? 5 : -3;
      return newId();
    });
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of [ids[0], ids.at(-1)])
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("begin with the time", () => {
    const newId = createIdSource(
      () => 0x0123_4567_89ab,
      (length) => new Uint8Array(length),
    );
    expect(newId()).toBe("01234567-89ab-7000-8000-000000000000");
  });
});

describe("lease locks", () => {
  const tabs = (count: number): FakePlatform[] => {
    const device = createFakeDevice();
    return Array.from({ length: count }, () => createFakePlatform({ device }));
  };

  it("CL5 let one tab work at a time, each in turn", async () => {
    const platforms = tabs(4);
    let working = 0;
    let most = 0;
    let done = 0;
    const work = platforms.map((platform) =>
      createLeaseLocks(platform).exclusive("outbox", async () => {
        most = Math.max(most, (working += 1));
        await new Promise<void>((resolve) => void platform.later(1_000, resolve));
        working -= 1;
        done += 1;
      }),
    );
    await platforms[0]?.clock.advance(30_000);
    await Promise.all(work);
    expect([most, done]).toEqual([1, 4]);
    expect(platforms[0]?.local.entries.size).toBe(0);
  });

  it("CL5 last as long as the work, and are released when it fails", async () => {
    const [a, b] = tabs(2);
    if (!a || !b) throw new Error("No tabs");
    const long = createLeaseLocks(a).exclusive("x", async () => {
      await new Promise<void>((resolve) => void a.later(200_000, resolve));
      throw new Error("failed");
    });
    const failed = expect(long).rejects.toThrow("failed");
    await a.clock.advance(1_000);
    let entered = 0;
    const second = createLeaseLocks(b).exclusive("x", async () => void (entered = b.now()));
    const started = b.now();
    await a.clock.advance(205_000);
    await Promise.all([failed, second]);
    expect(entered - started).toBeGreaterThanOrEqual(198_000);
  });

  it("CL5 of a dead tab expire; those of a closed tab are released at once", async () => {
    const [a, b] = tabs(2);
    if (!a || !b) throw new Error("No tabs");
    a.local.set("app.lock.x", JSON.stringify({ owner: "dead", until: a.now() + 70_000 }));
    let entered = 0;
    const leases = createLeaseLocks(b);
    const work = leases.exclusive("x", async () => {
      entered = b.now();
      return new Promise(() => undefined);
    });
    const started = b.now();
    await a.clock.advance(75_000);
    expect(entered - started).toBeGreaterThanOrEqual(70_000);
    leases.releaseAll();
    expect(a.local.entries.size).toBe(0);
    void work;
  });

  it("CL5 can be given up while waiting, and a damaged lock is free", async () => {
    const [a] = tabs(1);
    if (!a) throw new Error("No tab");
    const leases = createLeaseLocks(a);
    const off = new AbortController();
    a.local.set("app.lock.x", JSON.stringify({ owner: "other", until: a.now() + 70_000 }));
    let ran = 0;
    const waiting = leases.exclusive("x", async () => void (ran += 1), off.signal);
    await settled();
    off.abort();
    await a.clock.advance(1_000);
    await waiting;
    expect(ran).toBe(0);
    for (const text of [
      "{",
      "null",
      '{"owner":"x"}',
      JSON.stringify({ owner: "x", until: Number.MAX_VALUE }),
    ]) {
      a.local.set("app.lock.x", text);
      const work = leases.exclusive("x", async () => void (ran += 1));
      await a.clock.advance(1_000);
      await work;
    }
    expect(ran).toBe(4);
  });
});
