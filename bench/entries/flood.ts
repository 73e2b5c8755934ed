import { parentPort, workerData } from "node:worker_threads";
import { Flood } from "../src/floods/flood.ts";
import type { FloodPlan } from "../src/floods/flood.ts";

/** A flood in its own thread, so that it does not delay the measurement. */
const flood = await Flood.open(workerData as FloodPlan);
parentPort?.postMessage("ready");
parentPort?.once("message", () => {
  void flood.stop().then((outcome) => parentPort?.postMessage(outcome));
});
