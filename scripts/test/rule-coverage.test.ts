import { RULES } from "@hearth/contracts";
import { expect, test } from "@jest/globals";
import { ruleCoverage, uncoveredRules } from "./rule-coverage.ts";

const rules = ["WS1", "WS10", "AU2"];

test("a rule is covered by a title that starts with it", () => {
  expect(
    uncoveredRules(rules, ["WS1 a join is answered", "WS10: a leave too", "AU2 a name is kept"]),
  ).toEqual([]);
});

test("a rule is not covered by another number, by a mention or by a title that is only its name", () => {
  expect(uncoveredRules(rules, ["WS10 a leave", "also AU2 here", "WS1", "WS1a join"])).toEqual([
    "WS1",
    "AU2",
  ]);
});

test("a rule whose test did not run is missed only where everything ran, or where it has no test", async () => {
  const passed = RULES.slice(1).map((rule) => `${rule} holds`);
  const [missing = ""] = RULES;
  expect(await ruleCoverage(passed, true)).toMatchObject({
    failed: 1,
    problems: [expect.stringContaining(missing)],
  });
  expect(await ruleCoverage(passed, false)).toMatchObject({
    failed: 0,
    notes: [expect.stringContaining("1 of")],
  });
});
