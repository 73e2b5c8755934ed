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

/** Schemathesis: named by `SCHEMATHESIS`, else the first that is on the path. */
export function findSchemathesis(): string | undefined {
  const named = process.env["SCHEMATHESIS"];
  if (named !== undefined && named !== "") return canRun(named) ? named : undefined;
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  return folders.map((folder) => path.join(folder, "schemathesis")).find(canRun);
}

export interface FuzzRun {
  readonly document: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly seed: number;
  /** How many requests it makes up for each operation. */
  readonly examples: number;
  /** Values of parameters that lead to something, as in `path.id`. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Operations that end what the others need. */
  readonly without: readonly string[];
}

export interface FuzzResult {
  /** 0 where every answer was as documented. */
  readonly code: number;
  readonly report: string;
}

const configOf = ({ parameters = {} }: FuzzRun): string =>
  ["[parameters]", ...Object.entries(parameters).map(([name, value]) => `"${name}" = "${value}"`)].join("\n");

const optionsOf = ({ document, headers, seed, examples, without }: FuzzRun): readonly string[] => [
  ...["run", document, "--checks", "all"],
  ...Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
  ...["--phases", "examples,coverage,fuzzing", "--seed", String(seed), "-n", String(examples)],
  ...["--continue-on-failure", "--no-color"],
  ...without.flatMap((id) => ["--exclude-operation-id", id]),
];

/** Runs it in a folder of its own, where it leaves what it remembers. */
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
