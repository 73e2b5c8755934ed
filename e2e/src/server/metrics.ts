import type { RunningServer } from "./process.ts";

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The server's metrics at one moment. */
export interface Measurements {
  readonly text: string;
  /** The sum of all samples with this name and these labels; 0 without any. */
  sum(name: string, labels?: Readonly<Record<string, string>>): number;
  has(name: string): boolean;
}

const parse = (line: string): Sample => {
  const [, name = "", inBraces = "", value = ""] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  const labels = [...inBraces.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text]) => [key, text]);
  return { name, labels: Object.fromEntries(labels) as Record<string, string>, value: Number(value) };
};

/** Reads the internal port. */
export const metricsOf = async ({ metricsUrl }: Pick<RunningServer, "metricsUrl">): Promise<Measurements> => {
  const text = await (await fetch(metricsUrl)).text();
  const samples = text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map(parse);
  return {
    text,
    sum: (name, labels = {}) =>
      samples
        .filter((sample) => sample.name === name)
        .filter((sample) => Object.entries(labels).every(([key, wanted]) => sample.labels[key] === wanted))
        .reduce((total, { value }) => total + value, 0),
    has: (name) => samples.some((sample) => sample.name === name),
  };
};
