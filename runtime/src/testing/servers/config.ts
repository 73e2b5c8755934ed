import { findProgram } from "./found.ts";

const onPath = (name: string): string | undefined => findProgram(name, process.env["PATH"] ?? "");

/** Servers that tests start; `undefined` where the machine has none. Suites that need one are then reported as not run. */
export const natsProgram = onPath("nats-server");
export const redisProgram = onPath("redis-server");
/** MongoDB, or a server that speaks its protocol. */
export const mongoProgram = process.env["MONGODB_SERVER"] ?? onPath("mongod") ?? onPath("ferretdb");
