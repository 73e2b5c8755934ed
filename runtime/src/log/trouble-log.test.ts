import { expect, it } from "@jest/globals";
import { recordedLog } from "../testing/doubles.ts";
import { TroubleLog } from "./trouble-log.ts";

it("trouble that lasts is logged once, and again when it changes or comes back", () => {
  const { log, records } = recordedLog();
  const trouble = new TroubleLog(log);
  for (const code of ["ECONNREFUSED", "ECONNREFUSED", "ETIMEDOUT"]) trouble.report(code, "the bus is away");
  trouble.clear();
  trouble.report("ETIMEDOUT", "the bus is away");
  const levels = records().map(({ code, level }) => [code, level]);
  const [first, repeated] = levels.map(([, level]) => level);
  expect(levels).toEqual([
    ["ECONNREFUSED", first],
    ["ECONNREFUSED", repeated],
    ["ETIMEDOUT", first],
    ["ETIMEDOUT", first],
  ]);
  expect(repeated).not.toBe(first);
});
