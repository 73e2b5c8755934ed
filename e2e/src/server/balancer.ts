import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** One address in front of several gateways: distributes connections in turn and passes bytes unchanged. */
export interface Balancer {
  readonly url: string;
  close(): Promise<void>;
}

const LINGER_MS = 2_000;

/** `from` is the local address of its connections to the gateways. */
export const startBalancer = async (urls: readonly string[], port = 0, from?: string): Promise<Balancer> => {
  const open = new Set<Socket>();
  let turn = 0;
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const { hostname, port: to } = new URL(urls[turn++ % urls.length] ?? "");
    const gateway = connect({
      host: hostname,
      port: Number(to),
      allowHalfOpen: true,
      noDelay: true,
      ...(from !== undefined && { localAddress: from }),
    });
    for (const [one, other] of [
      [client, gateway],
      [gateway, client],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on("error", () => undefined);
      // Data sent before one side was cut off still reaches the other.
      one.on("close", () => {
        open.delete(one);
        other.unpipe();
        other.resume();
        other.end();
        setTimeout(() => other.destroy(), LINGER_MS).unref();
      });
    }
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
};
