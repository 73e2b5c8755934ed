import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

const canRun = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The path of Schemathesis: from `SCHEMATHESIS`, else the first on the path. */
export function findSchemathesis(): string | undefined {
  const named = process.env["SCHEMATHESIS"];
  if (named !== undefined && named !== "") return canRun(named) ? named : undefined;
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  return folders.map((folder) => path.join(folder, "schemathesis")).find(canRun);
}

/** Settings for some operations. */
export interface FuzzRule {
  /** A filter of Schemathesis, as in `include-tag = "Servers"`. */
  readonly of: string;
  readonly parameters?: Readonly<Record<string, string>>;
  /** Responses allowed for a valid request, where the document cannot express what it lacks. */
  readonly statuses?: readonly number[];
}

export interface FuzzRun {
  readonly document: string;
  readonly headers: Readonly<Record<string, string>>;
  /** `examples` and `coverage` test the bounds of each schema; `fuzzing` and `stateful` generate requests. */
  readonly phases: readonly ("examples" | "coverage" | "fuzzing" | "stateful")[];
  readonly seed: number;
  /** Parameter values that exist, such as `path.id`. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly rules?: readonly FuzzRule[];
  /** Excluded operations, which would end what the others need. */
  readonly without?: readonly string[];
  /** Only these operations. */
  readonly only?: readonly string[];
}

export interface FuzzResult {
  /** 0 when every response was as documented. */
  readonly code: number;
  readonly report: string;
}

/** The number of generated requests per operation. */
const EXAMPLES = process.env["FUZZ_EXAMPLES"] ?? "1";

const table = (values: Readonly<Record<string, string>> = {}): string[] =>
  Object.entries(values).map(([name, value]) => `"${name}" = "${value}"`);

const ruleText = ({ of, parameters, statuses }: FuzzRule): string[] => [
  ...["[[operations]]", of, "[operations.parameters]", ...table(parameters)],
  ...(statuses
    ? ["[operations.checks.positive_data_acceptance]", `expected-statuses = ${JSON.stringify(statuses)}`]
    : []),
];

const configOf = ({ parameters, rules = [] }: FuzzRun): string =>
  ["[parameters]", ...table(parameters), ...rules.flatMap(ruleText), ""].join("\n");

const optionsOf = ({
  document,
  headers,
  phases,
  seed,
  without = [],
  only = [],
}: FuzzRun): readonly string[] => [
  ...["run", document, "--checks", "all", "--continue-on-failure", "--no-color"],
  ...Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
  ...["--phases", phases.join(), "--seed", String(seed), "-n", EXAMPLES],
  ...without.flatMap((id) => ["--exclude-operation-id", id]),
  ...only.flatMap((id) => ["--include-operation-id", id]),
];

/** Runs it in its own folder, where it stores its state. */
export async function fuzz(program: string, run: FuzzRun): Promise<FuzzResult> {
  const folder = await mkdtemp(path.join(tmpdir(), "hearth-fuzz-"));
  try {
    const config = path.join(folder, "schemathesis.toml");
    await writeFile(config, configOf(run));
    return await new Promise((resolve) => {
      execFile(
        program,
        ["--config-file", config, ...optionsOf(run)],
        { cwd: folder, maxBuffer: 2 ** 26 },
        (error, stdout, stderr) => {
          resolve({ code: error ? Number(error.code ?? 1) : 0, report: stdout + stderr });
        },
      );
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
