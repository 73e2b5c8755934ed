import { jest } from "@jest/globals";
import { describeHistoryContract } from "../contract/history.contract.ts";
import { openEmpty } from "./testing/store-under-test.ts";

// In the test runner the in-memory database compares keys slowly.
jest.setTimeout(120_000);

describeHistoryContract("IndexedDB", openEmpty);
