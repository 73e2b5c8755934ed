import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";

/** A port that another program occupies until it is released. */
export async function takePort() {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  return { port, free: () => new Promise((resolve) => taken.close(resolve)) };
}
