import { createLog, createMetrics } from "@hearth/runtime";
import {
  createNatsBus,
  networkVariables,
  readProcessConfig,
  runMain,
  runServiceProcess,
} from "@hearth/runtime/network";
import { createSyncService } from "./service.ts";

/** The service in a process of its own; every address comes from the environment. */
await runMain(async () => {
  const { process: config, network } = readProcessConfig(
    "sync",
    networkVariables.bus,
    () => ({}),
    process.env,
  );
  const log = createLog({ name: "sync", level: config.logLevel });
  const metrics = createMetrics();
  const bus = createNatsBus({
    log,
    metrics,
    name: "sync",
    servers: network.NATS_SERVERS,
    user: network.NATS_USER,
    password: network.NATS_PASSWORD,
  });
  const service = createSyncService({ bus, metrics });
  await runServiceProcess({ config, log, metrics, bus, service });
});
