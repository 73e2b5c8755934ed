import { createServerProcess, freePort } from "./server-process.ts";
import type { ServerProcess } from "./server-process.ts";

export interface NatsServerOptions {
  /** Default: a free port. */
  readonly port?: number;
  /** The permissions file; without one every user may do everything. */
  readonly configFile?: string;
  /** Variables for the configuration file. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function createNatsServer(
  program: string,
  { port, configFile, env }: NatsServerOptions = {},
): Promise<ServerProcess> {
  const chosenPort = port ?? (await freePort());
  const args = ["--addr", "127.0.0.1", "--port", String(chosenPort)];
  if (configFile !== undefined) args.push("--config", configFile, "--http_port", String(await freePort()));
  return createServerProcess({ program, port: chosenPort, args, ...(env && { env }) });
}
