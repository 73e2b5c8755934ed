import { afterEach, beforeEach, expect, it, jest } from "@jest/globals";
import { reportOf } from "./jest-report.ts";
import { Summary } from "./summary.ts";

let said: string[];
beforeEach(() => {
  said = [];
  jest.spyOn(console, "log").mockImplementation((line: unknown) => void said.push(String(line)));
});
afterEach(() => void jest.restoreAllMocks());

const result = (file: string, seconds: number, ...tests: readonly (readonly [string, string])[]) => ({
  testFilePath: file,
  failureMessage: tests.some(([, status]) => status === "failed") ? "● why" : null,
  perfStats: { start: 1_000, end: 1_000 + seconds * 1_000 },
  testResults: tests.map(([title, status]) => ({ title, fullName: `it ${title}`, status })),
});

it("the report of a file has its failed tests by name, or the file itself where no test could run", () => {
  const { passedTitles, problems, seconds } = reportOf(
    result("a.test.ts", 2, ["WS1 holds", "passed"], ["WS2 breaks", "failed"]),
  );
  expect({ passedTitles, problems, seconds }).toEqual({
    passedTitles: ["WS1 holds"],
    problems: ["a.test.ts: it WS2 breaks"],
    seconds: 2,
  });
  expect(reportOf({ ...result("b.test.ts", 0), failureMessage: "no such module" }).problems).toEqual([
    "b.test.ts could not be run",
  ]);
});

it("the end of a run compares its times, counts what was skipped by reason, and fits on a screen", async () => {
  const summary = new Summary(0);
  const skipped = Array.from(
    { length: 300 },
    (_, index) => [`${index} (needs Chromium)`, "pending"] as const,
  );
  const files = Array.from({ length: 30 }, (_, index) =>
    reportOf(
      result(`${index}.test.ts`, index, ["WS1 holds", "passed"], ["AU1 breaks", "failed"], ...skipped),
    ),
  );
  const [problems, skippedTitles] = [
    files.flatMap((file) => file.problems),
    files.flatMap((file) => file.skippedTitles),
  ];
  summary.add("unit", 70, { failed: 30, problems, skippedTitles, files });
  await summary.print({ unit: 60, "unit 29.test.ts": 30 }, { isComplete: true });
  const lines = said.join("\n").split("\n");
  expect(lines.length).toBeLessThan(60);
  expect(lines).toContainEqual(expect.stringMatching(/70\.0 s\s+\+10\.0 {2}unit: FAILED 30/));
  expect(lines).toContainEqual(expect.stringMatching(/29\.0 s\s+-1\.0 {2}unit 29\.test\.ts/));
  expect(lines).toContainEqual(expect.stringContaining("9000 × needs Chromium"));
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}\d+ end-to-end suites .*npm run test:all/));
  expect(lines).toContain("  and 10 more");
  expect(lines.at(-1)).toBe("30 passed, 30 failed");
  expect(summary.times).not.toHaveProperty("unit");
});
