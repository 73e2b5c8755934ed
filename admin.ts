import { OPERATOR_USAGE, auditedCommand, operatorCommand } from "@hearth/auth-service";
import { SERVERS_USAGE, serversCommand } from "@hearth/discovery-service";

/** `npm run admin`: the operator's command on the data of the embedded mode, whether the server runs or not. */
const [group, ...rest] = process.argv.slice(2);

async function run(): Promise<number> {
  if (group === "servers") return auditedCommand([group, ...rest], () => serversCommand(rest));
  if (group !== undefined) return operatorCommand([group, ...rest]);
  process.stderr.write(`Usage: npm run admin -- COMMAND\n\n${OPERATOR_USAGE}\n${SERVERS_USAGE}\n`);
  return 2;
}

process.exitCode = await run();
