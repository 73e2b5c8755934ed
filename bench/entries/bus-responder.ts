import { createServer } from "node:http";
import { until } from "@hearth/runtime/testing/until";
import { host, port } from "../src/peers/address.ts";
import { answerQuestions, openBus } from "./bus-side.ts";

/** A service that answers over NATS; it listens only to say that it is ready. */
const bus = openBus("nats");
answerQuestions(bus);
await until(() => bus.connected);
createServer().listen(port, host);
