const shared = {
  testEnvironment: "node",
  modulePathIgnorePatterns: ["<rootDir>/data/"],
  extensionsToTreatAsEsm: [".ts"],
  transform: {
    "^.+\\.ts$": [
      "@swc/jest",
      { swcrc: false, sourceMaps: "inline", jsc: { parser: { syntax: "typescript" }, target: "es2024" } },
    ],
  },
};

const long = "\\.long\\.test\\.ts$";
const everywhere = ["/node_modules/", "<rootDir>/data/", "<rootDir>/scripts/lint-fixtures/"];

export default {
  projects: [
    {
      ...shared,
      displayName: "unit",
      testMatch: ["<rootDir>/*/src/**/*.test.ts", "<rootDir>/scripts/**/*.test.ts"],
      testPathIgnorePatterns: [...everywhere, "<rootDir>/e2e/", long],
    },
    {
      ...shared,
      displayName: "e2e",
      testMatch: ["<rootDir>/e2e/**/*.test.ts"],
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
