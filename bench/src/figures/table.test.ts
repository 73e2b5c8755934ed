import { describe, expect, it } from "@jest/globals";
import { judge } from "./goals.ts";
import { Results } from "./results.ts";
import { goalsTable, resultsTable } from "./table.ts";

const results = new Results();
results.add("echo", "ours", { cpu: 1, p99: 3 });
results.add("echo", "ours", { cpu: 2, p99: 3 });
results.add("echo", "theirs", { cpu: 4 });
results.add("echo", "theirs", { cpu: 4 });

describe("tables", () => {
  it("shows median and range, the range only where there is one, and a blank for what was not measured", () => {
    const table = resultsTable(results, [
      { metric: "cpu", title: "µs", digits: 1 },
      { metric: "p99", title: "p99", digits: 0 },
    ]);
    expect(table.split("\n")).toEqual([
      "| work | server | µs            | p99 |",
      "|------|--------|---------------|-----|",
      "| echo | ours   | 1.5 [1.0–2.0] | 3   |",
      "| echo | theirs | 4.0           |     |",
    ]);
  });

  it("says of every goal whether it is reached", () => {
    const goal = { title: "cheap", work: "echo", subject: "ours", metric: "cpu", kind: "at most" } as const;
    const table = goalsTable(
      judge(results, [
        { ...goal, against: "theirs", limit: 0.4 },
        { ...goal, limit: 1 },
      ]),
    );
    expect(table).toContain("| cheap | at most 0.4 × theirs | 0.375 [0.250–0.500] | yes     |");
    expect(table).toContain("| cheap | at most 1            | 1.5 [1.0–2.0]       | NO      |");
  });
});
