import { fileURLToPath } from "node:url";
import { freePort, isListening } from "@hearth/runtime/testing/servers";
import { ServerProcess } from "./server-process.ts";

/** The programs that the product is compared with; each is a file in `../peers`. */
export type PeerName =
  | "bcrypt"
  | "express-proxy"
  | "nats-caller"
  | "nats-responder"
  | "net-pipe"
  | "socket-io"
  | "socket-io-redis"
  | "sqlite-http"
  | "upstream"
  | "ws-broadcast"
  | "ws-hello";

export interface PeerOptions {
  readonly core: readonly string[];
  readonly nodeOptions?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

export async function startPeer(
  peer: PeerName,
  name: string,
  { core, nodeOptions, environment = {} }: PeerOptions,
): Promise<ServerProcess> {
  const port = await freePort();
  return ServerProcess.start({
    name,
    file: fileURLToPath(new URL(`../peers/${peer}.ts`, import.meta.url)),
    port,
    core,
    environment,
    ...(nodeOptions && { nodeOptions }),
    ready: () => isListening(port),
  });
}
