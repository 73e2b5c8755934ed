import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "@jest/globals";
import { suitesByProject } from "./suite-files.ts";

interface Row {
  readonly names: readonly string[];
  readonly runs: string;
}

/** The rows `| suites | runs in | subject | … |` of `e2e/README.md`. */
const rows: readonly Row[] = readFileSync(path.join(import.meta.dirname, "../../e2e/README.md"), "utf8")
  .split("\n")
  .flatMap((line) => {
    const [, first = "", runs = ""] = line.split("|").map((cell) => cell.trim());
    const names = [...first.matchAll(/`([^`]+)`/g)].flatMap(([, name]) => name ?? []);
    return /^(smoke|all|cluster|containers|faults|long)\b/.test(runs) ? [{ names, runs }] : [];
  });

const projects = await suitesByProject();
const suites = [...new Set([...projects.values()].flat())].sort();
const rowsOf = (suite: string): readonly Row[] =>
  rows.filter(({ names }) => names.some((name) => path.matchesGlob(suite, name)));

it("the table of the suites names each of them once, and nothing that is not there", () => {
  expect(suites.filter((suite) => rowsOf(suite).length !== 1)).toEqual([]);
  const names = rows.flatMap((row) => row.names);
  expect(names.filter((name) => !suites.some((suite) => path.matchesGlob(suite, name)))).toEqual([]);
});

it("the table says where each suite runs", () => {
  const said = suites.map((suite) => `${suite}: ${rowsOf(suite)[0]?.runs ?? ""}`);
  const where = ["smoke", "rest", "cluster", "containers", "faults", "long"];
  const done = suites.map((suite) => {
    const has = where.filter((project) => projects.get(project)?.includes(suite));
    return `${suite}: ${has.join(", ").replace("rest", "all")}`;
  });
  expect(said).toEqual(done);
});

it("every suite of one process is in the smoke suite or in the rest, and in no other", () => {
  const [smoke = [], rest = [], all = []] = ["smoke", "rest", "e2e"].map((name) => projects.get(name));
  expect([...smoke, ...rest].sort()).toEqual([...all].sort());
});

it("docs/security.md names every suite that attacks, and none that is not there", () => {
  const text = readFileSync(path.join(import.meta.dirname, "../../docs/security.md"), "utf8");
  const table = text
    .slice(text.indexOf("| attack |"))
    .split("\n")
    .filter((line) => line.startsWith("| "));
  const tests = table.map((line) => line.split("|").at(-2) ?? "").join();
  const named = [...tests.matchAll(/`([\w/-]+)`/g)].map(([, name = ""]) => name);
  expect(named.filter((name) => !suites.includes(name))).toEqual([]);
  const attacks = suites.filter((name) =>
    /^abuse\/|\/fuzz$|^rest\/(?!races)|^sockets\/(forbidden|identify|limits|malformed)$/.test(name),
  );
  expect(attacks.filter((name) => !named.includes(name))).toEqual([]);
  expect(attacks.length).toBeGreaterThan(12);
});
