import { connect, createServer } from "node:net";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";

export const HOST = "127.0.0.1";

/** A port that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, HOST);
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) throw new Error("No port could be found");
  return address.port;
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, HOST);
    const settle = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", () => settle(true)).once("error", () => settle(false));
  });

/** Asks again and again until the answer is yes; throws after `atMostMs`, or as soon as `gone` says so. */
export async function until(
  ask: () => Promise<boolean>,
  atMostMs: number,
  gone: () => boolean,
): Promise<void> {
  const deadline = performance.now() + atMostMs;
  while (!(await ask())) {
    if (gone()) throw new Error("It ended before it was ready");
    if (performance.now() > deadline) throw new Error(`It was not ready within ${atMostMs} ms`);
    await wait(50);
  }
}

export const listening = (port: number) => (): Promise<boolean> => accepts(port);

/**
 * One of many addresses of this machine's loopback network, so that limits per client address, which are part
 * of the measured path, see as many clients as there would be.
 */
export const loopbackAddress = (index: number): string =>
  `127.${1 + Math.floor(index / 62_500)}.${Math.floor(index / 250) % 250}.${1 + (index % 250)}`;
