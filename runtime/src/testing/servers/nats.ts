import { createServerProcess, freePort } from "./server-process.ts";
import type { ServerProcess } from "./server-process.ts";

export interface NatsServerOptions {
  /** Default: one that is free. */
  readonly port?: number;
  /** Who may do what; everybody everything without one. */
  readonly configFile?: string;
  /** What the configuration takes from the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function createNatsServer(
  program: string,
  { port, configFile, env }: NatsServerOptions = {},
): Promise<ServerProcess> {
  const at = port ?? (await freePort());
  const args = ["--addr", "127.0.0.1", "--port", String(at)];
  if (configFile !== undefined) args.push("--config", configFile, "--http_port", String(await freePort()));
  return createServerProcess({ program, port: at, args, ...(env && { env }) });
}
