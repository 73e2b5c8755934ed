import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { collector, double, happened } from "./bus-contract-subjects.ts";
import type { BusUnderTest } from "./bus-contract-subjects.ts";
import { describeEvents } from "./bus-events.contract.ts";
import { describeRequests } from "./bus-requests.contract.ts";

/** The suite that every twin of the bus passes. */
export function describeBusContract(name: string, factory: () => Promise<BusUnderTest>): void {
  describe(`${name} keeps the bus contract`, () => {
    let current: BusUnderTest;
    const made: BusUnderTest = {
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
      await Promise.all([made.bus.close(), made.other.close()]);
    });

    describeRequests(made);
    describeEvents(made);

    describe("closing", () => {
      it("lets handlers in progress finish", async () => {
        let finish: () => void = () => undefined;
        const started = collector<number>(1);
        made.other.answer(double, async ({ n }) => {
          started.put(n);
          await new Promise<void>((resolve) => (finish = resolve));
          return { n };
        });
        await made.settled();
        const answered = made.bus.request(double, { n: 5 });
        await started.all;
        const closed = made.bus.close();
        finish();
        await expect(answered).resolves.toEqual({ n: 5 });
        await closed;
      });

      it("refuses everything as UNAVAILABLE afterwards", async () => {
        expect(made.bus.connected).toBe(true);
        made.other.answer(double, async ({ n }) => ({ n }));
        await made.settled();
        await made.bus.close();
        await made.bus.close();
        expect(made.bus.connected).toBe(false);
        await expect(made.bus.request(double, { n: 1 })).rejects.toMatchObject({ code: "UNAVAILABLE" });
        await expect(made.bus.publish(happened, { n: 1 })).rejects.toMatchObject({ code: "UNAVAILABLE" });
      });
    });
  });
}
