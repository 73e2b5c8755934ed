import type { ClientRequest, IncomingMessage } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { ProblemError } from "@hearth/contracts";
import { INTERNAL_HEADERS, refuseUpgrade } from "@hearth/runtime";
import type { Log } from "@hearth/runtime";
import { createProxyMiddleware } from "http-proxy-middleware";
import type { Plugin } from "http-proxy-middleware";
import { isNeverSent } from "./replicas.ts";
import type { Replica, Replicas } from "./replicas.ts";

export interface UpgradeProxyOptions {
  readonly name: string;
  readonly replicas: Pick<Replicas, "inTurn" | "markFailed">;
  readonly log: Log;
  readonly deadlineMs: number;
  /** Headers that are added to the request. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface UpgradeProxy {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends every open connection. */
  close(): void;
}

/** Never dialled: each upgrade has its own target. */
const NOWHERE = "http://nowhere.invalid";
const LINGER_MS = 2_000;

const requestIdOf = ({ headers }: IncomingMessage) => headers[INTERNAL_HEADERS.requestId];

const problemOf = (error: Error): ProblemError =>
  error instanceof ProblemError ? error : new ProblemError("UPSTREAM_UNREACHABLE");

/** The replicas that are left to try. */
interface Attempt {
  readonly head: Buffer;
  readonly others: Replica[];
}

/**
 * The last bytes of the service, such as a close frame, have to reach the client. A client that is still sending would be
 * reset before it has read them, so its input is read and dropped until it closes too.
 */
function drainAndEnd(client: Socket): void {
  client.unpipe();
  client.resume();
  client.end();
  const limit = setTimeout(() => client.destroy(), LINGER_MS);
  client.once("close", () => clearTimeout(limit));
}

/** Ends each side when the other one ends. `open` holds the clients of open connections. */
function join(open: Set<Duplex>, client: Socket, service: Socket): void {
  open.add(client);
  client.once("close", () => {
    open.delete(client);
    service.destroy();
  });
  service.once("close", () => drainAndEnd(client));
  service.on("error", () => undefined);
}

/** The library ends the client's socket when an attempt fails; this prevents it while there is another replica to try. */
function keepOpen(client: Socket, then: () => void): void {
  Object.defineProperty(client, "end", { configurable: true, value: () => client });
  queueMicrotask(() => {
    Reflect.deleteProperty(client, "end");
    if (!client.destroyed) then();
  });
}

/** Ends an upgrade that is not answered in time or whose client has left; it never hangs (GW5). */
function watch(
  outgoing: ClientRequest,
  client: Socket,
  deadlineMs: number,
  onUpgrade: (service: Socket) => void,
): void {
  const giveUp = (): void => void outgoing.destroy(new ProblemError("TIMEOUT"));
  const deadline = setTimeout(giveUp, deadlineMs);
  client.once("close", giveUp);
  const done = (): void => {
    clearTimeout(deadline);
    client.off("close", giveUp);
  };
  outgoing.once("response", done).once("close", done);
  outgoing.once("upgrade", (_response, service) => {
    done();
    onUpgrade(service);
  });
}

/** Passes upgrades to a service in another process, with http-proxy-middleware. */
export function createUpgradeProxy({
  name,
  replicas,
  log,
  deadlineMs,
  headers = {},
}: UpgradeProxyOptions): UpgradeProxy {
  const open = new Set<Duplex>();

  /** An upgrade that never reached one process goes to another one. */
  const tryNext = (request: IncomingMessage, socket: Socket): boolean => {
    const refused = targets.get(request);
    if (refused) replicas.markFailed(refused);
    const attempt = attempts.get(request);
    const next = attempt?.others.shift();
    if (!attempt || !next) return false;
    targets.set(request, next);
    keepOpen(socket, () => proxy.upgrade(request, socket, attempt.head));
    return true;
  };

  const plugin: Plugin = (proxy) => {
    proxy.on("proxyReqWs", (outgoing, _request, client) =>
      watch(outgoing, client, deadlineMs, (service) => join(open, client, service)),
    );
    proxy.on("error", (error, request, socket) => {
      if (!(socket instanceof Socket) || socket.destroyed || open.has(socket)) return;
      if (request && isNeverSent(error) && tryNext(request, socket)) return;
      const problem = problemOf(error);
      log.warn({ upstream: name, code: problem.code, err: error }, "an upgrade was not passed on");
      refuseUpgrade(socket, problem, request && requestIdOf(request));
    });
  };

  const targets = new WeakMap<IncomingMessage, Replica>();
  const attempts = new WeakMap<IncomingMessage, Attempt>();
  const proxy = createProxyMiddleware({
    target: NOWHERE,
    router: (request) => targets.get(request)?.url ?? NOWHERE,
    headers: { ...headers },
    ws: false,
    ejectPlugins: true,
    plugins: [plugin],
  });
  return {
    upgrade(request, socket, head) {
      const [replica, ...others] = replicas.inTurn();
      if (replica) targets.set(request, replica);
      attempts.set(request, { head, others });
      if (!replica) refuseUpgrade(socket, new ProblemError("UPSTREAM_UNREACHABLE"), requestIdOf(request));
      else if (socket instanceof Socket) proxy.upgrade(request, socket, head);
      else socket.destroy();
    },
    close() {
      for (const socket of open) socket.destroy();
    },
  };
}
