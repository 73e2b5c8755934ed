import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const read = (file: string): string => readFileSync(`${ROOT}${file}`, "utf8");
const METRIC = /\bhearth_[a-z_]+/g;

const exported = new Set(
  globSync("{runtime,gateway,*-service}/src/**/*.ts", { cwd: ROOT })
    .filter((file) => !file.endsWith(".test.ts"))
    .flatMap((file) => [...read(file).matchAll(/"(hearth_[a-z_]+)"/g)].map(([, name = ""]) => name)),
);

/** A histogram's series carry what they are behind its name. */
const named = (text: string): string[] =>
  [...new Set(text.match(METRIC) ?? [])].map((name) => name.replace(/_(bucket|count|sum)$/, ""));

describe("alerts and the dashboard", () => {
  it.each([
    ["the dashboard", "deploy/grafana/dashboards/hearth.json"],
    ["the handbook of operations", "docs/operations.md"],
  ])("%s has every metric that a service exports, and none that does not exist", (_, file) => {
    expect(named(read(file)).sort()).toEqual([...exported].sort());
  });

  it("alerts use metrics that exist", () => {
    const unknown = named(read("deploy/prometheus/alerts.yml")).filter((name) => !exported.has(name));
    expect(unknown).toEqual([]);
  });

  it("the handbook explains every alert and every close code", () => {
    const text = read("docs/operations.md");
    const alerts = [...read("deploy/prometheus/alerts.yml").matchAll(/alert: (\w+)/g)].map(
      ([, name]) => name,
    );
    expect(alerts.filter((name) => !text.includes(`*${name}*`))).toEqual([]);
    const codes = [...read("contracts/src/close-codes.ts").matchAll(/code: (4\d{3})/g)].map(
      ([, code]) => code,
    );
    expect(codes.length).toBeGreaterThan(10);
    expect(codes.filter((code) => !text.includes(code ?? ""))).toEqual([]);
  });
});
