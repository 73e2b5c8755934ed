import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/**
 * A service behind the gateway. Requests that arrive here are checked and have only headers that the gateway allows.
 * Every twin passes the suite in `upstream.contract.ts`.
 */
export interface Upstream {
  /** The service's name, for metrics and logs. */
  readonly name: string;
  /** False when a request sent now would surely fail. */
  ready(): boolean;
  /**
   * Answers the request, or rejects with a `ProblemError` before the response has begun: within 5 s when the service is
   * down (GW5). A twin that reads the body first calls `confirm` afterwards; if that rejects, the request is not sent.
   */
  handle(request: IncomingMessage, response: ServerResponse, confirm?: () => Promise<void>): Promise<void>;
  /** Takes over a WebSocket upgrade. It always answers on the socket within 5 s (GW5). */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): Promise<void>;
}

/** How long to wait for a service's response. With the time to notice and to answer it is below the 5 s of GW5. */
export const UPSTREAM_DEADLINE_MS = 4_000;
