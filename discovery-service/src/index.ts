export { SERVERS_USAGE, serversCommand } from "./admin-command.ts";
export { readDiscoveryConfig } from "./config.ts";
export type { DiscoveryConfig } from "./config.ts";
export { createDiscoveryService } from "./service.ts";
export type { DiscoveryServiceDeps } from "./service.ts";
export type { Store as DiscoveryStore } from "./store.ts";
export { createSqliteDiscoveryStore } from "./store.sqlite.ts";
export type { SqliteDiscoveryStoreOptions } from "./store.sqlite.ts";
