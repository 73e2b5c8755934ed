import { createServer } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { host, port } from "../src/peers/address.ts";
import { answerQuestions, openBus } from "./bus-side.ts";

/** A service that answers over NATS; it listens only to say that it is ready. */
const bus = openBus("nats");
answerQuestions(bus);
while (!bus.connected) await wait(20);
createServer().listen(port, host);
