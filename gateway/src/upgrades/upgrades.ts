import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { ProblemError } from "@hearth/contracts";
import { addressBlock, newRequestId, problemOf, refuseUpgrade, withRequestId } from "@hearth/runtime";
import type { AddressCounts, Limiter, Log } from "@hearth/runtime";
import { replaceHeaders, upgradeHeaders } from "../edge/forward-headers.ts";
import type { OriginPolicy } from "../edge/origins.ts";
import type { RequestAddress } from "../edge/request-address.ts";
import type { GatewayMetrics } from "../edge/metrics.ts";
import type { Upstream } from "../upstreams/upstream.ts";
import { checkHandshake } from "./handshake.ts";

export interface UpgradeDeps {
  readonly presence: Upstream;
  readonly origins: OriginPolicy;
  readonly addressOf: RequestAddress;
  /** Open sockets per client address. */
  readonly open: AddressCounts;
  /** Upgrades per client address and time; none where the operator switched it off. */
  readonly rate: Limiter | undefined;
  readonly accepting: () => boolean;
  readonly log: Log;
  readonly metrics: GatewayMetrics;
}

export type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

const RETRY_MS = 10_000;

/** A number of open sockets has no window of its own: the quota names the time after which to ask again (ER5). */
const tooMany = (limit: number): ProblemError => {
  const seconds = RETRY_MS / 1000;
  const quota = {
    name: "gateway-sockets",
    limit,
    windowSeconds: seconds,
    remaining: 0,
    resetSeconds: seconds,
  };
  const retryAfterMs = RETRY_MS;
  return new ProblemError("RATE_LIMITED", "Too many open connections from this address", {
    retryAfterMs,
    quota,
  });
};
const notReady = (): ProblemError =>
  new ProblemError("UNAVAILABLE", "The server is not ready for connections", { retryAfterMs: 1_000 });

/**
 * Listeners of upgraded sockets are shared functions, and without `once`: a closure made beside the request would
 * keep it, with all its headers, for as long as the socket lives.
 */
function destroySelf(this: Duplex): void {
  this.destroy();
}

/** Every upgrade; nothing reaches presence but by this way, since middleware never sees one (GW6). */
export function createUpgradeListener(deps: UpgradeDeps): UpgradeListener {
  const { presence, origins, addressOf, open, rate, accepting, log, metrics } = deps;

  const addresses = new WeakMap<Duplex, string>();
  function give(this: Duplex): void {
    open.give(addresses.get(this) ?? "");
    metrics.socketClosed();
  }

  /** The place is taken before anything is awaited, so that a burst cannot pass the limit together. */
  const take = (address: string, socket: Duplex): void => {
    if (!open.take(address)) throw tooMany(open.limit);
    metrics.socketOpened();
    addresses.set(socket, address);
    if (socket.destroyed) give.call(socket);
    else socket.on("close", give);
  };

  async function admit(request: IncomingMessage, socket: Duplex, head: Buffer, requestId: string) {
    checkHandshake(request, origins);
    if (!accepting() || !presence.ready()) throw notReady();
    const clientAddress = addressOf(request);
    take(clientAddress, socket);
    await rate?.consume(addressBlock(clientAddress));
    if (socket.destroyed) {
      metrics.countUpgrade("gone");
      return;
    }
    if (!accepting() || !presence.ready()) throw notReady();
    replaceHeaders(request, upgradeHeaders(request.headers, { requestId, clientAddress }));
    metrics.countUpgrade("accepted");
    presence.upgrade(request, socket, head);
  }

  return (request, socket, head) => {
    const requestId = newRequestId();
    socket.on("error", destroySelf);
    withRequestId(requestId, () => {
      admit(request, socket, head, requestId).catch((error: unknown) => {
        const problem = problemOf(error, log);
        metrics.countUpgrade(problem.code);
        refuseUpgrade(socket, problem, requestId);
      });
    });
  };
}
