import { createServerProcess, freePort } from "./server-process.ts";
import type { ServerProcess } from "./server-process.ts";

export interface RedisServerOptions {
  /** Default: a free port. */
  readonly port?: number;
  /** The password of the user `default`. */
  readonly password?: string;
  /** A file of users and their permissions, instead of `password`. */
  readonly aclFile?: string;
}

export async function createRedisServer(
  program: string,
  { port, password, aclFile }: RedisServerOptions = {},
): Promise<ServerProcess> {
  const chosenPort = port ?? (await freePort());
  const args = ["--bind", "127.0.0.1", "--port", String(chosenPort), "--save", "", "--appendonly", "no"];
  if (password !== undefined) args.push("--requirepass", password);
  if (aclFile !== undefined) args.push("--aclfile", aclFile);
  return createServerProcess({ program, port: chosenPort, args });
}
