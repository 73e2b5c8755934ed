const shared = {
  testEnvironment: "node",
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
/** Run where there are two processes of everything, after they were run on one of all. */
const onBoth = [
  "client-chat",
  "client-connection",
  "client-sync",
  "discovery-*",
  "doors",
  "local-api-login",
  "openapi-walk",
  "operations-metrics",
  "operations-secrets",
  "order",
  "rest-*",
  "sessions-*",
  "sockets-*",
  "voice",
  "web-chat",
  "web-devices",
  "web-first-steps",
];
/** About what only a cluster has. */
const onlyCluster = ["cluster-*"];
/** What it goes through when something is taken away from it; they need a machine to themselves. */
const faults = ["faults-*", "rolling-*"];
/** The deployment in containers. They make networks, at which a browser forgets what it was about. */
const containers = ["compose"];
const suites = (names) => names.map((name) => `<rootDir>/e2e/suites/${name}.test.ts`);
const everywhere = ["/node_modules/", "<rootDir>/data/", "<rootDir>/scripts/lint-fixtures/"];

export default {
  // What hangs is found as well after 20 s as after 5, and a busy machine is not taken for a fault.
  testTimeout: 20_000,
  projects: [
    {
      ...shared,
      displayName: "unit",
      // The package has no program of Electron's here, and would fetch one when it is loaded.
      moduleNameMapper: { "^electron$": "<rootDir>/desktop/src/shell/testing/electron.ts" },
      testMatch: [
        "<rootDir>/*/src/**/*.test.ts",
        "<rootDir>/desktop/build/*.test.ts",
        "<rootDir>/scripts/**/*.test.ts",
      ],
      testPathIgnorePatterns: [...everywhere, "<rootDir>/e2e/", long],
    },
    {
      ...shared,
      displayName: "e2e",
      testMatch: ["<rootDir>/e2e/**/*.test.ts"],
      testPathIgnorePatterns: [
        ...everywhere,
        long,
        ...[...onlyCluster, ...containers, ...faults].map((name) => `/e2e/suites/${name.replace("*", "")}`),
      ],
    },
    {
      ...shared,
      displayName: "cluster",
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
