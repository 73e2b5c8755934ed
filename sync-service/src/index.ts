export { createSyncService, type SyncDependencies } from "./service.ts";
