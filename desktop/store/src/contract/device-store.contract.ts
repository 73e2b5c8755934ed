import { afterEach, beforeEach, describe } from "@jest/globals";
import { manualClock } from "@hearth/runtime/testing";
import type { ManualClock } from "@hearth/runtime/testing";
import { accountRecordsSuite } from "./account-records.contract.ts";
import { convergenceSuite } from "./convergence.contract.ts";
import type { OpenStore, StoreUnderTest } from "./device-records.contract.ts";
import { messagesSuite } from "./messages.contract.ts";
import { pagesSuite } from "./pages.contract.ts";

/** The contract of every device store. Each of `pageSeeds` takes three thousand messages. */
export function describeDeviceStoreContract(
  twin: string,
  open: OpenStore,
  pageSeeds: readonly number[] = [1, 2, 3],
): void {
  describe(`the device store (${twin})`, () => {
    let clock: ManualClock;
    let store: StoreUnderTest;
    beforeEach(async () => {
      clock = manualClock();
      store = await open(clock);
    });
    afterEach(() => store.close());

    describe("account records", () => accountRecordsSuite(() => store));
    describe("messages", () =>
      messagesSuite(
        () => store,
        () => clock,
      ));
    describe("pages", () =>
      pagesSuite(
        () => store,
        () => clock,
        pageSeeds,
      ));
    describe("convergence", () => convergenceSuite(open));
  });
}
