import { once } from "node:events";
import { request } from "node:http";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import {
  bearerToken,
  createMemoryLimiters,
  problemOf,
  sendProblem,
  silentLog,
  systemClock,
} from "@hearth/runtime";
import { createLocalAccess } from "../../access/create-local-access.ts";
import { DEFAULT_LOCAL_API_SETTINGS } from "@hearth/device";
import type { LocalApiSettings } from "@hearth/device";
import { createLocalServer } from "../create-local-server.ts";
import type { LocalApiContext } from "../create-local-server.ts";
import { thisMachine } from "../own-names.ts";

export const SERVER = "http://ok.example";
export const OTHER = "http://other.example";
export const ON: LocalApiSettings = {
  ...DEFAULT_LOCAL_API_SETTINGS,
  enabled: true,
  port: 0,
  allowedSignalingServers: [SERVER, OTHER],
};
export const LAN_ADDRESS = "192.168.77.7";
const CALLER = { remoteAddress: "127.0.0.1", userAgent: null };

/** An API with four routes; `/slow` waits until the test releases it. */
function createStageApi() {
  const slow: (() => void)[] = [];
  const api = { listens: 0, slow, onSlow: (): void => undefined, createApi };

  function createApi({ guard, settings, access }: LocalApiContext): RequestListener {
    api.listens += 1;
    const answer = (request: IncomingMessage, response: ServerResponse): void => {
      if (request.url === "/docs") response.writeHead(settings().referenceDocsEnabled ? 200 : 404).end();
      else if (request.url === "/slow") {
        slow.push(() => void response.end("done"));
        api.onSlow();
      } else if (request.url === "/mine") response.end(access.verify(bearerToken(request) ?? "").username);
      else response.end("ok");
    };
    return (request, response) => {
      guard(request, response, (refused) => {
        try {
          if (refused === undefined) answer(request, response);
          else sendProblem(response, problemOf(refused, silentLog), "id");
        } catch (error) {
          sendProblem(response, problemOf(error, silentLog), "id");
        }
      });
    };
  }
  return api;
}

/** A local server with any login. */
export function stageServer() {
  const api = createStageApi();
  const access = createLocalAccess({
    allowedServers: () => [SERVER, OTHER],
    accounts: async () => [],
    validate: async ({ username }) => ({ id: "id", username, displayName: username }),
    clock: systemClock,
    limiters: createMemoryLimiters(),
    log: silentLog,
  });
  const server = createLocalServer({
    access,
    createApi: api.createApi,
    log: silentLog,
    machine: { ...thisMachine, addresses: () => ["127.0.0.1", LAN_ADDRESS, "fe80::1"] },
  });
  const urlNow = (): string => server.state().urls[0] ?? "";
  return {
    server,
    /** How often it started listening. */
    listens: () => api.listens,
    urlNow,
    login: (username: string, serverUrl = SERVER) =>
      access.login({ username, password: "p", serverUrl }, CALLER),
    /** The response of the route that needs a local token. */
    statusFor: (token: string) => get(`${urlNow()}/mine`, { authorization: `Bearer ${token}` }),
    /** A response that is under way until `finish`. */
    askSlowly: async () => {
      const came = new Promise<void>((resolve) => (api.onSlow = resolve));
      const answer = fetch(`${urlNow()}/slow`).then((response) => response.text());
      await came;
      return { answer, finish: () => api.slow.forEach((end) => end()) };
    },
  };
}

export type ServerStage = ReturnType<typeof stageServer>;

export async function get(url: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(url, { headers: { connection: "close", ...headers } });
  await response.text();
  return response.status;
}

export const isClosed = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => false,
    () => true,
  );

/** Requests an address with another host name. */
export async function rawStatus(port: number, host: string, address = "127.0.0.1"): Promise<number> {
  const sent = request({ port, host: address, headers: { host }, agent: false }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode ?? 0;
}
