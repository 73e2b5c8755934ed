import { operatorCommand } from "@hearth/auth-service";

/** `npm run admin`: the operator's command on the data of the embedded mode, whether the server runs or not. */
process.exitCode = await operatorCommand(process.argv.slice(2));
