export { describeDeviceStoreContract } from "./device-store.contract.ts";
export { describeHistoryContract } from "./history.contract.ts";
export type { OpenHistory } from "./history.contract.ts";
