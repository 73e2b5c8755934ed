import { createHash } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import * as contracts from "@hearth/contracts";
import type { RouteContract, ServiceName } from "@hearth/contracts";
import { createHttpEdge } from "@hearth/runtime";
import type { Handlers, JwtVerifier, Log, Metrics, ServiceModule } from "@hearth/runtime";
import { EXAMPLES } from "../openapi/examples.ts";
import { nameSchemas } from "../openapi/schemas.ts";

/** What reached a service. */
export interface Arrival {
  readonly service: string;
  readonly operation: string | undefined;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
}

type Routes = Readonly<Record<string, RouteContract>>;

export interface StandInDeps {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly identity: JwtVerifier;
  readonly arrivals: Arrival[];
  /** What handlers were called with, by operation. */
  readonly calls: { readonly operationId: string; readonly input: unknown }[];
}

export interface StandIn extends ServiceModule {
  /** What `ready()` answers. */
  setReady(ready: boolean): void;
}

const names = nameSchemas(contracts.allRoutes);

/** The example of the document that belongs to a route's answer: what the contract promises. */
const exampleOf = ({ success }: RouteContract): unknown =>
  EXAMPLES[(success.schema && names.get(success.schema)) ?? ""];

function handlersOf<Table extends Routes>(routes: Table, { calls }: StandInDeps): Handlers<Table> {
  const handlers = Object.entries(routes).map(([name, route]) => [
    name,
    async (input: unknown) => {
      calls.push({ operationId: route.operationId, input });
      return exampleOf(route);
    },
  ]);
  return Object.fromEntries(handlers) as Handlers<Table>;
}

function lifecycle(name: ServiceName) {
  let ready = true;
  return {
    name,
    ready: () => ready,
    setReady: (value: boolean) => void (ready = value),
    start: async () => undefined,
    stop: async () => undefined,
  };
}

/** A service with the real edge and the real contracts, and nothing behind them. */
export function createRestStandIn(name: "auth" | "discovery", deps: StandInDeps): StandIn {
  const { log, metrics, identity, arrivals } = deps;
  const edge = createHttpEdge({ service: name, log, metrics, identity, validateAnswers: true });
  const tables: Routes[] =
    name === "auth"
      ? [contracts.userRoutes]
      : [contracts.serverRoutes, contracts.moderationRoutes, contracts.requestRoutes, contracts.pluginRoutes];
  for (const table of tables) edge.mount(table, handlersOf(table, deps));
  const listener = edge.listener();
  return {
    ...lifecycle(name),
    routes(request, response) {
      arrivals.push(arrivalOf(name, request));
      listener(request, response);
    },
  };
}

const arrivalOf = (service: string, request: IncomingMessage): Arrival => ({
  service,
  operation: undefined,
  method: request.method ?? "",
  url: request.url ?? "",
  headers: { ...request.headers },
  rawHeaders: [...request.rawHeaders],
});

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** Completes the handshake and gives back every byte. */
export function createPresenceStandIn({ arrivals }: Pick<StandInDeps, "arrivals">): StandIn {
  return {
    ...lifecycle("presence"),
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
      arrivals.push(arrivalOf("presence", request));
      const key = request.headers["sec-websocket-key"] ?? "";
      const accept = createHash("sha1")
        .update(key + GUID)
        .digest("base64");
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
          `Sec-WebSocket-Accept: ${accept}\r\n\r\n`,
      );
      if (head.length > 0) socket.write(head);
      socket.on("error", () => socket.destroy());
      socket.pipe(socket);
    },
  };
}
