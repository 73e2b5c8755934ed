import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { silentLog } from "@hearth/runtime";
import type { ConnectionHandler } from "../../transport/connection.ts";
import { createTransport, type Transport, type TransportOptions } from "../../transport/transport.ts";

export interface ServedTransport {
  readonly transport: Transport;
  readonly port: number;
  /** The raw sockets of the upgrades, as the server sees them. */
  readonly sockets: Duplex[];
  close(): Promise<void>;
}

/** A transport on a free port of the loopback address. */
export async function serveTransport(
  handler: ConnectionHandler,
  options: Partial<TransportOptions> = {},
): Promise<ServedTransport> {
  const transport = createTransport({ handler, log: silentLog, ...options });
  const sockets: Duplex[] = [];
  const server = createServer();
  server.on("upgrade", (request, socket, head) => {
    sockets.push(socket);
    transport.upgrade(request, socket, head);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    await transport.stop();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  };
  return { transport, port, sockets, close };
}
