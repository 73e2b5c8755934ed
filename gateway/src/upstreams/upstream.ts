import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/**
 * A service behind the gateway. What arrives here has been checked and carries only the gateway's own headers.
 * Every twin passes the suite in `upstream.contract.ts`.
 */
export interface Upstream {
  /** The service's name, for metrics and logs. */
  readonly name: string;
  /** False when a request sent now would certainly not be served. */
  ready(): boolean;
  /**
   * Answers the request, or rejects with a `ProblemError` while nothing has been answered: within 5 s when the
   * service is down (GW5). Where the request's body has to arrive first, `confirm` is called when it has, and
   * its rejection stops the request.
   */
  handle(request: IncomingMessage, response: ServerResponse, confirm?: () => Promise<void>): Promise<void>;
  /** Takes over a WebSocket upgrade; answers on the socket, within 5 s, whatever happens (GW5). */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): Promise<void>;
}

/** Longest wait for a service's first word; with the time to notice and to answer, less than the 5 s of GW5. */
export const UPSTREAM_DEADLINE_MS = 4_000;
