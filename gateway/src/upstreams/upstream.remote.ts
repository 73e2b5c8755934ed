import type { ServerResponse } from "node:http";
import type { Log } from "@hearth/runtime";
import { Pool } from "undici";
import { collectBody } from "./request-body.ts";
import { Exchange } from "./exchange.ts";
import { createUpgradeProxy } from "./upgrade-proxy.ts";
import { UPSTREAM_DEADLINE_MS } from "./upstream.ts";
import type { Upstream } from "./upstream.ts";

export interface RemoteUpstreamOptions {
  readonly name: string;
  /** `http://host:port` of the service. */
  readonly url: string;
  readonly log: Log;
  /** Most connections that are kept; default 256. */
  readonly connections?: number;
  /** Default {@link UPSTREAM_DEADLINE_MS}. */
  readonly deadlineMs?: number;
}

const withoutBody = (response: ServerResponse): boolean => response.destroyed || response.writableEnded;

/** A service in another process, over pooled connections. */
export function createRemoteUpstream(options: RemoteUpstreamOptions): Upstream {
  const { name, url, log, connections = 256, deadlineMs = UPSTREAM_DEADLINE_MS } = options;
  const pool = new Pool(url, { connections, pipelining: 1, connect: { timeout: deadlineMs } });
  const upgrades = createUpgradeProxy({ name, url, log, deadlineMs });
  let closing: Promise<void> | undefined;
  return {
    name,
    ready: () => closing === undefined,
    async handle(request, response, confirm) {
      const body = await collectBody(request);
      if (withoutBody(response)) return;
      if (body) await confirm?.();
      const { "transfer-encoding": _, "content-length": __, ...headers } = request.headers;
      await new Exchange({
        dispatcher: pool,
        call: { path: request.url ?? "/", method: request.method ?? "GET", headers, body: body ?? null },
        response,
        deadlineMs,
      }).run();
    },
    upgrade: (request, socket, head) => upgrades.upgrade(request, socket, head),
    close() {
      upgrades.close();
      return (closing ??= pool.close());
    },
  };
}
