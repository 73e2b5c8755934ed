import { createLog, newId, systemClock } from "@hearth/runtime";
import type { Environment } from "@hearth/runtime";
import { readOperatorConfig } from "../config.ts";
import { createServersAdmin } from "./commands.ts";
import type { FoundServer, ServersAdmin } from "./commands.ts";
import { openStore } from "./open-store.ts";

export const SERVERS_USAGE = `servers find TEXT            servers whose name contains the text, or the one with that id
servers feature ID           recommend it in the directory
servers unfeature ID         recommend it no more
servers delete ID            delete it, with its members, invites and bans`;

const line = ({ server, featured }: FoundServer): string =>
  [
    server.id,
    server.visibility,
    `${server.memberCount} ${server.memberCount === 1 ? "member" : "members"}`,
    `owner ${server.ownerId}`,
    featured ? "featured" : "-",
    server.name,
  ].join("\t");

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const complain = (text: string): void => void process.stderr.write(`${text}\n`);

async function find(admin: ServersAdmin, text: string): Promise<boolean> {
  const found = await admin.find(text);
  for (const server of found) say(line(server));
  return found.length > 0;
}

/** Each resolves with whether there was such a server. */
const ACTIONS: Readonly<Record<string, (admin: ServersAdmin, argument: string) => Promise<boolean>>> = {
  find,
  feature: (admin, id) => admin.feature(id),
  unfeature: (admin, id) => admin.unfeature(id),
  delete: (admin, id) => admin.remove(id),
};

/** True for one of the commands with its argument. */
export const isServersCommand = ([name = "", argument = "", ...others]: readonly string[]): boolean =>
  Object.hasOwn(ACTIONS, name) && argument !== "" && others.length === 0;

/**
 * AB11: `find`, `feature`, `unfeature` and `delete` with one argument. Resolves with the exit code: 0 if it was done, 1 if
 * there is no such server, 2 for a wrong use. Rejects with a `ConfigError`, `StartError` or `ProblemError` if the store
 * cannot be used.
 */
export async function serversCommand(argv: readonly string[], environment?: Environment): Promise<number> {
  const [name = "", argument = ""] = argv;
  const action = ACTIONS[name];
  if (!isServersCommand(argv) || action === undefined) {
    complain(SERVERS_USAGE);
    return 2;
  }
  const log = createLog({ name: "admin", level: "error", destination: process.stderr });
  const store = await openStore(readOperatorConfig(environment), log);
  try {
    const done = await action(createServersAdmin({ store, clock: systemClock, newId }), argument);
    if (!done) complain("No such server");
    else if (name !== "find") say("Done");
    return done ? 0 : 1;
  } finally {
    await store.close();
  }
}
