import path from "node:path";
import { expect, test } from "@jest/globals";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { houses } from "./imports/floors.ts";
import { importRules } from "./imports/rules.ts";

const HOUSE = "presence-service/src";

const violationsIn = async (baseDir: string): Promise<ICruiseResult["summary"]["violations"]> => {
  const { output } = await cruise(
    houses.map(({ folder }) => folder),
    {
      baseDir,
      includeOnly: houses.map(({ folder }) => `^${folder}/`),
      tsPreCompilationDeps: true,
      validate: true,
      ruleSet: { forbidden: importRules(houses) },
    },
  );
  return (output as ICruiseResult).summary.violations;
};

test("imports that run up, along a floor, in a circle or from an unlisted room are reported, and no others", async () => {
  const violations = await violationsIn(path.join(import.meta.dirname, "lint-fixtures"));
  const found = violations.map(({ rule, from, to }) =>
    `${rule.name}: ${from} → ${to}`.replaceAll(`${HOUSE}/`, ""),
  );
  expect(found.sort()).toEqual([
    `${HOUSE}: circle: cluster/carrier.ts → cluster/roster.ts`,
    `${HOUSE}: delivery: delivery/names-the-edge.ts → edge/handle.ts`,
    `${HOUSE}: relay: relay/names-its-own-floor.ts → voice/voice.ts`,
    `${HOUSE}: testing: names-testing.ts → testing/world.ts`,
    `${HOUSE}: unlisted room: attic/unlisted.ts → delivery/rooms.ts`,
  ]);
});

test("the message names the rooms that a room may import", () => {
  const rule = importRules(houses).find(({ name }) => name === `${HOUSE}: delivery`);
  expect(rule?.comment).toBe(`delivery may import of ${HOUSE}: connection, cluster, transport.`);
});
