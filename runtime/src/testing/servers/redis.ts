import { createServerProcess, freePort } from "./server-process.ts";
import type { ServerProcess } from "./server-process.ts";

export interface RedisServerOptions {
  /** Default: one that is free. */
  readonly port?: number;
  readonly password?: string;
}

export async function createRedisServer(
  program: string,
  { port, password }: RedisServerOptions = {},
): Promise<ServerProcess> {
  const at = port ?? (await freePort());
  const args = ["--bind", "127.0.0.1", "--port", String(at), "--save", "", "--appendonly", "no"];
  if (password !== undefined) args.push("--requirepass", password);
  return createServerProcess({ program, port: at, args });
}
