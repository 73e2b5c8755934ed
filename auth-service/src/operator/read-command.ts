import { parseArgs } from "node:util";
import { OPERATOR_COMMANDS } from "./commands.ts";
import type { CommandInput, OperatorCommand } from "./commands.ts";

const ENTRIES = Object.entries(OPERATOR_COMMANDS);

/** All commands, one per line. */
export const OPERATOR_USAGE = ENTRIES.map(
  ([name, { usage, about }]) => `${`${name} ${usage}`.trim().padEnd(58)} ${about}`,
).join("\n");

/** A command as the operator typed it. */
export interface TypedCommand extends CommandInput {
  readonly name: string;
  readonly command: OperatorCommand;
}

const OPTIONS = {
  all: { type: "boolean" },
  days: { type: "string" },
  limit: { type: "string" },
  note: { type: "string" },
  "owned-servers": { type: "string" },
  uses: { type: "string" },
} as const;

/** Null if there is no such command, or if it does not take these words and options. */
export function readCommand(argv: readonly string[]): TypedCommand | null {
  const name = argv.slice(0, 2).join(" ");
  const command = Object.hasOwn(OPERATOR_COMMANDS, name) ? OPERATOR_COMMANDS[name] : undefined;
  if (command === undefined) return null;
  const parsed = parse(argv.slice(2));
  if (parsed === null) return null;
  const { values, positionals } = parsed;
  const wantsArgument = /^[A-Z]/.test(command.usage);
  const fits = positionals.length === (wantsArgument ? 1 : 0) && positionals[0] !== "";
  const known = Object.keys(values).every((option) => command.options?.includes(option) === true);
  return fits && known ? { name, command, argument: positionals[0] ?? "", options: values } : null;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch {
    return null;
  }
}
