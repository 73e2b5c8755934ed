import { operatorCommand } from "./command.ts";

/** The operator's command beside a service in a container. */
process.exitCode = await operatorCommand(process.argv.slice(2));
