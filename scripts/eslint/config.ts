import { defineConfig } from "eslint/config";
import type { Config } from "eslint/config";
import tseslint from "typescript-eslint";

const configs = ["**/*.config.*"];
const tests = ["**/*.test.ts", "**/*.contract.ts", "e2e/**"];
const tools = ["scripts/**", "bench/**", "e2e/**"];

const environment = "Only config.ts and entry files read the environment.";

const PAGE_ONLY = "^(node:|react|wouter|@base-ui/|zustand$)";
const withoutScreens =
  "The client knows neither screens nor Node; what it needs of its place comes through Platform.";

const typed: Config["rules"] = {
  "@typescript-eslint/consistent-type-exports": "error",
  "@typescript-eslint/consistent-type-imports": "error",
  "@typescript-eslint/no-confusing-void-expression": [
    "error",
    { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
  ],
  "@typescript-eslint/no-unnecessary-condition": [
    "error",
    { allowConstantLoopConditions: "only-allowed-literals" },
  ],
  "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
  "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
  // A twin in memory has nothing to await, and still must reject instead of throwing.
  "@typescript-eslint/require-await": "off",
  // The compiler refuses what these look for: unused names, and enums altogether (erasableSyntaxOnly).
  "@typescript-eslint/no-unused-vars": "off",
  "@typescript-eslint/no-unsafe-enum-assignment": "off",
  "@typescript-eslint/no-unsafe-enum-comparison": "off",
  // They cost a fifth of all of lint and guard against classes that are used as data.
  "@typescript-eslint/no-unsafe-class-instance-assignment": "off",
  "@typescript-eslint/no-generated-empty-object-type": "off",
};

const everywhere: Config = {
  linterOptions: { reportUnusedDisableDirectives: "error" },
  rules: {
    eqeqeq: ["error", "always", { null: "ignore" }],
    "max-lines": ["error", 300],
    "max-lines-per-function": ["error", 60],
    "no-console": "error",
    "no-restricted-imports": ["error", { name: "node:process", importNames: ["env"], message: environment }],
    "no-restricted-properties": ["error", { object: "process", property: "env", message: environment }],
    "no-restricted-syntax": [
      "error",
      {
        selector: "ExportDefaultDeclaration, ExportSpecifier[exported.name='default']",
        message: "Export by name.",
      },
    ],
  },
};

/** One program for what runs on Node and one for each kind of page: a project per workspace would load most files ten times. */
const programs = [
  "tsconfig.lint.json",
  "desktop/renderer/tsconfig.json",
  "desktop/client/src/platform/tsconfig.json",
  "desktop/shell/src/preload/tsconfig.json",
];

export const lintConfig = (root: string, project: readonly string[] = programs): Config[] =>
  defineConfig(
    {
      ignores: [
        "**/node_modules/",
        "**/dist/",
        "data/",
        "coverage/",
        "scripts/lint-fixtures/",
        "**/generated/",
        ".cache/",
      ],
    },
    { languageOptions: { parserOptions: { project: [...project], tsconfigRootDir: root } } },
    { files: ["**/*.{ts,tsx}"], extends: [tseslint.configs.strictTypeChecked], rules: typed },
    everywhere,
    { files: configs, rules: { "no-restricted-syntax": "off" } },
    {
      files: [
        ...tools,
        ...configs,
        "**/config.ts",
        "**/main.ts",
        "all-in-one.ts",
        "server-config.ts",
        "deploy/*.mjs",
      ],
      rules: { "no-restricted-imports": "off", "no-restricted-properties": "off" },
    },
    {
      files: ["desktop/client/src/**/*.ts"],
      ignores: [...tests, "**/testing/**"],
      rules: {
        "no-restricted-imports": ["error", { patterns: [{ regex: PAGE_ONLY, message: withoutScreens }] }],
      },
    },
    { files: [...tools, "all-in-one.ts"], rules: { "no-console": "off" } },
    {
      files: tests,
      rules: {
        "max-lines": "off",
        "max-lines-per-function": "off",
        // A wrong type of parsed JSON or `this` fails the test itself; promises are checked as everywhere.
        "@typescript-eslint/no-deprecated": "off",
        "@typescript-eslint/no-unsafe-argument": "off",
        "@typescript-eslint/no-unsafe-assignment": "off",
        "@typescript-eslint/no-unsafe-member-access": "off",
        "@typescript-eslint/no-unsafe-return": "off",
        "@typescript-eslint/unbound-method": "off",
      },
    },
  );
