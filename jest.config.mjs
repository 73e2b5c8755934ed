const shared = {
  testEnvironment: "node",
  // Property tests are pinned to one seed; SEED=… runs them with another.
  globals: { testSeed: Number(process.env.SEED ?? 20_261_122) },
  modulePathIgnorePatterns: ["<rootDir>/data/"],
  extensionsToTreatAsEsm: [".ts", ".tsx"],
  transform: {
    "^.+\\.tsx?$": [
      "@swc/jest",
      {
        swcrc: false,
        sourceMaps: "inline",
        jsc: {
          parser: { syntax: "typescript", decorators: true },
          transform: { legacyDecorator: true },
          target: "es2024",
          experimental: { keepImportAttributes: true },
        },
      },
    ],
  },
};

const long = "\\.long\\.test\\.ts$";
/** A story or two of every subject, of `npm test`. */
const smoke = [
  "client/chat",
  "stories/demo",
  "servers/membership",
  "sockets/doors",
  "local-api/reading",
  "openapi/document",
  "operations/health",
  "rest/identity",
  "accounts/session-ends",
  "sockets/account-sync",
  "sockets/voice",
  "web/first-steps",
];
/** Run again where there are two processes of everything: what can differ there. */
const onBoth = [
  "abuse/discovery",
  "client/chat",
  "client/connection",
  "client/sync",
  "servers/*",
  "sockets/doors",
  "local-api/login",
  "operations/metrics",
  "operations/secrets",
  "sockets/order",
  "rest/identity",
  "rest/smuggling",
  "accounts/session-*",
  "sockets/account-sync",
  "sockets/identify",
  "sockets/voice",
  "web/first-steps",
];
/** About what only a cluster has. */
const onlyCluster = ["cluster/*"];
/** What it goes through when something is taken away from it; they need a machine to themselves. */
const faults = ["faults/*"];
/** The deployment in containers. They make networks, at which a browser forgets what it was about. */
const containers = ["containers/*"];
const suites = (names) => names.map((name) => `<rootDir>/e2e/suites/${name}.test.ts`);
const everywhere = ["/node_modules/", "<rootDir>/data/", "<rootDir>/scripts/lint-fixtures/"];
const ignored = (names) => names.map((name) => `/e2e/suites/${name.replace("*", "[^/]*")}\\.test\\.ts$`);

const onOneProcess = {
  ...shared,
  testMatch: ["<rootDir>/e2e/**/*.test.ts"],
  testPathIgnorePatterns: [...everywhere, long, ...ignored([...onlyCluster, ...containers, ...faults])],
};

export default {
  // Suites run two at a time, beside browsers and a cluster; what hangs is found as well after a minute.
  testTimeout: 60_000,
  projects: [
    {
      ...shared,
      displayName: "unit",
      testEnvironment: "<rootDir>/scripts/jest-environment.cjs",
      // The package has no program of Electron's here, and would fetch one when it is loaded.
      moduleNameMapper: { "^electron$": "<rootDir>/desktop/shell/src/testing/electron.ts" },
      testMatch: [
        "<rootDir>/*/src/**/*.test.ts",
        "<rootDir>/desktop/*/{src,build,sample}/**/*.test.ts",
        "<rootDir>/scripts/**/*.test.ts",
      ],
      testPathIgnorePatterns: [...everywhere, "<rootDir>/e2e/", long],
    },
    { ...onOneProcess, displayName: "e2e" },
    { ...shared, displayName: "smoke", testMatch: suites(smoke), testPathIgnorePatterns: everywhere },
    {
      ...onOneProcess,
      displayName: "rest",
      testPathIgnorePatterns: [...onOneProcess.testPathIgnorePatterns, ...ignored(smoke)],
    },
    {
      ...shared,
      displayName: "cluster",
      globalSetup: "<rootDir>/e2e/entries/cluster-setup.ts",
      globalTeardown: "<rootDir>/e2e/entries/cluster-teardown.ts",
      testMatch: suites([...onlyCluster, ...onBoth]),
      testPathIgnorePatterns: [...everywhere, long],
    },
    {
      ...shared,
      displayName: "containers",
      testMatch: suites(containers),
      testPathIgnorePatterns: everywhere,
    },
    {
      ...shared,
      displayName: "faults",
      testMatch: suites(faults),
      testPathIgnorePatterns: [...everywhere, long],
    },
    {
      ...shared,
      displayName: "long",
      testMatch: ["<rootDir>/**/*.long.test.ts"],
      testPathIgnorePatterns: everywhere,
    },
  ],
};
