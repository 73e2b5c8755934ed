import { userInfo } from "node:os";
import { ProblemError } from "@hearth/contracts";
import { createLog, poll, readConfig } from "@hearth/runtime";
import type { Bus } from "@hearth/runtime";
import { createNatsBus, networkVariables, runMain, withSecretFiles } from "@hearth/runtime/network";
import { z } from "zod";
import { isServersCommand, serversCommand } from "./command.ts";
import { audited } from "./audit.ts";

const PATIENCE_MS = 10_000;
const CHECK_MS = 50;
const SERVICE = { service: "discovery" };

/** The service's own bus: auth keeps the audit log. */
async function connectBus(): Promise<Bus> {
  const env = withSecretFiles(process.env, ["NATS_PASSWORD"], SERVICE);
  const config = readConfig(z.object(networkVariables.bus), env, SERVICE);
  const { NATS_SERVERS: servers, NATS_USER: user, NATS_PASSWORD: password } = config;
  const log = createLog({ name: "admin", level: "fatal", destination: process.stderr });
  const bus = createNatsBus({ log, name: "discovery", servers, user, password });
  await poll(() => bus.connected, { everyMs: CHECK_MS, limitMs: PATIENCE_MS });
  return bus;
}

async function run(argv: readonly string[]): Promise<number> {
  if (!isServersCommand(argv)) return serversCommand(argv);
  const bus = await connectBus();
  try {
    return await audited({ bus, actor: userInfo().username, argv }, () => serversCommand(argv));
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  } finally {
    await bus.close();
  }
}

/** The operator's command for servers, beside a service in a container. */
await runMain(async () => {
  process.exitCode = await run(process.argv.slice(2));
});
