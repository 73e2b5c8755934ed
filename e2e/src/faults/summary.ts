import { type Entry, entriesOf } from "./ledger.ts";

/** A summary of a run in one line, which reveals a run in which nothing happened. */
export const summary = (entries: readonly Entry[]): string => {
  const answers = entriesOf(entries, "answered");
  const statuses = new Map<number, number>();
  for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const took = entriesOf(entries, "whole").map(({ at, name }) => {
    const returned = entriesOf(entries, "returned").find((entry) => entry.name === name);
    return `whole after ${Math.round(at - (returned?.at ?? at))} ms`;
  });
  const failures = new Map<string, number>();
  for (const { request, status, code } of answers) {
    if (status !== 0 && status < 500) continue;
    const kind = `${request.replace(/[0-9a-f-]{36}/, ":id")} ${status} ${code}`;
    failures.set(kind, (failures.get(kind) ?? 0) + 1);
  }
  return [
    `${entriesOf(entries, "sent").length} sent`,
    `${entriesOf(entries, "acknowledged").length} acknowledged`,
    `${entriesOf(entries, "received").length} received`,
    `${entriesOf(entries, "opened").length} connections`,
    `${entriesOf(entries, "ended").length} sessions ended`,
    `${entriesOf(entries, "voice").length} voice owners told`,
    `${entriesOf(entries, "accepted").length} mutations accepted`,
    `answers ${[...statuses].map(([status, count]) => `${status}: ${count}`).join(", ")}`,
    `slowest ${Math.round(Math.max(0, ...answers.map(({ tookMs }) => tookMs)))} ms`,
    ...took,
    ...[...failures].map(([kind, count]) => `${count} × ${kind}`),
  ].join("; ");
};
