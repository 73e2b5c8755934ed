import type { ServerResponse } from "node:http";
import { INTERNAL_HEADERS } from "@hearth/runtime";
import type { Log } from "@hearth/runtime";
import { collectBody } from "./request-body.ts";
import { exchange } from "./exchange.ts";
import { Replicas } from "./replicas.ts";
import { createUpgradeProxy } from "./upgrade-proxy.ts";
import { UPSTREAM_DEADLINE_MS } from "./upstream.ts";
import type { Upstream } from "./upstream.ts";

export interface RemoteUpstreamOptions {
  readonly name: string;
  /** Addresses of the service, `http://host:port`; a name may stand for several processes. */
  readonly urls: readonly string[];
  readonly log: Log;
  /** Proves to the service that the gateway sends the request. It never comes from client headers. */
  readonly secret?: string;
  /** The id of this gateway, so that presence can notify its sockets when it ends (rule WS15). */
  readonly gatewayId?: string;
  /** The number of connections to each process; default 256. */
  readonly connections?: number;
  /** Default {@link UPSTREAM_DEADLINE_MS}. */
  readonly deadlineMs?: number;
}

const withoutBody = (response: ServerResponse): boolean => response.destroyed || response.writableEnded;

/** A service in other processes, over pooled connections. */
export function createRemoteUpstream(options: RemoteUpstreamOptions): Upstream {
  const {
    name,
    urls,
    log,
    secret,
    gatewayId,
    connections = 256,
    deadlineMs = UPSTREAM_DEADLINE_MS,
  } = options;
  const credential = secret === undefined ? {} : { [INTERNAL_HEADERS.secret]: secret };
  const replicas = new Replicas({
    name,
    urls,
    log,
    headers: credential,
    connections,
    connectTimeoutMs: deadlineMs / 2,
  });
  const headers = {
    ...credential,
    ...(gatewayId !== undefined && { [INTERNAL_HEADERS.gateway]: gatewayId }),
  };
  const upgrades = createUpgradeProxy({ name, replicas, log, deadlineMs, headers });
  let closing: Promise<void> | undefined;
  return {
    name,
    ready: () => closing === undefined,
    async handle(request, response, confirm) {
      const body = await collectBody(request);
      if (withoutBody(response)) return;
      if (body) await confirm?.();
      const { "transfer-encoding": _, "content-length": __, ...own } = request.headers;
      const headers = { ...own, ...credential };
      const { url: path = "/", method = "GET" } = request;
      const call = { path, method: method, headers, body: body ?? null };
      await exchange({ replicas, call, response, deadlineMs });
    },
    upgrade: (request, socket, head) => upgrades.upgrade(request, socket, head),
    close() {
      upgrades.close();
      return (closing ??= replicas.close());
    },
  };
}
