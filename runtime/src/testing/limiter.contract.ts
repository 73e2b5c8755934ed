import { beforeEach, describe, expect, it } from "@jest/globals";
import { ProblemError } from "@hearth/contracts";
import type { Limiter, LimiterFactory } from "../limits/limiter.ts";

/** What a factory of the contract hands over. */
export interface LimitersUnderTest {
  readonly limiters: LimiterFactory;
  /** Lets that much time pass for the limiters, by moving their clock or by waiting. */
  readonly pass: (ms: number) => Promise<void>;
}

const refusalOf = async (hit: Promise<unknown>): Promise<ProblemError> => {
  const error: unknown = await hit.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ProblemError) return error;
  throw new Error("The hit was not refused");
};

/** The suite that every twin of the limiters passes. */
export function describeLimiterContract(name: string, factory: () => Promise<LimitersUnderTest>): void {
  describe(`${name} keeps the limiter contract`, () => {
    let limiter: Limiter;
    let pass: (ms: number) => Promise<void>;

    beforeEach(async () => {
      const underTest = await factory();
      pass = underTest.pass;
      limiter = underTest.limiters({ name: "contract", points: 3, windowMs: 2_000 });
    });

    const use = async (key: string, times: number): Promise<void> => {
      for (let n = 0; n < times; n++) await limiter.consume(key);
    };

    it("counts down, and refuses with the quota once the window is used up", async () => {
      const remaining: number[] = [];
      for (let n = 0; n < 3; n++) remaining.push((await limiter.consume("a")).remaining);
      expect(remaining).toEqual([2, 1, 0]);
      const refusal = await refusalOf(limiter.consume("a"));
      expect(refusal.code).toBe("RATE_LIMITED");
      expect(refusal.extras.retryAfterMs).toBeGreaterThan(0);
      expect(refusal.extras.retryAfterMs).toBeLessThanOrEqual(2_000);
      expect(refusal.extras.quota).toMatchObject({
        name: "contract",
        limit: 3,
        windowSeconds: 2,
        remaining: 0,
      });
    });

    it("counts each key separately", async () => {
      await use("a", 3);
      await expect(limiter.consume("b")).resolves.toMatchObject({ remaining: 2 });
    });

    it("opens again when the window ends", async () => {
      await use("a", 3);
      await pass(2_050);
      await expect(limiter.consume("a")).resolves.toMatchObject({ remaining: 2 });
    });

    it("AU8 does not lengthen the window by refused hits", async () => {
      await use("a", 3);
      await pass(1_200);
      for (let n = 0; n < 5; n++) await refusalOf(limiter.consume("a"));
      expect((await refusalOf(limiter.consume("a"))).extras.retryAfterMs).toBeLessThanOrEqual(800);
      await pass(850);
      await expect(limiter.consume("a")).resolves.toMatchObject({ remaining: 2 });
    });

    it("checks without counting", async () => {
      await expect(limiter.check("a")).resolves.toMatchObject({ limit: 3, remaining: 3 });
      await use("a", 2);
      for (let n = 0; n < 5; n++) await expect(limiter.check("a")).resolves.toMatchObject({ remaining: 1 });
      await use("a", 1);
      expect((await refusalOf(limiter.check("a"))).code).toBe("RATE_LIMITED");
    });

    it("forgets a key on reset, and ignores an unknown one", async () => {
      await use("a", 3);
      await limiter.reset("a");
      await limiter.reset("never seen");
      await expect(limiter.consume("a")).resolves.toMatchObject({ remaining: 2 });
    });

    it("lets exactly the limit through when hits are concurrent", async () => {
      const hits = await Promise.allSettled(Array.from({ length: 50 }, () => limiter.consume("a")));
      expect(hits.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    });
  });
}
