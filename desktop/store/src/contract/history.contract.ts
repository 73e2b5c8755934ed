import { afterEach, beforeEach, describe } from "@jest/globals";
import { manualClock } from "@hearth/runtime/testing";
import type { ManualClock } from "@hearth/runtime/testing";
import { historyConvergenceSuite } from "./history-convergence.contract.ts";
import { historyDroppingSuite } from "./history-dropping.contract.ts";
import { historyKeepingSuite } from "./history-keeping.contract.ts";
import { historyFullMessagesSuite } from "./history-full-messages.contract.ts";
import { historyPagesSuite } from "./history-pages.contract.ts";
import { historyPostponingSuite } from "./history-postponing.contract.ts";
import type { HistoryUnderTest, OpenHistory } from "./history-records.contract.ts";
import { historySearchSuite } from "./history-search.contract.ts";
import { historyUnreadSuite } from "./history-unread.contract.ts";

export type { HistoryUnderTest, OpenHistory };

/** The contract of every client store, on top of the device store's. */
export function describeHistoryContract(twin: string, open: OpenHistory): void {
  describe(`the client's history (${twin})`, () => {
    let clock: ManualClock;
    let store: HistoryUnderTest;
    beforeEach(async () => {
      clock = manualClock();
      store = await open(clock);
    });
    afterEach(() => store.close());

    describe("pages", () => historyPagesSuite(() => store));
    describe("unread messages", () => historyUnreadSuite(() => store));
    describe("search", () => historySearchSuite(() => store));
    describe("full messages", () =>
      historyFullMessagesSuite(
        () => store,
        () => clock,
      ));
    describe("dropping", () => historyDroppingSuite(() => store));
    describe("postponing", () =>
      historyPostponingSuite(
        () => store,
        () => clock,
      ));
    describe("convergence", () => historyConvergenceSuite(open));
    describe("keeping and erasing", () =>
      historyKeepingSuite(
        () => store,
        () => open(manualClock()),
        () => clock,
      ));
  });
}
