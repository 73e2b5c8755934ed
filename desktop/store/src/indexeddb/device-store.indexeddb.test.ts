import { jest } from "@jest/globals";
import { describeDeviceStoreContract } from "../contract/device-store.contract.ts";
import { openEmpty } from "./testing/store-under-test.ts";

// In the test runner the in-memory database compares keys slowly, and the pages suite compares many.
jest.setTimeout(120_000);

// All seeds: device-store.indexeddb.long.test.ts.
describeDeviceStoreContract("IndexedDB", openEmpty, [1]);
