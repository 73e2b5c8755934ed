import { parseArgs } from "node:util";

export interface CommandLine {
  readonly program: string;
  /** The only part of the program to measure; by default all. */
  readonly part: string | undefined;
  readonly quick: boolean;
  readonly json: string | undefined;
  readonly repetitions: number;
}

const REPETITIONS = 4;

/** Parses `NAME [--part PART] [--quick] [--repetitions N] [--json FILE]`; throws on an error. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      part: { type: "string" },
      quick: { type: "boolean", default: false },
      json: { type: "string" },
      repetitions: { type: "string" },
    },
  });
  const [program, ...others] = positionals;
  if (program === undefined || others.length > 0) throw new Error("Name one program");
  const repetitions = Number(values.repetitions ?? (values.quick ? 1 : REPETITIONS));
  if (!Number.isInteger(repetitions) || repetitions < 1 || repetitions > 20) {
    throw new Error("--repetitions takes a whole number from 1 to 20");
  }
  return { program, part: values.part, quick: values.quick, json: values.json, repetitions };
}
