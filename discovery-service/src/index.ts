export { SERVERS_USAGE, serversCommand } from "./operator/command.ts";
export { readDiscoveryConfig } from "./config.ts";
export type { DiscoveryConfig } from "./config.ts";
export { createDiscoveryService } from "./service.ts";
export type { DiscoveryServiceDeps } from "./service.ts";
export type { Store as DiscoveryStore } from "./domain/store.ts";
export { createSqliteDiscoveryStore } from "./store/sqlite/store.sqlite.ts";
export type { SqliteDiscoveryStoreOptions } from "./store/sqlite/store.sqlite.ts";
