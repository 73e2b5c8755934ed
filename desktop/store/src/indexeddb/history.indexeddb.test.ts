import { jest } from "@jest/globals";
import { describeHistoryContract } from "../contract/history.contract.ts";
import { openEmpty } from "./testing/store-under-test.ts";

// Under the test runner the database in memory compares keys slowly.
jest.setTimeout(120_000);

describeHistoryContract("IndexedDB", openEmpty);
