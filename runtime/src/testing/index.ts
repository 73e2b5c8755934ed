export * from "./bus.contract.ts";
