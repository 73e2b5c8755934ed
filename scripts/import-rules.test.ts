import path from "node:path";
import { expect, test } from "@jest/globals";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { houses } from "./imports/floors.ts";
import { packages } from "./imports/packages.ts";
import { cruising, everyRule } from "./imports/rules.ts";

const HOUSE = "presence-service/src";
const rules = everyRule(houses, packages);

/** Each violation among the fixtures: the rule's name, who imports, what. */
const violationsIn = async (baseDir: string): Promise<readonly string[]> => {
  const options = {
    ...cruising,
    baseDir,
    exclude: { path: "careless" },
    validate: true,
    ruleSet: { forbidden: rules },
  };
  const alias = Object.fromEntries(
    ["contracts", "runtime", "gateway", "auth-service"].map((name) => [
      `@hearth/${name}`,
      path.join(baseDir, name, "src"),
    ]),
  );
  const { output } = await cruise(["."], options, { alias });
  return (output as ICruiseResult).summary.violations
    .map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`.replaceAll("../../", ""))
    .toSorted();
};

test("imports that break a rule are reported, and no others", async () => {
  expect(await violationsIn(path.join(import.meta.dirname, "lint-fixtures"))).toEqual([
    "adapter: desktop/shell/src/names-an-adapter.ts → desktop/shell/src/browser.electron.ts",
    "bench imports: bench/names-gateway.ts → gateway/src/index.ts",
    "circle: presence-service/src/cluster/carrier.ts → presence-service/src/cluster/roster.ts",
    "composition: all-in-one.ts → gateway/src/index.ts",
    "contracts imports: contracts/src/names-ours.ts → runtime/src/index.ts",
    "desktop/renderer imports: desktop/renderer/src/names-runtime.ts → runtime/src/index.ts",
    "desktop/shell/src/preload imports: desktop/shell/src/preload/names-contracts.ts → contracts/src/index.ts",
    "desktop/store imports: desktop/store/src/names-gateway.ts → gateway/src/index.ts",
    "e2e imports: e2e/names-runtime.ts → runtime/src/index.ts",
    `edge: ${HOUSE}/delivery/names-the-edge.ts → ${HOUSE}/edge/handle.ts`,
    "edge: sync-service/src/domain-names-a-transport.ts → sync-service/src/transport/transport.ts",
    "edge: sync-service/src/domain-names-a-twin.ts → sync-service/src/store.sqlite.ts",
    "electron: desktop/shell/src/names-electron.ts → node_modules/electron/index.js",
    "electron: desktop/shell/src/passes-electron-on.ts → node_modules/electron/index.js",
    "gateway imports: gateway/src/names-a-service.ts → auth-service/src/index.ts",
    `${HOUSE}: delivery: ${HOUSE}/delivery/names-the-edge.ts → ${HOUSE}/edge/handle.ts`,
    `${HOUSE}: relay: ${HOUSE}/relay/names-its-own-floor.ts → ${HOUSE}/voice/voice.ts`,
    `${HOUSE}: testing: ${HOUSE}/names-testing.ts → ${HOUSE}/testing/world.ts`,
    `${HOUSE}: unlisted room: ${HOUSE}/attic/unlisted.ts → ${HOUSE}/delivery/rooms.ts`,
    "runtime imports: runtime/src/names-a-service.ts → auth-service/src/index.ts",
    "sync-service imports: sync-service/src/names-another-service.ts → auth-service/src/index.ts",
    "sync-service leaves: sync-service/src/leaves-by-path.ts → contracts/src/index.ts",
    "technology: sync-service/src/domain-names-technology.ts → http",
    "technology: sync-service/src/domain-names-technology.ts → node_modules/express/index.js",
    "technology: sync-service/src/domain-names-technology.ts → node_modules/socket.io-client/build/esm-debug/index.js",
    "unknown: sync-service/src/imports-deep.ts → @hearth/contracts/src/index.ts",
  ]);
});

test("the message names the rooms that a room may import", () => {
  const rule = rules.find(({ name }) => name === `${HOUSE}: delivery`);
  expect(rule?.comment).toBe(`delivery may import of ${HOUSE}: connection, cluster, transport.`);
});

test("the message names the packages that a package may import", () => {
  const rule = rules.find(({ name }) => name === "desktop/renderer imports");
  expect(rule?.comment).toBe(
    "desktop/renderer may import of ours: contracts, desktop/device, desktop/store, desktop/bridge, desktop/client, by package name.",
  );
});

test("edges and stores of a service may import its domain, and the domain neither", () => {
  const auth = rules.filter(({ name }) => name?.startsWith("auth-service/src: "));
  expect(auth.map(({ comment }) => comment)).toEqual([
    "edge may import of auth-service/src: domain.",
    "store may import of auth-service/src: domain.",
    "domain may import of auth-service/src: nothing.",
    "A folder of auth-service/src is one of: edge, store, domain, operator, import, testing.",
    "Only tests import what supports tests.",
  ]);
});
