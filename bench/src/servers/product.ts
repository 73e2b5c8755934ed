import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@hearth/runtime/testing/servers";
import { RestClient } from "../accounts/rest-client.ts";
import { ServerProcess } from "./server-process.ts";

const entry = fileURLToPath(new URL("../../../all-in-one.ts", import.meta.url));

/** The lowest cost the product accepts; the program `login` measures logins. */
export const BCRYPT_COST = 10;

/** A program's few accounts send as much as a whole community, so the budgets of AB5 count but refuse nothing. */
export const ONE_FOR_MANY = {
  CONNECTION_KIB_PER_SECOND: "1000000",
  ACCOUNT_MESSAGES_PER_SECOND: "1000000",
  ACCOUNT_KIB_PER_SECOND: "1000000",
  ROOM_KIB_PER_SECOND: "1000000",
};

/** One address sends as much as thousands, so the gateway's budgets (AB3) are off; the rest stays at its default. */
const NO_BUDGETS = {
  MAX_CONNECTIONS_PER_ADDRESS: "0",
  MAX_ACCOUNT_WRITES_PER_SECOND: "0",
  MAX_ADDRESS_WRITES_PER_SECOND: "0",
  MAX_ADDRESS_SEARCHES_PER_SECOND: "0",
  MAX_ADDRESS_READS_PER_SECOND: "0",
};

export interface ProductOptions {
  readonly core: readonly string[];
  readonly nodeOptions?: readonly string[];
  readonly dataDir: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A folder for the product's data, removed when the process ends. */
export function temporaryData(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "bench-data-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The whole product in one process, with default limits and checks except those per address. */
export async function startProduct({
  core,
  nodeOptions,
  dataDir,
  environment = {},
}: ProductOptions): Promise<ServerProcess> {
  const port = await freePort();
  const metricsPort = await freePort();
  const rest = new RestClient(port);
  const server = await ServerProcess.start({
    name: "Hearth",
    file: entry,
    port,
    core,
    ...(nodeOptions && { nodeOptions }),
    environment: {
      DATA_DIR: dataDir,
      METRICS_PORT: String(metricsPort),
      BCRYPT_COST: String(BCRYPT_COST),
      MAX_WAITING_LOGINS_PER_ADDRESS: "256",
      ...NO_BUDGETS,
      ...environment,
    },
    ready: () =>
      rest.ask({ path: "/api/health" }).then(
        ({ status }) => status === 200,
        () => false,
      ),
  });
  rest.close();
  return server;
}
