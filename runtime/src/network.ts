// What a process of the distributed mode is made with; the embedded mode and the desktop app never load it.
export { createNatsBus } from "./bus/nats-bus.ts";
export type { NatsBusOptions } from "./bus/nats-bus.ts";
export { createRedisLimiters } from "./limits/redis-limiter.ts";
export { openRedis } from "./storage/redis.ts";
export type { RedisOptions } from "./storage/redis.ts";
export { withSecretFiles } from "./config/secret-files.ts";
export { createInternalDoor } from "./process/internal-door.ts";
export { networkVariables, readProcessConfig } from "./process/process-config.ts";
export type { ProcessConfig } from "./process/process-config.ts";
export { connectMongo, connectRedis, openProcess } from "./process/open-process.ts";
export { runServiceProcess } from "./process/service-process.ts";
export type { ServiceProcessOptions } from "./process/service-process.ts";
export { runMain } from "./process/run-main.ts";
export { Mongo, guardedByMongo, isDuplicateKey, isRefusedByServer, openMongo } from "./storage/mongo.ts";
export type { MongoOptions } from "./storage/mongo.ts";
export { mongoFields, mongoFieldsOf, mongoSchema } from "./storage/mongo-schema.ts";
export type { MongoDocument } from "./storage/mongo-schema.ts";
