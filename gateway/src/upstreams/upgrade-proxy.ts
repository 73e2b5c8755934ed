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
  readonly replicas: Pick<Replicas, "inTurn" | "failed">;
  readonly log: Log;
  readonly deadlineMs: number;
  /** Added to what the request carries. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface UpgradeProxy {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends every connection that is open through it. */
  close(): void;
}

/** Never dialled: each upgrade names its own target. */
const NOWHERE = "http://nowhere.invalid";
const LINGER_MS = 2_000;

const requestIdOf = ({ headers }: IncomingMessage) => headers[INTERNAL_HEADERS.requestId];

const problemOf = (error: Error): ProblemError =>
  error instanceof ProblemError ? error : new ProblemError("UPSTREAM_UNREACHABLE");

/** What is still to be tried when the connection to a process could not be made. */
interface Attempt {
  readonly head: Buffer;
  readonly others: Replica[];
}

/**
 * What the service said last, such as why it closes, has to reach the client; a client that is still sending would be
 * reset before it has read that, so what it sends is taken and thrown away until it has closed, too.
 */
function letGo(client: Socket): void {
  client.unpipe();
  client.resume();
  client.end();
  const limit = setTimeout(() => client.destroy(), LINGER_MS);
  client.once("close", () => clearTimeout(limit));
}

/** One side's end is the other's, however it came about; `open` holds the clients of open ones. */
function join(open: Set<Duplex>, client: Socket, service: Socket): void {
  open.add(client);
  client.once("close", () => {
    open.delete(client);
    service.destroy();
  });
  service.once("close", () => letGo(client));
  service.on("error", () => undefined);
}

/** The engine ends the client's side as soon as a try has failed; here it must not, for there is another one. */
function spare(client: Socket, then: () => void): void {
  Object.defineProperty(client, "end", { configurable: true, value: () => client });
  queueMicrotask(() => {
    Reflect.deleteProperty(client, "end");
    if (!client.destroyed) then();
  });
}

/** An upgrade that is not answered in time, or whose client has left, ends; it never hangs (GW5). */
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

/** Upgrades to a service in another process, by the engine of http-proxy-middleware; never its REST path. */
export function createUpgradeProxy({
  name,
  replicas,
  log,
  deadlineMs,
  headers = {},
}: UpgradeProxyOptions): UpgradeProxy {
  const open = new Set<Duplex>();

  /** What never reached one process may be sent to another, before the client hears of it. */
  const again = (request: IncomingMessage, socket: Socket): boolean => {
    const refused = targets.get(request);
    if (refused) replicas.failed(refused);
    const attempt = attempts.get(request);
    const next = attempt?.others.shift();
    if (!attempt || !next) return false;
    targets.set(request, next);
    spare(socket, () => proxy.upgrade(request, socket, attempt.head));
    return true;
  };

  const plugin: Plugin = (proxy) => {
    proxy.on("proxyReqWs", (outgoing, _request, client) =>
      watch(outgoing, client, deadlineMs, (service) => join(open, client, service)),
    );
    proxy.on("error", (error, request, socket) => {
      if (!(socket instanceof Socket) || socket.destroyed || open.has(socket)) return;
      if (request && isNeverSent(error) && again(request, socket)) return;
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
