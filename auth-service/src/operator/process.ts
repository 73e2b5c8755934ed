import { userInfo } from "node:os";
import path from "node:path";
import { ProblemError } from "@hearth/contracts";
import { StartError, createLog, systemClock as clock } from "@hearth/runtime";
import type { Environment, Log } from "@hearth/runtime";
import { readOperatorConfig } from "../config.ts";
import type { OperatorConfig } from "../config.ts";
import { AUTH_DATABASE, createSqliteAuthStore } from "../store/sqlite/store.sqlite.ts";
import type { AuthStore } from "../domain/store.ts";
import { audited } from "./audit.ts";
import { OPERATOR_USAGE, readCommand } from "./command.ts";

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (line: string): void => void process.stderr.write(`${line}\n`);

async function openStore(config: OperatorConfig, log: Log): Promise<AuthStore> {
  if (config.distributed === null)
    return createSqliteAuthStore({ file: path.join(config.dataDir, AUTH_DATABASE), log });
  const { openMongoAuthStore } = await import("./command-store.mongo.ts");
  return openMongoAuthStore(config.distributed, log);
}

async function withStore<Result>(
  config: OperatorConfig,
  use: (store: AuthStore) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(
    config,
    createLog({ name: "admin", level: "error", destination: process.stderr }),
  );
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/**
 * AB11: one use of the operator's command. Resolves with the exit code: 0 when it was done, 1 when there is no such
 * thing, 2 for a wrong use or a store that cannot be used.
 */
export async function operatorCommand(argv: readonly string[], environment?: Environment): Promise<number> {
  const asked = readCommand(argv);
  if (asked === null) {
    complain(OPERATOR_USAGE);
    return 2;
  }
  const { name: action, command, argument, options } = asked;
  return reporting(async () => {
    const config = readOperatorConfig(environment);
    const actor = userInfo().username;
    const target = argument === "" ? null : argument;
    return withStore(config, (store) =>
      audited({ store, clock, actor, action, target, changes: command.changes }, async () => {
        const deps = { store, clock, actor, say, publicUrl: config.publicUrl };
        const done = await command.run(deps, { argument, options });
        if (!done) complain("There is no such thing, or nothing to do");
        return done ? 0 : 1;
      }),
    );
  });
}

/** AB11: another service's command, recorded in the same audit log. */
export const auditedCommand = (argv: readonly string[], run: () => Promise<number>): Promise<number> =>
  reporting(async () => {
    const [group = "", name = "", target = null] = argv;
    const use = { clock, actor: userInfo().username, action: `${group} ${name}`, target, changes: true };
    return withStore(readOperatorConfig(), (store) => audited({ ...use, store }, run));
  });

async function reporting(run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof StartError || error instanceof ProblemError)) throw error;
    complain(error.message);
    return 2;
  }
}
