import { jest } from "@jest/globals";
import { describeDeviceStoreContract } from "../contract/device-store.contract.ts";
import { openEmpty } from "./testing/store-under-test.ts";

jest.setTimeout(120_000);

describeDeviceStoreContract("IndexedDB", openEmpty);
