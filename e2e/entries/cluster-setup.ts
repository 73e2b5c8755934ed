import { appendFile } from "node:fs/promises";
import { startCluster, type Cluster } from "../src/server/cluster.ts";
import { share } from "../src/server/shared-cluster.ts";
import { buildWindow } from "../src/settings-screen/built-window.ts";
import { missingServers } from "./servers.ts";

let running: Cluster | undefined;

/** Jest's `globalSetup` of the project `cluster`: starts the cluster that its suites share. */
const setUp = async (): Promise<void> => {
  if (missingServers.length > 0) return;
  const { folder } = await buildWindow();
  running = await startCluster({
    gateways: 2,
    auth: 2,
    presence: 2,
    discovery: 2,
    sync: 2,
    env: { WEB_ROOT: folder },
  });
  share(running);
};

/** Ends the shared cluster. */
export const tearDown = async (): Promise<void> => {
  await running?.stop();
  const log = process.env["HEARTH_E2E_LOG"];
  if (log !== undefined) await appendFile(log, running?.output() ?? "");
  await running?.cleanUp();
};

// eslint-disable-next-line no-restricted-syntax -- Jest takes a default export here.
export default setUp;
