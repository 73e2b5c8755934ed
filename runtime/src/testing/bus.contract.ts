import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ProblemError, eventSubject, requestSubject } from "@hearth/contracts";
import { z } from "zod";
import type { Bus } from "../bus/bus.ts";
import { currentRequestId, withRequestId } from "../context/request-context.ts";

const double = requestSubject("contract.double", z.object({ n: z.number() }), z.object({ n: z.number() }));
const raw = requestSubject(
  "contract.raw",
  z.record(z.string(), z.unknown()),
  z.record(z.string(), z.unknown()),
);
const happened = eventSubject(
  "contract.happened",
  z.object({ n: z.number(), list: z.array(z.number()).optional() }),
);
const happenedAgain = eventSubject("contract.happened.again", z.object({ n: z.number() }));
const never = new Promise<never>(() => undefined);

/** What a factory of the contract hands over: two ends of one bus (the same object where there is only one end). */
export interface BusUnderTest {
  readonly bus: Bus;
  readonly other: Bus;
  /** Resolves when every subscription made so far is in force. */
  readonly settled: () => Promise<void>;
}

/** Resolves as soon as `count` values have been put in. */
export const collector = <Item>(count: number) => {
  const items: Item[] = [];
  let done: (items: Item[]) => void;
  const all = new Promise<Item[]>((resolve) => {
    done = resolve;
  });
  const put = (item: Item): void => {
    if (items.push(item) === count) done(items);
  };
  return { items, put, all };
};

/** The suite that every twin of the bus passes. */
export function describeBusContract(name: string, factory: () => Promise<BusUnderTest>): void {
  describe(`${name} keeps the bus contract`, () => {
    let bus: Bus;
    let other: Bus;
    let settled: () => Promise<void>;

    beforeEach(async () => {
      ({ bus, other, settled } = await factory());
    });
    afterEach(async () => {
      await Promise.all([bus.close(), other.close()]);
    });

    describe("questions", () => {
      it("are answered", async () => {
        other.answer(double, async ({ n }) => ({ n: n * 2 }));
        await settled();
        await expect(bus.request(double, { n: 21 })).resolves.toEqual({ n: 42 });
      });

      it("arrive on a later turn, as copies that share nothing with the sender's object", async () => {
        const question = { list: [1, 2] };
        let received: Record<string, unknown> | undefined;
        other.answer(raw, async (asked) => {
          received = asked;
          return { list: asked["list"] };
        });
        await settled();
        const answered = bus.request(raw, question);
        await Promise.resolve();
        expect(received).toBeUndefined();
        question.list.push(3);
        await expect(answered).resolves.toEqual({ list: [1, 2] });
        expect((await answered)["list"]).not.toBe(received?.["list"]);
      });

      it("are JSON: what JSON drops does not arrive", async () => {
        other.answer(raw, async (asked) => ({ keys: Object.keys(asked), at: typeof asked["at"] }));
        await settled();
        const answer = await bus.request(raw, { gone: undefined, at: new Date(0) });
        expect(answer).toEqual({ keys: ["at"], at: "string" });
      });

      it("are refused as UNAVAILABLE at once when nobody answers", async () => {
        await expect(bus.request(double, { n: 1 })).rejects.toMatchObject({
          code: "UNAVAILABLE",
          retryable: true,
        });
      });

      it("end in TIMEOUT when the answer takes too long, and a late answer does no harm", async () => {
        let finish: (answer: { n: number }) => void = () => undefined;
        other.answer(double, ({ n }) =>
          n === 0 ? new Promise((resolve) => (finish = resolve)) : Promise.resolve({ n }),
        );
        await settled();
        await expect(bus.request(double, { n: 0 }, { timeoutMs: 20 })).rejects.toMatchObject({
          code: "TIMEOUT",
          retryable: true,
        });
        finish({ n: 0 });
        await expect(bus.request(double, { n: 7 })).resolves.toEqual({ n: 7 });
      });

      it("carry a ProblemError back with all of its extras", async () => {
        const extras = {
          retryAfterMs: 1500,
          reason: "revoked",
          errors: [{ path: "a.b", message: "is wrong" }],
          quota: { name: "joins", limit: 30, windowSeconds: 60, remaining: 0, resetSeconds: 9 },
          details: { ownerClientInstanceId: "x" },
        };
        other.answer(double, async () => {
          throw new ProblemError("RATE_LIMITED", "Slower, please", extras);
        });
        await settled();
        const error: unknown = await bus.request(double, { n: 1 }).catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(ProblemError);
        expect(error).toMatchObject({ code: "RATE_LIMITED", message: "Slower, please", extras });
      });

      it("answer any other error as INTERNAL and hide its text", async () => {
        other.answer(double, async () => {
          throw new Error("SELECT secret FROM /var/lib");
        });
        await settled();
        const error: unknown = await bus.request(double, { n: 1 }).catch((reason: unknown) => reason);
        expect(error).toMatchObject({ code: "INTERNAL" });
        expect(JSON.stringify(error) + String(error)).not.toContain("secret");
      });

      it("survive a handler that throws before it awaits", async () => {
        other.answer(double, ({ n }) => {
          if (n < 0) throw new ProblemError("FORBIDDEN");
          return Promise.resolve({ n });
        });
        await settled();
        await expect(bus.request(double, { n: -1 })).rejects.toMatchObject({ code: "FORBIDDEN" });
        await expect(bus.request(double, { n: 1 })).resolves.toEqual({ n: 1 });
      });

      it("that do not match their schema are INVALID_REQUEST and reach no handler", async () => {
        let handled = 0;
        other.answer(double, async ({ n }) => ({ n: (handled += n) }));
        await settled();
        const bad = { n: "1" } as unknown as { n: number };
        await expect(bus.request(double, bad)).rejects.toMatchObject({
          code: "INVALID_REQUEST",
          extras: { errors: [{ path: "n" }] },
        });
        expect(handled).toBe(0);
      });

      it("with an answer that does not match its schema are INTERNAL", async () => {
        other.answer(double, async () => ({ n: "2" }) as unknown as { n: number });
        await settled();
        await expect(bus.request(double, { n: 1 })).rejects.toMatchObject({ code: "INTERNAL" });
      });

      it("reach one of several that answer, each in turn", async () => {
        const answeredBy: number[] = [];
        for (const id of [0, 1, 2]) {
          other.answer(double, async ({ n }) => {
            answeredBy.push(id);
            return { n };
          });
        }
        await settled();
        await Promise.all(Array.from({ length: 60 }, (_, n) => bus.request(double, { n })));
        expect(answeredBy).toHaveLength(60);
        expect(new Set(answeredBy)).toEqual(new Set([0, 1, 2]));
      });

      it("are answered by those who are left when one closes, twice without harm", async () => {
        const first = other.answer(double, async () => ({ n: 1 }));
        other.answer(double, async () => ({ n: 2 }));
        await settled();
        first.close();
        first.close();
        await settled();
        const answers = await Promise.all([0, 1, 2, 3].map((n) => bus.request(double, { n })));
        expect(answers.map(({ n }) => n)).toEqual([2, 2, 2, 2]);
      });

      it("carry the id of the request in whose course they are asked", async () => {
        other.answer(raw, async () => {
          await Promise.resolve();
          return { id: currentRequestId() ?? null };
        });
        await settled();
        const ask = (id: string) => withRequestId(id, () => bus.request(raw, {}));
        await expect(Promise.all([ask("r-1"), ask("r-2")])).resolves.toEqual([{ id: "r-1" }, { id: "r-2" }]);
        await expect(bus.request(raw, {})).resolves.toEqual({ id: null });
      });
    });

    describe("events", () => {
      it("reach every subscriber in publishing order, across subjects too", async () => {
        const COUNT = 500;
        const a = collector<number>(COUNT);
        const b = collector<number>(COUNT);
        other.subscribe(happened, ({ n }) => a.put(n));
        other.subscribe(happenedAgain, ({ n }) => a.put(n));
        bus.subscribe(happened, ({ n }) => b.put(n));
        bus.subscribe(happenedAgain, ({ n }) => b.put(n));
        await settled();
        for (let n = 0; n < COUNT; n++) await bus.publish(n % 3 === 0 ? happenedAgain : happened, { n });
        const expected = Array.from({ length: COUNT }, (_, n) => n);
        expect(await a.all).toEqual(expected);
        expect(await b.all).toEqual(expected);
      });

      it("are handed over on a later turn", async () => {
        const seen = collector<number>(1);
        other.subscribe(happened, ({ n }) => seen.put(n));
        await settled();
        await bus.publish(happened, { n: 1 });
        expect(seen.items).toEqual([]);
        await seen.all;
      });

      it("are copies for each subscriber", async () => {
        const got = collector<{ n: number; list?: number[] | undefined }>(2);
        for (const end of [bus, other]) {
          end.subscribe(happened, (payload) => {
            payload.list?.push(99);
            got.put(payload);
          });
        }
        await settled();
        const sent = { n: 1, list: [1] };
        await bus.publish(happened, sent);
        sent.list.push(2);
        expect(await got.all).toEqual([
          { n: 1, list: [1, 99] },
          { n: 1, list: [1, 99] },
        ]);
      });

      it("reach one member of each queue group, and every plain subscriber", async () => {
        const COUNT = 40;
        const received = collector<string>(COUNT * 3);
        for (const member of ["q1.a", "q1.b", "q2.a"]) {
          other.subscribe(happened, () => received.put(member), { queue: member.slice(0, 2) });
        }
        other.subscribe(happened, () => received.put("plain"));
        await settled();
        for (let n = 0; n < COUNT; n++) await bus.publish(happened, { n });
        const names = await received.all;
        const count = (start: string) => names.filter((member) => member.startsWith(start)).length;
        expect([count("q1"), count("q2"), count("plain")]).toEqual([COUNT, COUNT, COUNT]);
        expect(Math.min(count("q1.a"), count("q1.b"))).toBeGreaterThan(0);
      });

      it("go on after a handler throws or rejects, for itself and for others", async () => {
        const mine = collector<number>(2);
        const others = collector<number>(2);
        other.subscribe(happened, ({ n }) => {
          mine.put(n);
          throw new Error("broken");
        });
        other.subscribe(happened, async ({ n }) => {
          await Promise.resolve();
          others.put(n);
          throw new Error("broken later");
        });
        await settled();
        await bus.publish(happened, { n: 1 });
        await bus.publish(happened, { n: 2 });
        expect(await mine.all).toEqual([1, 2]);
        expect(await others.all).toEqual([1, 2]);
      });

      it("are not held back by a handler that awaits", async () => {
        const started = collector<number>(2);
        const done = other.subscribe(happened, ({ n }) => {
          started.put(n);
          return n === 1 ? never.catch(() => undefined) : undefined;
        });
        await settled();
        await bus.publish(happened, { n: 1 });
        await bus.publish(happened, { n: 2 });
        expect(await started.all).toEqual([1, 2]);
        done.close();
      }, 10_000);

      it("no longer reach a subscription that was closed, even twice", async () => {
        const closed: number[] = [];
        const open = collector<number>(1);
        const subscription = other.subscribe(happened, ({ n }) => void closed.push(n));
        other.subscribe(happened, ({ n }) => open.put(n));
        await settled();
        subscription.close();
        subscription.close();
        await settled();
        await bus.publish(happened, { n: 1 });
        await open.all;
        expect(closed).toEqual([]);
      });

      it("that nobody receives are no error, and a payload that does not match its schema is INTERNAL", async () => {
        await expect(bus.publish(happened, { n: 1 })).resolves.toBeUndefined();
        const bad = { n: "1" } as unknown as { n: number };
        await expect(bus.publish(happened, bad)).rejects.toMatchObject({ code: "INTERNAL" });
      });

      it("carry the id of the request in whose course they are published", async () => {
        const ids = collector<string | undefined>(2);
        other.subscribe(happened, () => ids.put(currentRequestId()));
        await settled();
        await withRequestId("r-9", () => bus.publish(happened, { n: 1 }));
        await bus.publish(happened, { n: 2 });
        expect(await ids.all).toEqual(["r-9", undefined]);
      });
    });

    describe("closing", () => {
      it("lets what is under way finish", async () => {
        let finish: () => void = () => undefined;
        const started = collector<number>(1);
        other.answer(double, async ({ n }) => {
          started.put(n);
          await new Promise<void>((resolve) => (finish = resolve));
          return { n };
        });
        await settled();
        const answered = bus.request(double, { n: 5 });
        await started.all;
        const closed = bus.close();
        finish();
        await expect(answered).resolves.toEqual({ n: 5 });
        await closed;
      });

      it("refuses everything as UNAVAILABLE afterwards", async () => {
        expect(bus.connected).toBe(true);
        other.answer(double, async ({ n }) => ({ n }));
        await settled();
        await bus.close();
        await bus.close();
        expect(bus.connected).toBe(false);
        await expect(bus.request(double, { n: 1 })).rejects.toMatchObject({ code: "UNAVAILABLE" });
        await expect(bus.publish(happened, { n: 1 })).rejects.toMatchObject({ code: "UNAVAILABLE" });
      });
    });
  });
}
