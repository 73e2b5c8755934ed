import { describeDeviceStoreContract } from "../../store/device-store.contract.ts";
import { openEmpty } from "./testing/store-under-test.ts";

describeDeviceStoreContract("IndexedDB", openEmpty);
