import { afterAll, beforeAll } from "@jest/globals";
import { exchange } from "./raw-client.ts";
import { createWorld } from "./world.ts";
import type { Twin, World } from "./world.ts";

/** The head of a request as it is sent, whatever a library would think of it. */
export const head = (target: string, lines: readonly string[] = [], method = "GET"): string =>
  `${[`${method} ${target} HTTP/1.1`, "Host: hearth.test", "Connection: close", ...lines].join("\r\n")}\r\n\r\n`;

/** A gateway before such services, for the tests of the block that asks. */
export function gatewayBefore(twin: Twin) {
  let world: World | undefined;
  beforeAll(async () => {
    world = await createWorld({ twin, variables: { corsAllowlist: ["https://app.test"] } });
  });
  afterAll(() => world?.close());
  const current = (): World => {
    if (!world) throw new Error("The gateway runs only while the tests do");
    return world;
  };
  return { world: current, raw: (bytes: string): Promise<string> => exchange(current().port, bytes) };
}
