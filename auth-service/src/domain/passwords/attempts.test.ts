import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { createMemoryLimiters } from "@hearth/runtime";
import { createAttempts } from "./attempts.ts";
import type { Attempt, Attempts } from "./attempts.ts";
import { refusalOf } from "../../testing/service.ts";

const MINUTE = 60_000;
const attempt = (fields: Partial<Attempt> = {}): Attempt => ({
  foldedName: "ada",
  addressBlock: "203.0.113.1",
  stranger: false,
  ...fields,
});

let attempts: Attempts;
beforeEach(() => {
  jest.useFakeTimers();
  attempts = createAttempts(createMemoryLimiters());
});
afterEach(() => {
  jest.useRealTimers();
});

const fail = async (times: number, fields: Partial<Attempt> = {}): Promise<void> => {
  for (let n = 0; n < times; n += 1) await attempts.failed(attempt(fields));
};
const check = (fields: Partial<Attempt> = {}) => refusalOf(attempts.check(attempt(fields)));
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe("attempts", () => {
  it("AU8 the window of 15 minutes begins with the first hit, and blocked hits do not lengthen it", async () => {
    const hit = () => refusalOf(attempts.countRequest("203.0.113.1"));
    for (let n = 0; n < 100; n += 1) {
      expect(await hit()).toBe("good");
      if (n === 0) await pass(10 * MINUTE);
    }
    for (let n = 0; n < 50; n += 1) expect(await hit()).toBe("RATE_LIMITED");
    await pass(4 * MINUTE);
    for (let n = 0; n < 50; n += 1) expect(await hit()).toBe("RATE_LIMITED");
    await pass(MINUTE + 1);
    expect(await hit()).toBe("good");
  });

  it("AU8 an account's window ends on time too, however many attempts were made", async () => {
    await fail(10);
    for (let n = 0; n < 14; n += 1) {
      await pass(MINUTE);
      expect(await check()).toBe("RATE_LIMITED");
    }
    await pass(MINUTE + 1);
    expect(await check()).toBe("good");
  });

  it("AU8 checks cost nothing: only failures count", async () => {
    for (let n = 0; n < 50; n += 1) expect(await check({ stranger: true })).toBe("good");
    await fail(9);
    expect(await check()).toBe("good");
    await fail(1);
    expect(await check()).toBe("RATE_LIMITED");
  });

  it("AU8 counts an account apart from others, and an address apart from others", async () => {
    await fail(10);
    expect(await check({ foldedName: "bob" })).toBe("good");
    expect(await check({ addressBlock: "203.0.113.2" })).toBe("good");
    expect(await check()).toBe("RATE_LIMITED");
  });

  it("AU8 strangers use up the account's window; known addresses neither use it nor are blocked by it", async () => {
    for (let n = 0; n < 10; n += 1) await fail(9, { addressBlock: `192.0.2.${n}` });
    await fail(9, { addressBlock: "198.51.100.1", stranger: true });
    expect(await check({ addressBlock: "198.51.100.2", stranger: true })).toBe("good");
    for (let n = 0; n < 91; n += 1) await fail(1, { addressBlock: `2001:db8:${n}::/64`, stranger: true });
    expect(await check({ addressBlock: "198.51.100.2", stranger: true })).toBe("RATE_LIMITED");
    expect(await check()).toBe("good");
  });

  it("AU8 a success resets the account: its count at that address, and that of strangers", async () => {
    await fail(9);
    for (let n = 0; n < 100; n += 1) await fail(1, { addressBlock: `2001:db8:${n}::/64`, stranger: true });
    await fail(9, { addressBlock: "203.0.113.9" });
    await attempts.succeeded(attempt());
    await fail(9);
    expect(await check()).toBe("good");
    expect(await check({ addressBlock: "198.51.100.2", stranger: true })).toBe("good");
    await fail(1, { addressBlock: "203.0.113.9" });
    expect(await check({ addressBlock: "203.0.113.9" })).toBe("RATE_LIMITED");
  });
});
