import type { ClientRequest, IncomingMessage } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { ProblemError } from "@hearth/contracts";
import { INTERNAL_HEADERS } from "@hearth/runtime";
import type { Log } from "@hearth/runtime";
import { createProxyMiddleware } from "http-proxy-middleware";
import type { Plugin } from "http-proxy-middleware";
import { refuseUpgrade } from "../upgrades/refusal.ts";

export interface UpgradeProxyOptions {
  readonly name: string;
  readonly url: string;
  readonly log: Log;
  readonly deadlineMs: number;
}

export interface UpgradeProxy {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends every connection that is open through it. */
  close(): void;
}

const problemOf = (error: Error): ProblemError =>
  error instanceof ProblemError ? error : new ProblemError("UPSTREAM_UNREACHABLE");

/** Upgrades to a service in another process, by the engine of http-proxy-middleware; never its REST path. */
export function createUpgradeProxy({ name, url, log, deadlineMs }: UpgradeProxyOptions): UpgradeProxy {
  const open = new Set<Duplex>();

  /** One side's end is the other's, however it came about. */
  const join = (client: Socket, service: Socket): void => {
    open.add(client);
    client.once("close", () => {
      open.delete(client);
      service.destroy();
    });
    service.once("close", () => client.destroySoon());
    service.on("error", () => client.destroy());
  };

  /** An upgrade that is not answered in time, or whose client has left, ends; it never hangs (GW5). */
  const watch = (outgoing: ClientRequest, client: Socket): void => {
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
      join(client, service);
    });
  };

  const plugin: Plugin = (proxy) => {
    proxy.on("proxyReqWs", (outgoing, _request, client) => watch(outgoing, client));
    proxy.on("error", (error, request, socket) => {
      if (!(socket instanceof Socket) || socket.destroyed || open.has(socket)) return;
      const problem = problemOf(error);
      log.warn({ upstream: name, code: problem.code, err: error }, "an upgrade was not passed on");
      refuseUpgrade(socket, problem, request?.headers[INTERNAL_HEADERS.requestId]);
    });
  };

  const proxy = createProxyMiddleware({
    target: url,
    ws: false,
    ejectPlugins: true,
    plugins: [plugin],
  });
  return {
    upgrade(request, socket, head) {
      if (socket instanceof Socket) proxy.upgrade(request, socket, head);
      else socket.destroy();
    },
    close() {
      for (const socket of open) socket.destroy();
    },
  };
}
