import type { IncomingMessage, RequestListener } from "node:http";
import type { Duplex } from "node:stream";
import type { ServiceName } from "@hearth/contracts";

/** The interface of every service to the process that runs it. */
export interface ServiceModule {
  readonly name: ServiceName;
  /** The REST routes, behind the HTTP edge. */
  readonly routes?: RequestListener;
  /** Takes over a WebSocket upgrade. */
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** True when a request sent now would be served. */
  ready(): boolean;
  start(): Promise<void>;
  /** Refuses new work, finishes or hands back the work in progress, and releases everything. */
  stop(): Promise<void>;
}
