import type { Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Socket } from "node:net";
import { createAddressCounts } from "../limits/address-counts.ts";
import type { AddressCounts } from "../limits/address-counts.ts";
import { endStalledResponses } from "./stalled-responses.ts";

/** Limits on the connections that speak HTTP (rule AB2); an upgraded one no longer counts. */
export interface ConnectionLimits {
  /** Open connections of one client address, an IPv6 one by its /64; 0, the default, for any number. */
  readonly maxPerAddress?: number;
  /** Addresses that are not counted, such as a proxy's, which brings many clients. */
  readonly isExempt?: (address: string) => boolean;
  /** Called for each connection that `maxPerAddress` refuses. */
  readonly onRefused?: () => void;
  /** A response of which the client reads nothing for so long ends with its connection; default 30,000. */
  readonly stallMs?: number;
}

const IDLE_CHECK_MS = 20;
const STALL_MS = 30_000;

/** The connections of a server that speak HTTP; one that was upgraded belongs to whoever took it over. */
export class Connections {
  readonly #server: Server;
  readonly #limits: ConnectionLimits;
  readonly #open = new Map<Duplex, Socket>();
  readonly #counts: AddressCounts;
  /** The addresses of counted connections, which a closed socket no longer knows. */
  readonly #counted = new WeakMap<Duplex, string>();
  #whenEmpty: (() => void) | undefined;

  constructor(server: Server, limits: ConnectionLimits = {}) {
    this.#server = server;
    this.#limits = limits;
    this.#counts = createAddressCounts(limits.maxPerAddress ?? 0);
    // One listener for all, and no `once`: a closure per socket would weigh on every idle connection.
    const release = (socket: Duplex): void => this.release(socket);
    const onClose = function (this: Socket): void {
      release(this);
    };
    server.on("connection", (socket: Socket) => {
      if (!this.#admit(socket)) return;
      this.#open.set(socket, socket);
      socket.on("close", onClose);
    });
    endStalledResponses(server, () => this.#open.values(), limits.stallMs ?? STALL_MS);
  }

  release(socket: Duplex): void {
    if (!this.#open.delete(socket)) return;
    const address = this.#counted.get(socket);
    if (address !== undefined) this.#counts.give(address);
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

  #admit(socket: Socket): boolean {
    const { isExempt, onRefused } = this.#limits;
    const address = socket.remoteAddress;
    if (this.#counts.limit === 0 || address === undefined || isExempt?.(address) === true) return true;
    if (!this.#counts.take(address)) {
      socket.destroy();
      onRefused?.();
      return false;
    }
    this.#counted.set(socket, address);
    return true;
  }

  /** Node counts a connection that never said anything as busy; it has nothing to lose. */
  #closeIdle(): void {
    this.#server.closeIdleConnections();
    for (const socket of this.#open.values()) if (socket.bytesRead === 0) socket.destroy();
  }
}
