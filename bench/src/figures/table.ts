import type { Goal, Verdict } from "./goals.ts";
import type { Results } from "./results.ts";
import { spread } from "./statistics.ts";
import type { Spread } from "./statistics.ts";

export interface Column {
  readonly metric: string;
  readonly title: string;
  readonly digits: number;
}

const cell = ({ median, min, max }: Spread, digits: number): string => {
  const text = (value: number): string => value.toFixed(digits);
  return text(min) === text(max) ? text(median) : `${text(median)} [${text(min)}–${text(max)}]`;
};

/** Formats rows as a padded Markdown table. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [line(head), `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...body.map(line)].join(
    "\n",
  );
}

export function resultsTable(results: Results, columns: readonly Column[]): string {
  const rows = results.works.flatMap((work) =>
    results.subjectsOf(work).map((subject) => [
      work,
      subject,
      ...columns.map(({ metric, digits }) => {
        const values = results.valuesOf(work, subject, metric);
        return values.length > 0 ? cell(spread(values), digits) : "";
      }),
    ]),
  );
  return markdownTable([["work", "server", ...columns.map(({ title }) => title)], ...rows]);
}

/** What a limit is of. */
const baseOf = ({ against, againstWork }: Goal): string =>
  [against, againstWork].filter((part) => part !== undefined).join(", ");

export function goalsTable(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({ goal, value, reached }) => [
    goal.title,
    `${goal.kind} ${goal.limit}${goal.against === undefined ? "" : ` × ${baseOf(goal)}`}`,
    cell(value, goal.against === undefined ? 1 : 3),
    reached ? "yes" : "NO",
  ]);
  return markdownTable([["goal", "limit", "measured", "reached"], ...rows]);
}
