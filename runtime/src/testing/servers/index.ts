export { mongoProgram, natsProgram, redisProgram } from "./config.ts";
export { createMongoServer } from "./mongo.ts";
export { createNatsServer } from "./nats.ts";
export { createRedisServer } from "./redis.ts";
export { createServerProcess, freePort, isListening } from "./server-process.ts";
export type { Ended, ServerProcess, ServerProcessOptions } from "./server-process.ts";
