import { jest } from "@jest/globals";
import { describeDeviceStoreContract } from "../contract/device-store.contract.ts";
import { openEmpty } from "./testing/store-under-test.ts";

// Under the test runner the database in memory compares keys slowly, and the suite of pages has it compare many.
jest.setTimeout(120_000);

// All seeds: device-store.indexeddb.long.test.ts.
describeDeviceStoreContract("IndexedDB", openEmpty, [1]);
