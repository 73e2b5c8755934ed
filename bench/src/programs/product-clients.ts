import { randomUUID } from "node:crypto";
import type { Credential } from "@hearth/contracts";
import { registerAccounts } from "../accounts/accounts.ts";
import { RestClient } from "../accounts/rest-client.ts";
import { startProduct, temporaryData } from "../servers/product.ts";
import type { ServerProcess } from "../servers/server-process.ts";
import type { ClientSocket } from "../wire/client-socket.ts";
import type { Message } from "../wire/doors.ts";

export const identify = (credential: Credential): Message => ({
  type: "identify",
  token: credential.token,
  clientInstanceId: randomUUID(),
});

export const join = (serverId: string): Message => ({ type: "join_server", serverId });

/** Identifies and joins back to back, as clients do. */
export async function identifyAndJoin(
  client: ClientSocket,
  credential: Credential,
  serverId: string,
): Promise<void> {
  const identified = client.ask(identify(credential), "identified");
  await Promise.all([identified, client.ask(join(serverId), "server_joined")]);
}

/** One of the accounts for each connection in turn. */
export function accountFor(accounts: readonly Credential[], index: number): Credential {
  const account = accounts[index % accounts.length];
  if (!account) throw new Error("There are no accounts");
  return account;
}

export interface PreparedProduct {
  readonly server: ServerProcess;
  readonly rest: RestClient;
  readonly accounts: readonly Credential[];
}

export async function registerOn(server: ServerProcess, count: number): Promise<readonly Credential[]> {
  const rest = new RestClient(server.port);
  const accounts = await registerAccounts(rest, count);
  rest.close();
  return accounts;
}

/** The product with this many accounts, on data that is removed with this process. */
export async function prepareProduct(
  core: readonly string[],
  count: number,
  nodeOptions: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<PreparedProduct> {
  const server = await startProduct({ core, dataDir: temporaryData(), nodeOptions, environment });
  const accounts = await registerOn(server, count);
  return { server, rest: new RestClient(server.port), accounts };
}
