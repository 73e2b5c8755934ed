import type { IncomingMessage, RequestListener } from "node:http";
import type { Duplex } from "node:stream";
import type { ServiceName } from "@hearth/contracts";

/** What every service is to whoever runs it, in one process or alone in a container. */
export interface ServiceModule {
  readonly name: ServiceName;
  /** The REST routes, behind the HTTP edge. */
  readonly routes?: RequestListener;
  /** Takes over a WebSocket upgrade. */
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** True when a request sent now would be served. */
  ready(): boolean;
  start(): Promise<void>;
  /** Refuses new work, finishes or hands back what is under way, and releases everything. */
  stop(): Promise<void>;
}
