import { until } from "@hearth/runtime/testing/until";
import { answerQuestions, ask, openBus } from "./bus-side.ts";
import { serveLoad } from "../src/requests/load-server.ts";

/** A service that calls another over the bus; with `BUS=memory` both are in one process. */
const kind = process.env["BUS"];
const bus = openBus(kind);
if (kind === "memory") answerQuestions(bus);
await until(() => bus.connected);
serveLoad(() => ask(bus));
