import { describe, expect, it } from "@jest/globals";
import { ProblemError } from "@hearth/contracts";
import { currentRequestId, withRequestId } from "../context/request-context.ts";
import { double, raw } from "./bus-contract-subjects.ts";
import type { BusUnderTest } from "./bus-contract-subjects.ts";

/** The part of the bus contract about requests. */
export function describeRequests(ends: BusUnderTest): void {
  describe("requests", () => {
    it("are answered", async () => {
      ends.other.answer(double, async ({ n }) => ({ n: n * 2 }));
      await ends.settled();
      await expect(ends.bus.request(double, { n: 21 })).resolves.toEqual({ n: 42 });
    });

    it("arrive on a later turn, as copies that share nothing with the sender's object", async () => {
      const question = { list: [1, 2] };
      let received: Record<string, unknown> | undefined;
      ends.other.answer(raw, async (asked) => {
        received = asked;
        return { list: asked["list"] };
      });
      await ends.settled();
      const answered = ends.bus.request(raw, question);
      await Promise.resolve();
      expect(received).toBeUndefined();
      question.list.push(3);
      await expect(answered).resolves.toEqual({ list: [1, 2] });
      expect((await answered)["list"]).not.toBe(received?.["list"]);
    });

    it("are JSON: what JSON drops does not arrive", async () => {
      ends.other.answer(raw, async (asked) => ({ keys: Object.keys(asked), at: typeof asked["at"] }));
      await ends.settled();
      const answer = await ends.bus.request(raw, { gone: undefined, at: new Date(0) });
      expect(answer).toEqual({ keys: ["at"], at: "string" });
    });

    it("are refused as UNAVAILABLE at once when nobody answers", async () => {
      await expect(ends.bus.request(double, { n: 1 })).rejects.toMatchObject({
        code: "UNAVAILABLE",
        retryable: true,
      });
    });

    it("end in TIMEOUT when the answer takes too long, and a late answer does no harm", async () => {
      let finish: (answer: { n: number }) => void = () => undefined;
      ends.other.answer(double, ({ n }) =>
        n === 0 ? new Promise((resolve) => (finish = resolve)) : Promise.resolve({ n }),
      );
      await ends.settled();
      await expect(ends.bus.request(double, { n: 0 }, { timeoutMs: 20 })).rejects.toMatchObject({
        code: "TIMEOUT",
        retryable: true,
      });
      finish({ n: 0 });
      await expect(ends.bus.request(double, { n: 7 })).resolves.toEqual({ n: 7 });
    });

    it("return a ProblemError with all its extras", async () => {
      const extras = {
        retryAfterMs: 1500,
        reason: "revoked",
        errors: [{ path: "a.b", message: "is wrong" }],
        quota: { name: "joins", limit: 30, windowSeconds: 60, remaining: 0, resetSeconds: 9 },
        details: { ownerClientInstanceId: "x" },
      };
      ends.other.answer(double, async () => {
        throw new ProblemError("RATE_LIMITED", "Slower, please", extras);
      });
      await ends.settled();
      const error: unknown = await ends.bus.request(double, { n: 1 }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ProblemError);
      expect(error).toMatchObject({ code: "RATE_LIMITED", message: "Slower, please", extras });
    });

    it("answer any other error as INTERNAL and hide its text", async () => {
      ends.other.answer(double, async () => {
        throw new Error("SELECT secret FROM /var/lib");
      });
      await ends.settled();
      const error: unknown = await ends.bus.request(double, { n: 1 }).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: "INTERNAL" });
      expect(JSON.stringify(error) + String(error)).not.toContain("secret");
    });

    it("survive a handler that throws before it awaits", async () => {
      ends.other.answer(double, ({ n }) => {
        if (n < 0) throw new ProblemError("FORBIDDEN");
        return Promise.resolve({ n });
      });
      await ends.settled();
      await expect(ends.bus.request(double, { n: -1 })).rejects.toMatchObject({ code: "FORBIDDEN" });
      await expect(ends.bus.request(double, { n: 1 })).resolves.toEqual({ n: 1 });
    });

    it("that do not match their schema are INVALID_REQUEST and reach no handler", async () => {
      let handled = 0;
      ends.other.answer(double, async ({ n }) => ({ n: (handled += n) }));
      await ends.settled();
      const bad = { n: "1" } as unknown as { n: number };
      await expect(ends.bus.request(double, bad)).rejects.toMatchObject({
        code: "INVALID_REQUEST",
        extras: { errors: [{ path: "n" }] },
      });
      expect(handled).toBe(0);
    });

    it("with an answer that does not match its schema are INTERNAL", async () => {
      ends.other.answer(double, async () => ({ n: "2" }) as unknown as { n: number });
      await ends.settled();
      await expect(ends.bus.request(double, { n: 1 })).rejects.toMatchObject({ code: "INTERNAL" });
    });

    it("reach one of several answerers, each in turn", async () => {
      const answeredBy: number[] = [];
      for (const id of [0, 1, 2]) {
        ends.other.answer(double, async ({ n }) => {
          answeredBy.push(id);
          return { n };
        });
      }
      await ends.settled();
      await Promise.all(Array.from({ length: 60 }, (_, n) => ends.bus.request(double, { n })));
      expect(answeredBy).toHaveLength(60);
      expect(new Set(answeredBy)).toEqual(new Set([0, 1, 2]));
    });

    it("are answered by the others after one has closed, even twice", async () => {
      const first = ends.other.answer(double, async () => ({ n: 1 }));
      ends.other.answer(double, async () => ({ n: 2 }));
      await ends.settled();
      first.close();
      first.close();
      await ends.settled();
      const answers = await Promise.all([0, 1, 2, 3].map((n) => ends.bus.request(double, { n })));
      expect(answers.map(({ n }) => n)).toEqual([2, 2, 2, 2]);
    });

    it("carry the id of the HTTP request that caused them", async () => {
      ends.other.answer(raw, async () => {
        await Promise.resolve();
        return { id: currentRequestId() ?? null };
      });
      await ends.settled();
      const ask = (id: string) => withRequestId(id, () => ends.bus.request(raw, {}));
      await expect(Promise.all([ask("r-1"), ask("r-2")])).resolves.toEqual([{ id: "r-1" }, { id: "r-2" }]);
      await expect(ends.bus.request(raw, {})).resolves.toEqual({ id: null });
    });
  });
}
