export { readAuthConfig } from "./config.ts";
export type { AuthConfig } from "./config.ts";
export { importAccounts } from "./import.ts";
export { createAuthService } from "./service.ts";
export type { AuthServiceDeps } from "./service.ts";
export type { AuthStore } from "./store.ts";
export { AUTH_DATABASE, createSqliteAuthStore } from "./store.sqlite.ts";
export type { SqliteAuthStoreOptions } from "./store.sqlite.ts";
