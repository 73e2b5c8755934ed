import { writeFileSync } from "node:fs";
import { readCommandLine } from "./command-line.ts";
import type { CommandLine } from "./command-line.ts";
import { judge } from "./figures/goals.ts";
import { goalsTable, resultsTable } from "./figures/table.ts";
import { claimCores } from "./machine/cores.ts";
import type { Cores } from "./machine/cores.ts";
import { programs } from "./programs/index.ts";
import type { Program } from "./programs/program.ts";

const usage = (): string =>
  [
    "npm run bench -- NAME [--part PART] [--quick] [--repetitions N] [--json FILE]",
    ...programs.map(
      ({ name, summary, parts = [] }) =>
        `  ${name.padEnd(12)} ${summary}${parts.length > 0 ? `; parts: ${parts.join(", ")}` : ""}`,
    ),
  ].join("\n");

function heading({ quick, repetitions }: CommandLine, { pinned, count }: Cores): string[] {
  const cores = pinned
    ? "servers on core 0, load client on core 1"
    : "NOT pinned to cores (taskset or a second core is missing): servers and client disturb each other";
  return [
    `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${count} cores, ${cores}`,
    `Medians [min–max] of ${repetitions} interleaved repetition${repetitions === 1 ? "" : "s"}.`,
    ...(quick ? ["A quick run: everything was done and verified, but the figures mean little."] : []),
  ];
}

async function measure(program: Program, commandLine: CommandLine): Promise<void> {
  const { part, quick, repetitions, json } = commandLine;
  const cores = claimCores();
  const progress = (text: string): void => void process.stderr.write(`${text}\n`);
  const { results, notes } = await program.run({ cores, part, quick, repetitions, progress });
  const verdicts = judge(results, program.goals);
  const lines = [...heading(commandLine, cores), ...notes];
  console.log([...lines, "", resultsTable(results, program.columns)].join("\n"));
  if (verdicts.length > 0) console.log(`\n${goalsTable(verdicts)}`);
  if (json !== undefined) {
    const report = { program: program.name, lines, results, goals: verdicts };
    writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`);
  }
}

function choose(args: readonly string[]): { commandLine: CommandLine; program: Program } {
  try {
    const commandLine = readCommandLine(args);
    const program = programs.find(({ name }) => name === commandLine.program);
    if (!program) throw new Error(`There is no program ${commandLine.program}`);
    const { part } = commandLine;
    if (part !== undefined && !program.parts?.includes(part))
      throw new Error(`${program.name} has no part ${part}`);
    return { commandLine, program };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error(usage());
    process.exit(2);
  }
}

process.on("SIGINT", () => process.exit(130)).on("SIGTERM", () => process.exit(143));
const { commandLine, program } = choose(process.argv.slice(2));
try {
  await measure(program, commandLine);
  process.exit(0);
} catch (error) {
  console.error(error);
  console.error("The work was not done as it should be, so there are no figures.");
  process.exit(1);
}
