export * from "./bus.contract.ts";
export * from "./doubles.ts";
export * from "./limiter.contract.ts";
