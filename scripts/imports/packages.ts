/** A package, and which of our packages it may import. */
export interface Package {
  readonly folder: string;
  readonly mayImport: readonly string[];
  /** What its tests and their support may import besides. */
  readonly testsMayImport?: readonly string[];
}

const service = ["contracts", "runtime"];
const all = [
  ...service,
  "gateway",
  "auth-service",
  "presence-service",
  "discovery-service",
  "sync-service",
  "desktop/device",
  "desktop/store",
];

/** Folders of packages, by the repository's top; the last of those that contain a file is the one that it belongs to. */
export const packages: readonly Package[] = [
  { folder: "contracts", mayImport: [] },
  { folder: "runtime", mayImport: ["contracts"] },
  { folder: "gateway", mayImport: service },
  { folder: "auth-service", mayImport: service },
  { folder: "presence-service", mayImport: service },
  { folder: "discovery-service", mayImport: service },
  { folder: "sync-service", mayImport: service },
  { folder: "desktop/device", mayImport: ["contracts"] },
  { folder: "desktop/store", mayImport: [...service, "desktop/device"] },
  { folder: "desktop/bridge", mayImport: ["contracts", "desktop/device", "desktop/store"] },
  // What goes into a page contains nothing of a server; its tests may use it.
  {
    folder: "desktop/client",
    mayImport: ["contracts", "desktop/device", "desktop/store", "desktop/bridge"],
    testsMayImport: ["runtime"],
  },
  {
    folder: "desktop/renderer",
    mayImport: ["contracts", "desktop/device", "desktop/store", "desktop/bridge", "desktop/client"],
    testsMayImport: ["desktop/tools"],
  },
  {
    folder: "desktop/local-api",
    mayImport: [...service, "desktop/device", "desktop/store", "desktop/bridge"],
  },
  {
    folder: "desktop/tools",
    mayImport: [...service, "desktop/device", "desktop/store", "desktop/local-api"],
  },
  {
    folder: "desktop/shell",
    mayImport: [...service, "desktop/device", "desktop/store", "desktop/bridge", "desktop/local-api"],
    testsMayImport: ["desktop/client", "desktop/tools"],
  },
  { folder: "desktop/shell/src/preload", mayImport: ["desktop/bridge"] },
  {
    folder: "desktop/headless",
    mayImport: [
      ...service,
      "desktop/device",
      "desktop/store",
      "desktop/bridge",
      "desktop/local-api",
      "desktop/tools",
    ],
  },
  // They know the product by its interface; what waits, starts programs and finds ports is written once.
  { folder: "e2e", mayImport: ["contracts", "runtime/src/testing"] },
  { folder: "bench", mayImport: ["contracts", "runtime/src/testing"] },
  { folder: "scripts", mayImport: ["contracts", "runtime/src/testing"] },
  // Entries that vary how the services are put together.
  { folder: "e2e/entries", mayImport: [...all, "e2e"] },
  { folder: "bench/entries", mayImport: [...all, "bench"] },
];
