export { createSyncService } from "./service.ts";
export type { SyncServiceDeps } from "./service.ts";
