import { userInfo } from "node:os";
import { ProblemError } from "@hearth/contracts";
import {
  MAX_AUDIT_TARGET,
  StartError,
  createLog,
  newId,
  recordUse,
  systemClock as clock,
} from "@hearth/runtime";
import type { Environment } from "@hearth/runtime";
import { readOperatorConfig } from "../config.ts";
import type { OperatorConfig } from "../config.ts";
import type { AuthStore } from "../domain/store.ts";
import { openStore } from "./open-store.ts";
import { OPERATOR_USAGE, readCommand } from "./read-command.ts";

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (line: string): void => void process.stderr.write(`${line}\n`);

async function withStore<Result>(
  config: OperatorConfig,
  use: (store: AuthStore) => Promise<Result>,
): Promise<Result> {
  const log = createLog({ name: "admin", level: "error", destination: process.stderr });
  const store = await openStore(config, log);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

interface OperatorUse {
  readonly actor: string;
  readonly action: string;
  readonly target: string | null;
  readonly changes: boolean;
}

/** Runs a command and records it in the audit log of this store. */
function recorded(
  store: AuthStore,
  { changes, target, ...use }: OperatorUse,
  run: () => Promise<number>,
): Promise<number> {
  const entry = { ...use, target: target?.slice(0, MAX_AUDIT_TARGET) ?? null };
  const append = (outcome: string) => store.appendAudit({ id: newId(), at: clock.now(), ...entry, outcome });
  return recordUse({ append, changes }, run);
}

/**
 * AB11: one use of the operator's command. Resolves with the exit code: 0 if it was done, 1 if there is no such thing,
 * 2 for a wrong use or a store that cannot be used.
 */
export async function operatorCommand(argv: readonly string[], environment?: Environment): Promise<number> {
  const typed = readCommand(argv);
  if (typed === null) {
    complain(OPERATOR_USAGE);
    return 2;
  }
  const { name: action, command, argument, options } = typed;
  return reportProblems(async () => {
    const config = readOperatorConfig(environment);
    const actor = userInfo().username;
    const target = argument === "" ? null : argument;
    return withStore(config, (store) =>
      recorded(store, { actor, action, target, changes: command.changes }, async () => {
        const deps = { store, clock, actor, say, publicUrl: config.publicUrl };
        const done = await command.run(deps, { argument, options });
        if (!done) complain("There is no such thing, or nothing to do");
        return done ? 0 : 1;
      }),
    );
  });
}

/** AB11: runs another service's command and records it in the same audit log. */
export const auditedCommand = (argv: readonly string[], run: () => Promise<number>): Promise<number> =>
  reportProblems(async () => {
    const [group = "", name = "", target = null] = argv;
    const use = { actor: userInfo().username, action: `${group} ${name}`, target, changes: true };
    return withStore(readOperatorConfig(), (store) => recorded(store, use, run));
  });

async function reportProblems(run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof StartError || error instanceof ProblemError)) throw error;
    complain(error.message);
    return 2;
  }
}
