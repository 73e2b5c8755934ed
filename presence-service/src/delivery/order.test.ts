import { describeArrivals } from "./order.contract.ts";

// Twenty: order.long.test.ts.
describeArrivals([0, 1, 2, 3]);
