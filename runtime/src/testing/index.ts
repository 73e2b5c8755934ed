export { collector } from "./bus-contract-subjects.ts";
export type { BusUnderTest } from "./bus-contract-subjects.ts";
export { describeBusContract } from "./bus.contract.ts";
export * from "./doubles.ts";
export * from "./interrupted-bus.ts";
export * from "./limiter.contract.ts";
export * from "./mongo.ts";
export * from "./mortal.ts";
export * from "./servers/index.ts";
