import path from "node:path";
import { expect, test } from "@jest/globals";
import { ESLint } from "eslint";
import { lintConfig } from "./eslint/config.ts";

const root = path.join(import.meta.dirname, "lint-fixtures");
const eslint = new ESLint({
  cwd: root,
  overrideConfigFile: true,
  overrideConfig: lintConfig(root, ["tsconfig.json"]),
});

/** The expected lint message of each fixture. */
const expected: Record<string, readonly string[]> = {
  "sync-service/src/reads-environment.ts": ["Only config.ts and entry files read the environment."],
  "sync-service/src/careless.ts": [
    "@typescript-eslint/consistent-type-imports",
    "@typescript-eslint/switch-exhaustiveness-check",
    "@typescript-eslint/no-explicit-any",
    "@typescript-eslint/no-floating-promises",
    "@typescript-eslint/no-misused-promises",
    "no-console",
    "@typescript-eslint/no-non-null-assertion",
    "no-restricted-syntax",
  ],
  "sync-service/src/careless.test.ts": [
    "@typescript-eslint/no-floating-promises",
    "@typescript-eslint/no-misused-promises",
  ],
};

const results = new Map<string, string[]>();
for (const { filePath, messages } of await eslint.lintFiles(["."])) {
  const file = path.relative(root, filePath).split(path.sep).join("/");
  results.set(
    file,
    messages.map(({ ruleId, message }) => `${ruleId ?? "fatal"}: ${message}`),
  );
}

test.each(Object.entries(expected))("lint reports %s and says why", (file, phrases) => {
  const text = results.get(file)?.join("\n") ?? "";
  for (const phrase of phrases) expect(text).toContain(phrase);
});

test("lint accepts the other fixtures, which are about imports", () => {
  const others = [...results].filter(([file]) => !(file in expected));
  expect(others.length).toBeGreaterThan(30);
  expect(others.filter(([, messages]) => messages.length > 0)).toEqual([]);
});

test.each([
  ["max-lines", "\n".repeat(300) + "export {};\n"],
  ["max-lines-per-function", `export function long(): void {\n${"  void 0;\n".repeat(60)}}\n`],
])("lint reports what is longer than %s allows", async (rule, code) => {
  const [result] = await eslint.lintText(code, { filePath: path.join(root, "sync-service/src/http.ts") });
  expect(result?.messages.map(({ ruleId }) => ruleId)).toContain(rule);
});
