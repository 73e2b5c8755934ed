import { runMain } from "@hearth/runtime/network";
import { serversCommand } from "../admin-command.ts";

/** The operator's command about servers, beside a service in a container. */
await runMain(async () => {
  process.exitCode = await serversCommand(process.argv.slice(2));
});
