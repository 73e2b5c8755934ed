import {
  networkVariables,
  openProcess,
  readProcessConfig,
  runMain,
  runServiceProcess,
} from "@hearth/runtime/network";
import { createSyncService } from "./service.ts";

/** The service in a process of its own; every address comes from the environment. */
await runMain(async () => {
  const opened = openProcess(
    "sync",
    readProcessConfig("sync", networkVariables.bus, () => ({}), process.env),
  );
  await runServiceProcess({ ...opened, service: createSyncService(opened) });
});
