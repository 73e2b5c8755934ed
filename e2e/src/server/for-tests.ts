import { afterAll, beforeAll } from "@jest/globals";
import { type RunningServer, type ServerOptions, startServer } from "./process.ts";

/** The product for tests that neither start nor stop it. */
export type ServerForTests = Pick<RunningServer, "url" | "metricsUrl" | "dataDir" | "output">;

/** The product for the tests of a file or a block: started before them, stopped after them, its data removed. */
export function serverForTests(options: ServerOptions = {}): ServerForTests {
  let running: RunningServer | undefined;
  const current = (): RunningServer => {
    if (!running) throw new Error("The server runs only while the tests do");
    return running;
  };
  beforeAll(async () => {
    running = await startServer(options);
  }, 120_000);
  afterAll(async () => {
    await running?.stop();
    await running?.cleanUp();
  });
  return {
    get url() {
      return current().url;
    },
    get metricsUrl() {
      return current().metricsUrl;
    },
    get dataDir() {
      return current().dataDir;
    },
    output: () => current().output(),
  };
}
