import { findProgram } from "./found.ts";

const onPath = (name: string): string | undefined => findProgram(name, process.env["PATH"] ?? "");

/** Servers that tests start; `undefined` where the machine has none, and what needs it is reported as not run. */
export const natsProgram = onPath("nats-server");
export const redisProgram = onPath("redis-server");
/** MongoDB itself, or a server that speaks its protocol. */
export const mongoProgram = process.env["MONGODB_SERVER"] ?? onPath("mongod") ?? onPath("ferretdb");
