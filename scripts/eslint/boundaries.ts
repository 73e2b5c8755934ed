export interface Zone {
  readonly files: RegExp;
  /** Workspaces that these files may import by package name, or single subpaths of one (`runtime/testing/until`). */
  readonly mayImport: readonly string[];
}

/** What puts the services together: the files at the top, and entries of tests and benchmarks that vary them. */
export const composition = /^[a-z-]+\.ts$/;
export const composes = /^([a-z-]+\.ts$|(e2e|bench)\/entries\/)/;

/** The first zone that matches a file decides; a file that no zone matches may import no workspace. */
export const zones: readonly Zone[] = [
  { files: /^contracts\//, mayImport: [] },
  { files: /^runtime\//, mayImport: ["contracts"] },
  { files: /^gateway\//, mayImport: ["contracts", "runtime"] },
  { files: /^[a-z]+-service\//, mayImport: ["contracts", "runtime"] },
  { files: /^desktop\/device\//, mayImport: ["contracts"] },
  { files: /^desktop\/store\//, mayImport: ["contracts", "runtime", "device"] },
  { files: /^desktop\/bridge\//, mayImport: ["contracts", "device", "store"] },
  // Its tests may be run by what a server is made of; what goes into a page may not.
  {
    files: /^desktop\/client\/.*(\.test\.ts$|\/testing\/)/,
    mayImport: ["contracts", "runtime", "device", "store", "bridge"],
  },
  { files: /^desktop\/client\//, mayImport: ["contracts", "device", "store", "bridge"] },
  {
    files: /^desktop\/renderer\/.*(\.test\.tsx?$|\/testing\/)/,
    mayImport: ["contracts", "device", "store", "bridge", "client", "desktop-tools"],
  },
  { files: /^desktop\/renderer\//, mayImport: ["contracts", "device", "store", "bridge", "client"] },
  { files: /^desktop\/local-api\//, mayImport: ["contracts", "runtime", "device", "store", "bridge"] },
  {
    files: /^desktop\/tools\//,
    mayImport: ["contracts", "runtime", "device", "store", "local-api"],
  },
  { files: /^desktop\/shell\/src\/preload\//, mayImport: ["bridge"] },
  {
    files: /^desktop\/shell\/.*(\.test\.ts$|\/testing\/)/,
    mayImport: ["contracts", "runtime", "device", "store", "bridge", "client", "local-api", "desktop-tools"],
  },
  {
    files: /^desktop\/shell\//,
    mayImport: ["contracts", "runtime", "device", "store", "bridge", "local-api"],
  },
  {
    files: /^desktop\/headless\//,
    mayImport: ["contracts", "runtime", "device", "store", "bridge", "local-api", "desktop-tools"],
  },
  {
    files: composes,
    mayImport: [
      "contracts",
      "runtime",
      "gateway",
      "auth-service",
      "presence-service",
      "discovery-service",
      "sync-service",
      "device",
      "store",
    ],
  },
  // What waits, starts programs and finds ports is written once, and is no part of the product.
  {
    files: /^(e2e|bench|scripts)\//,
    mayImport: ["contracts", "runtime/testing/servers", "runtime/testing/until"],
  },
];

const edge = /\/(http|bus|sockets)\.ts$/;
const transport = /\/transport\//;
/** What the domain and its transport share; the rest of a transport is an edge. */
const port = /\/transport\/(connection|frame)\.ts$/;
const twin = /\.(sqlite|mongo|memory|redis|nats)\.ts$/;
const wiring = /\/(main|process|service|index|config)\.ts$/;
const suite = /\.(test|contract)\.ts$|\/testing\//;

/** Files of a service that are neither domain nor any of the above; one line each, with the reason. */
const listed: readonly string[] = [
  // The operator's command opens the store beside the running service.
  "discovery-service/src/operator/command.ts",
];

const isTransport = (file: string): boolean => transport.test(file) && !port.test(file);

export const isEdgeOrTwin = (file: string): boolean =>
  edge.test(file) || twin.test(file) || isTransport(file);

export const isDomain = (file: string): boolean =>
  /^[a-z]+-service\/src\//.test(file) &&
  !isEdgeOrTwin(file) &&
  !transport.test(file) &&
  !wiring.test(file) &&
  !suite.test(file) &&
  !listed.includes(file);

export const technologies =
  /^(express|nats|mongoose|mongodb|ioredis|ws|socket\.io.*|(node:)?http|node:sqlite)(\/|$)/;

/** Electron itself; elsewhere only its types, so that everything else runs and is tested without it. */
export const electron = /^electron(\/|$)/;
export const adaptsElectron = /\.electron\.ts$/;
export const mayNameElectron = (file: string): boolean =>
  adaptsElectron.test(file) || file === "desktop/shell/src/preload/preload.ts";

/** The one file that puts the adapters behind the ports. */
export const mayImportAdapter = (file: string): boolean => file === "desktop/shell/src/main.ts";
