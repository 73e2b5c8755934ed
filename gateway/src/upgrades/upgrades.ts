import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { ProblemError } from "@hearth/contracts";
import { addressBlock, newRequestId, problemOf, refuseUpgrade, withRequestId } from "@hearth/runtime";
import type { AddressCounts, Limiter, Log } from "@hearth/runtime";
import { replaceHeaders, upgradeHeaders } from "../edge/forward-headers.ts";
import type { OriginPolicy } from "../edge/origins.ts";
import type { RequestAddress } from "../edge/client-address.ts";
import type { GatewayMetrics } from "../edge/metrics.ts";
import type { Upstream } from "../upstreams/upstream.ts";
import { checkHandshake } from "./handshake.ts";

export interface UpgradeDeps {
  readonly presence: Upstream;
  readonly origins: OriginPolicy;
  readonly addressOf: RequestAddress;
  /** Open sockets per client address. */
  readonly open: AddressCounts;
  /** Upgrades per client address and minute; `undefined` when the operator set no limit. */
  readonly rate: Limiter | undefined;
  readonly accepting: () => boolean;
  readonly log: Log;
  readonly metrics: GatewayMetrics;
}

export type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

const RETRY_MS = 10_000;

/** A limit on open sockets has no window, so the quota contains the time after which to retry (ER5). */
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
 * Listeners of upgraded sockets are shared functions, added without `once`: a closure would keep the request with all its
 * headers in memory for the life of the socket.
 */
function destroySelf(this: Duplex): void {
  this.destroy();
}

/** Handles every upgrade. It is the only way to presence, because middleware never sees an upgrade (GW6). */
export function createUpgradeListener(deps: UpgradeDeps): UpgradeListener {
  const { presence, origins, addressOf, open, rate, accepting, log, metrics } = deps;

  const addresses = new WeakMap<Duplex, string>();
  function release(this: Duplex): void {
    open.release(addresses.get(this) ?? "");
    metrics.socketClosed();
  }

  /** Counts the socket before anything is awaited, so that a burst cannot pass the limit together. */
  const acquire = (address: string, socket: Duplex): void => {
    if (!open.acquire(address)) throw tooMany(open.limit);
    metrics.socketOpened();
    addresses.set(socket, address);
    if (socket.destroyed) release.call(socket);
    else socket.on("close", release);
  };

  async function admit(request: IncomingMessage, socket: Duplex, head: Buffer, requestId: string) {
    checkHandshake(request, origins);
    if (!accepting() || !presence.ready()) throw notReady();
    const clientAddress = addressOf(request);
    acquire(clientAddress, socket);
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
