import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { collector, double, happened } from "./bus-contract-subjects.ts";
import type { BusUnderTest } from "./bus-contract-subjects.ts";
import { describeEvents } from "./bus-events.contract.ts";
import { describeRequests } from "./bus-requests.contract.ts";

/** The suite that every twin of the bus passes. */
export function describeBusContract(name: string, factory: () => Promise<BusUnderTest>): void {
  describe(`${name} keeps the bus contract`, () => {
    let current: BusUnderTest;
    const ends: BusUnderTest = {
      get bus() {
        return current.bus;
      },
      get other() {
        return current.other;
      },
      settled: () => current.settled(),
    };

    beforeEach(async () => {
      current = await factory();
    });
    afterEach(async () => {
      await Promise.all([ends.bus.close(), ends.other.close()]);
    });

    describeRequests(ends);
    describeEvents(ends);

    describe("closing", () => {
      it("lets handlers in progress finish", async () => {
        let finish: () => void = () => undefined;
        const started = collector<number>(1);
        ends.other.answer(double, async ({ n }) => {
          started.put(n);
          await new Promise<void>((resolve) => (finish = resolve));
          return { n };
        });
        await ends.settled();
        const answered = ends.bus.request(double, { n: 5 });
        await started.all;
        const closed = ends.bus.close();
        finish();
        await expect(answered).resolves.toEqual({ n: 5 });
        await closed;
      });

      it("refuses everything as UNAVAILABLE afterwards", async () => {
        expect(ends.bus.connected).toBe(true);
        ends.other.answer(double, async ({ n }) => ({ n }));
        await ends.settled();
        await ends.bus.close();
        await ends.bus.close();
        expect(ends.bus.connected).toBe(false);
        await expect(ends.bus.request(double, { n: 1 })).rejects.toMatchObject({ code: "UNAVAILABLE" });
        await expect(ends.bus.publish(happened, { n: 1 })).rejects.toMatchObject({ code: "UNAVAILABLE" });
      });
    });
  });
}
