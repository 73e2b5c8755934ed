import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { freePort } from "@hearth/runtime/testing/servers";
import { PASSWORD, usernameOf } from "../accounts/accounts.ts";
import { RestClient } from "../accounts/rest-client.ts";
import type { FilledDevice } from "../device/filled-device.ts";
import { HOST } from "../machine/addresses.ts";
import { ServerProcess } from "./server-process.ts";

const builder = fileURLToPath(new URL("../../../desktop/tools/build/headless.ts", import.meta.url));
const program = fileURLToPath(new URL("../../../desktop/dist/headless.mjs", import.meta.url));

/** Builds the program if needed, outside of the measured process. */
export function buildLocalApi(): void {
  const { status } = spawnSync(process.execPath, [builder, "--help"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0 || !existsSync(program)) throw new Error("The local API could not be built");
}

/** The headless local API; `signalingUrl` may validate logins. */
export async function startLocalApi(
  { folder }: FilledDevice,
  signalingUrl: string,
  core: readonly string[],
): Promise<ServerProcess> {
  const port = await freePort();
  const rest = new RestClient(port);
  const server = await ServerProcess.start({
    name: "Hearth",
    file: program,
    args: ["--data-dir", folder, "--port", String(port), "--allow", signalingUrl],
    port,
    core,
    environment: {},
    ready: () =>
      rest.ask({ path: "/api/health" }).then(
        ({ status }) => status === 200,
        () => false,
      ),
  });
  rest.close();
  return server;
}

/** Logs in with the first account of the signaling server; resolves to a token of the local API. */
export async function loginAt(server: ServerProcess, signalingPort: number): Promise<string> {
  const rest = new RestClient(server.port);
  const serverUrl = `http://${HOST}:${signalingPort}`;
  const body = { username: usernameOf(0), password: PASSWORD, serverUrl };
  const answer = await rest.expect(200, { method: "POST", path: "/api/auth/login", body });
  rest.close();
  if (typeof answer !== "object" || answer === null || !("token" in answer))
    throw new Error("No token was issued");
  return String(answer.token);
}
