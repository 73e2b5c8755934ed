import type { Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Socket } from "node:net";

const IDLE_CHECK_MS = 20;

/** The connections of a server that speak HTTP; one that was upgraded belongs to whoever took it over. */
export class Connections {
  readonly #server: Server;
  readonly #open = new Map<Duplex, Socket>();
  #whenEmpty: (() => void) | undefined;

  constructor(server: Server) {
    this.#server = server;
    // One listener for all, and no `once`: a closure per socket would weigh on every idle connection.
    const release = (socket: Duplex): void => this.release(socket);
    const onClose = function (this: Socket): void {
      release(this);
    };
    server.on("connection", (socket: Socket) => {
      this.#open.set(socket, socket);
      socket.on("close", onClose);
    });
  }

  release(socket: Duplex): void {
    if (!this.#open.delete(socket)) return;
    if (this.#open.size === 0) this.#whenEmpty?.();
  }

  /** Resolves when every answer that is under way has been sent, or at the limit, when all are cut off. */
  async finish(limitMs: number): Promise<void> {
    this.#closeIdle();
    if (this.#open.size === 0) return;
    const idle = setInterval(() => this.#closeIdle(), IDLE_CHECK_MS);
    await new Promise<void>((resolve) => {
      const limit = setTimeout(resolve, limitMs);
      this.#whenEmpty = () => {
        clearTimeout(limit);
        resolve();
      };
    });
    clearInterval(idle);
    this.#server.closeAllConnections();
  }

  /** Node counts a connection that never said anything as busy; it has nothing to lose. */
  #closeIdle(): void {
    this.#server.closeIdleConnections();
    for (const socket of this.#open.values()) if (socket.bytesRead === 0) socket.destroy();
  }
}
