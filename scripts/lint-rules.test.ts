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

const allowed = {
  nothing: "may import of ours: nothing, by package name.",
  contracts: "may import of ours: contracts, by package name.",
  both: "may import of ours: contracts, runtime, by package name.",
  all: "may import of ours: contracts, runtime, gateway, auth-service, presence-service, discovery-service, sync-service, device, store, by package name.",
  store: "may import of ours: contracts, runtime, device, by package name.",
  renderer: "may import of ours: contracts, device, store, bridge, client, by package name.",
  preload: "may import of ours: bridge, by package name.",
  shell: "may import of ours: contracts, runtime, device, store, bridge, local-api, by package name.",
};

/** What lint must say about each fixture. */
const expected: Record<string, readonly string[]> = {
  "all-in-one.ts": ["a path must not leave its workspace", allowed.all],
  "contracts/src/names-ours.ts": ["@hearth/runtime is not allowed here", allowed.nothing],
  "runtime/src/names-a-service.ts": ["@hearth/auth-service is not allowed here", allowed.contracts],
  "gateway/src/names-a-service.ts": ["@hearth/auth-service is not allowed here", allowed.both],
  "sync-service/src/names-another-service.ts": ["@hearth/auth-service is not allowed here", allowed.both],
  "sync-service/src/leaves-by-path.ts": ["a path must not leave its workspace", allowed.both],
  "sync-service/src/imports-deep.ts": ["@hearth/contracts/src/index.ts is not exported", allowed.both],
  "sync-service/src/domain-names-technology.ts": [
    "the domain must not name node:http",
    "the domain must not name express",
    "the domain must not name socket.io-client",
  ],
  "sync-service/src/domain-names-a-twin.ts": ["the domain must not import an edge or a store's twin"],
  "sync-service/src/domain-names-a-transport.ts": ["the domain must not import an edge or a store's twin"],
  "desktop/renderer/src/names-runtime.ts": ["@hearth/runtime is not allowed here", allowed.renderer],
  "desktop/shell/src/preload/names-contracts.ts": ["@hearth/contracts is not allowed here", allowed.preload],
  "desktop/shell/src/names-electron.ts": [
    "only an adapter (*.electron.ts) may import more of Electron than types",
    allowed.shell,
  ],
  "desktop/shell/src/passes-electron-on.ts": [
    "only an adapter (*.electron.ts) may import more of Electron than types",
  ],
  "desktop/shell/src/names-an-adapter.ts": ["only the shell's main.ts may import an adapter of Electron"],
  "desktop/store/src/names-gateway.ts": ["@hearth/gateway is not allowed here", allowed.store],
  "e2e/names-runtime.ts": ["@hearth/runtime is not allowed here", allowed.contracts],
  "bench/names-gateway.ts": ["@hearth/gateway is not allowed here", allowed.contracts],
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

const legal = [
  "auth-service/src/index.ts",
  "contracts/src/index.ts",
  "desktop/shell/src/preload/preload.ts",
  "desktop/shell/src/browser.electron.ts",
  "desktop/shell/src/main.ts",
  "desktop/shell/src/names-a-type-of-electron.ts",
  "gateway/src/index.ts",
  "presence-service/src/attic/unlisted.ts",
  "presence-service/src/cluster/carrier.ts",
  "presence-service/src/cluster/roster.ts",
  "presence-service/src/delivery/names-the-edge.ts",
  "presence-service/src/delivery/rooms.test.ts",
  "presence-service/src/delivery/rooms.ts",
  "presence-service/src/edge/handle.ts",
  "presence-service/src/edge/handlers.ts",
  "presence-service/src/names-testing.ts",
  "presence-service/src/relay/names-its-own-floor.ts",
  "presence-service/src/service.ts",
  "presence-service/src/testing/world.ts",
  "presence-service/src/voice/voice.ts",
  "runtime/src/index.ts",
  "sync-service/src/config.ts",
  "sync-service/src/domain-names-a-port.ts",
  "sync-service/src/http.ts",
  "sync-service/src/store.sqlite.ts",
  "sync-service/src/testing/names-a-twin.ts",
  "sync-service/src/transport/connection.ts",
  "sync-service/src/transport/transport.ts",
];

const results = new Map<string, string[]>();
for (const { filePath, messages } of await eslint.lintFiles(["."])) {
  const file = path.relative(root, filePath).split(path.sep).join("/");
  results.set(
    file,
    messages.map(({ ruleId, message }) => `${ruleId ?? "fatal"}: ${message}`),
  );
}

test("every fixture is either a listed violation or listed as legal", () => {
  expect([...results.keys()].sort()).toEqual([...Object.keys(expected), ...legal].sort());
});

test.each(Object.entries(expected))("lint reports %s and says why", (file, phrases) => {
  const text = results.get(file)?.join("\n") ?? "";
  for (const phrase of phrases) expect(text).toContain(phrase);
});

test.each(legal)("lint accepts %s", (file) => {
  expect(results.get(file)).toEqual([]);
});

test.each([
  ["max-lines", "\n".repeat(300) + "export {};\n"],
  ["max-lines-per-function", `export function long(): void {\n${"  void 0;\n".repeat(60)}}\n`],
])("lint reports what is longer than %s allows", async (rule, code) => {
  const [result] = await eslint.lintText(code, { filePath: path.join(root, "sync-service/src/http.ts") });
  expect(result?.messages.map(({ ruleId }) => ruleId)).toContain(rule);
});
