import { describe, expect, it } from "@jest/globals";
import { currentRequestId, withRequestId } from "../context/request-context.ts";
import { collector, happened, happenedAgain } from "./bus-contract-subjects.ts";
import type { BusUnderTest } from "./bus-contract-subjects.ts";

const never = new Promise<never>(() => undefined);

/** The part of the bus contract about events. */
export function describeEvents(ends: BusUnderTest): void {
  describe("events", () => {
    it("reach every subscriber in publishing order, across subjects too", async () => {
      const COUNT = 500;
      const a = collector<number>(COUNT);
      const b = collector<number>(COUNT);
      ends.other.subscribe(happened, ({ n }) => a.put(n));
      ends.other.subscribe(happenedAgain, ({ n }) => a.put(n));
      ends.bus.subscribe(happened, ({ n }) => b.put(n));
      ends.bus.subscribe(happenedAgain, ({ n }) => b.put(n));
      await ends.settled();
      for (let n = 0; n < COUNT; n++) await ends.bus.publish(n % 3 === 0 ? happenedAgain : happened, { n });
      const expected = Array.from({ length: COUNT }, (_, n) => n);
      expect(await a.all).toEqual(expected);
      expect(await b.all).toEqual(expected);
    });

    it("arrive on a later turn", async () => {
      const seen = collector<number>(1);
      ends.other.subscribe(happened, ({ n }) => seen.put(n));
      await ends.settled();
      const published = ends.bus.publish(happened, { n: 1 });
      expect(seen.items).toEqual([]);
      await Promise.all([published, seen.all]);
    });

    it("are copies for each subscriber", async () => {
      const got = collector<{ n: number; list?: number[] | undefined }>(2);
      for (const end of [ends.bus, ends.other]) {
        end.subscribe(happened, (payload) => {
          payload.list?.push(99);
          got.put(payload);
        });
      }
      await ends.settled();
      const sent = { n: 1, list: [1] };
      await ends.bus.publish(happened, sent);
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
        ends.other.subscribe(happened, () => received.put(member), { queue: member.slice(0, 2) });
      }
      ends.other.subscribe(happened, () => received.put("plain"));
      await ends.settled();
      for (let n = 0; n < COUNT; n++) await ends.bus.publish(happened, { n });
      const names = await received.all;
      const count = (start: string) => names.filter((member) => member.startsWith(start)).length;
      expect([count("q1"), count("q2"), count("plain")]).toEqual([COUNT, COUNT, COUNT]);
      expect(Math.min(count("q1.a"), count("q1.b"))).toBeGreaterThan(0);
    });

    it("continue after a handler throws or rejects, for it and for others", async () => {
      const mine = collector<number>(2);
      const others = collector<number>(2);
      ends.other.subscribe(happened, ({ n }) => {
        mine.put(n);
        throw new Error("broken");
      });
      ends.other.subscribe(happened, async ({ n }) => {
        await Promise.resolve();
        others.put(n);
        throw new Error("broken later");
      });
      await ends.settled();
      await ends.bus.publish(happened, { n: 1 });
      await ends.bus.publish(happened, { n: 2 });
      expect(await mine.all).toEqual([1, 2]);
      expect(await others.all).toEqual([1, 2]);
    });

    it("are not held back by a handler that awaits", async () => {
      const started = collector<number>(2);
      const done = ends.other.subscribe(happened, ({ n }) => {
        started.put(n);
        return n === 1 ? never.catch(() => undefined) : undefined;
      });
      await ends.settled();
      await ends.bus.publish(happened, { n: 1 });
      await ends.bus.publish(happened, { n: 2 });
      expect(await started.all).toEqual([1, 2]);
      done.close();
    }, 10_000);

    it("no longer reach a subscription that was closed, even twice", async () => {
      const closed: number[] = [];
      const open = collector<number>(1);
      const subscription = ends.other.subscribe(happened, ({ n }) => void closed.push(n));
      ends.other.subscribe(happened, ({ n }) => open.put(n));
      await ends.settled();
      subscription.close();
      subscription.close();
      await ends.settled();
      await ends.bus.publish(happened, { n: 1 });
      await open.all;
      expect(closed).toEqual([]);
    });

    it("without a subscriber are no error, and a payload that does not match its schema is INTERNAL", async () => {
      await expect(ends.bus.publish(happened, { n: 1 })).resolves.toBeUndefined();
      const bad = { n: "1" } as unknown as { n: number };
      await expect(ends.bus.publish(happened, bad)).rejects.toMatchObject({ code: "INTERNAL" });
    });

    it("carry the id of the request that caused them", async () => {
      const ids = collector<string | undefined>(2);
      ends.other.subscribe(happened, () => ids.put(currentRequestId()));
      await ends.settled();
      await withRequestId("r-9", () => ends.bus.publish(happened, { n: 1 }));
      await ends.bus.publish(happened, { n: 2 });
      expect(await ids.all).toEqual(["r-9", undefined]);
    });
  });
}
