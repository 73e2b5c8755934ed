import { createLog, readConfig, StartError, systemClock, variables } from "@hearth/runtime";
import { z } from "zod";
import manifest from "../package.json" with { type: "json" };
import { HELP, readCommandLine } from "./options.ts";
import { startHeadless } from "./run.ts";
import type { BuiltDocument } from "./run.ts";

const schema = z.object({
  LOG_LEVEL: variables.logLevel().default(process.stdout.isTTY ? "warn" : "info"),
});

const write = (text: string): void => void process.stdout.write(text);

function complain(text: string, code: number): void {
  process.stderr.write(`${text}\n`);
  process.exitCode = code;
}

/** `npm run desktop:headless`: the local API without Electron, until a signal stops it. */
export async function main(
  argv: readonly string[],
  prepare: (documents: readonly BuiltDocument[]) => Promise<void>,
): Promise<void> {
  const line = readCommandLine(argv);
  if (line.kind === "help") {
    write(HELP);
    return;
  }
  if (line.kind === "invalid") {
    complain([...line.problems, "--help tells what there is."].join("\n"), 2);
    return;
  }
  try {
    const { LOG_LEVEL: level } = readConfig(schema, process.env, { service: "desktop" });
    const log = createLog({ name: "desktop", level });
    const around = {
      built: import.meta.dirname,
      version: manifest.version,
      now: () => systemClock.now(),
      prepare,
      log,
      write,
    };
    await startHeadless(line.options, around);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    complain(error.message, 1);
  }
}

if (import.meta.main) await main(process.argv.slice(2), async () => undefined);
