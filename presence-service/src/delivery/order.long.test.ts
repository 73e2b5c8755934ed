import { describeArrivals } from "./order.contract.ts";

describeArrivals(Array.from({ length: 20 }, (_, seed) => seed));
