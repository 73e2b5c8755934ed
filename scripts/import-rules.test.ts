import path from "node:path";
import { expect, test } from "@jest/globals";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { houses } from "./imports/floors.ts";
import { importRules } from "./imports/rules.ts";

const HOUSE = "presence-service/src";
/** The one that the fixtures are about. */
const house = houses.filter(({ folder }) => folder === HOUSE);

const violationsIn = async (baseDir: string): Promise<ICruiseResult["summary"]["violations"]> => {
  const { output } = await cruise(
    house.map(({ folder }) => folder),
    {
      baseDir,
      includeOnly: house.map(({ folder }) => `^${folder}/`),
      tsPreCompilationDeps: true,
      validate: true,
      ruleSet: { forbidden: importRules(house) },
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

test("edges and stores of a service may import its domain, and the domain neither", () => {
  const auth = importRules(houses).filter(({ name }) => name?.startsWith("auth-service/src: "));
  expect(auth.map(({ comment }) => comment)).toEqual([
    "edge may import of auth-service/src: domain.",
    "store may import of auth-service/src: domain.",
    "domain may import of auth-service/src: nothing.",
    "A folder of auth-service/src is one of: edge, store, domain, operator, import, testing.",
    "Only tests import what supports tests.",
    "Files must not import each other in a circle.",
  ]);
});

test("the message names the rooms that a room may import", () => {
  const rule = importRules(houses).find(({ name }) => name === `${HOUSE}: delivery`);
  expect(rule?.comment).toBe(`delivery may import of ${HOUSE}: connection, cluster, transport.`);
});
