import { readFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { ProblemError } from "@hearth/contracts";
import { StartError, createLog, errorCode } from "@hearth/runtime";
import { readDataDir } from "../config.ts";
import { UnreadableFile, readRows } from "./import-file.ts";
import type { ImportReport } from "./import.ts";
import { AUTH_DATABASE, createSqliteAuthStore, importAccounts } from "../index.ts";

const USAGE = "Usage: npm run users:import -- FILE.json [--skip-invalid] [--data-dir DIR]";

/** Bad arguments or an unusable file; its message is for the user of the command. */
class CommandError extends Error {}

interface Options {
  readonly file: string;
  readonly skipInvalid: boolean;
  readonly dataDir: string;
}

function readOptions(args: readonly string[]): Options {
  const options = { "skip-invalid": { type: "boolean" }, "data-dir": { type: "string" } } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [file, ...others] = positionals;
    if (file === undefined || others.length > 0) throw new CommandError(USAGE);
    const dataDir = values["data-dir"] ?? readDataDir();
    return { file, skipInvalid: values["skip-invalid"] ?? false, dataDir };
  } catch (error) {
    if (error instanceof TypeError) throw new CommandError(`${error.message}\n${USAGE}`);
    throw error;
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new CommandError(`${file} cannot be read (${errorCode(error) ?? "unknown error"})`);
  }
}

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;

function summary({ imported, issues }: ImportReport, { skipInvalid }: Options, database: string): string {
  const bad = new Set(issues.map(({ line }) => line)).size;
  const done = `Imported ${count(imported, "account")} into ${database}`;
  if (bad === 0) return `${done}.`;
  if (skipInvalid) return `${done}; left out what begins on ${count(bad, "line")}.`;
  return `Nothing was imported: see ${count(bad, "line")} above. Mend them, or leave them out with --skip-invalid.`;
}

/** AU9. Resolves with the exit code: 0 if everything was imported, or with `--skip-invalid` everything valid. */
async function run(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  const rows = readRows(await readText(options.file));
  const database = path.join(options.dataDir, AUTH_DATABASE);
  const log = createLog({ name: "users:import", level: "error", destination: process.stderr });
  const store = createSqliteAuthStore({ file: database, log });
  try {
    const report = await importAccounts(store, rows, { skipInvalid: options.skipInvalid, now: Date.now() });
    for (const { line, field, message } of report.issues)
      process.stderr.write(`line ${line}: ${field || "account"}: ${message}\n`);
    process.stdout.write(`${summary(report, options, database)}\n`);
    return report.issues.length === 0 || options.skipInvalid ? 0 : 1;
  } finally {
    await store.close();
  }
}

const EXPECTED_ERRORS = [CommandError, UnreadableFile, StartError, ProblemError];

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Error) || !EXPECTED_ERRORS.some((kind) => error instanceof kind)) throw error;
  const where = error instanceof UnreadableFile ? `line ${error.line}: ` : "";
  process.stderr.write(`${where}${error.message}\n`);
  process.exitCode = 2;
}
