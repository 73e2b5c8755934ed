import type { Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Socket } from "node:net";
import { createAddressCounts } from "../limits/address-counts.ts";
import type { AddressCounts } from "../limits/address-counts.ts";
import { endStalledResponses } from "./stalled-responses.ts";

/** Limits on HTTP connections (rule AB2). An upgraded connection no longer counts. */
export interface ConnectionLimits {
  /** The limit on open connections per client address, for IPv6 per /64; 0, the default, is no limit. */
  readonly maxPerAddress?: number;
  /** True for addresses that are not counted, such as a proxy with many clients. */
  readonly isExempt?: (address: string) => boolean;
  /** Called for each connection that `maxPerAddress` refuses. */
  readonly onRefused?: () => void;
  /** A connection ends when its client reads nothing of a response for this long; default 30,000. */
  readonly stallMs?: number;
}

const IDLE_CHECK_MS = 20;
const STALL_MS = 30_000;

/** The HTTP connections of a server. An upgraded one belongs to the code that took it over. */
export class Connections {
  readonly #server: Server;
  readonly #limits: ConnectionLimits;
  readonly #open = new Map<Duplex, Socket>();
  readonly #counts: AddressCounts;
  /** The addresses of counted connections, because a closed socket no longer has one. */
  readonly #counted = new WeakMap<Duplex, string>();
  #whenEmpty: (() => void) | undefined;

  constructor(server: Server, limits: ConnectionLimits = {}) {
    this.#server = server;
    this.#limits = limits;
    this.#counts = createAddressCounts(limits.maxPerAddress ?? 0);
    // One shared listener and no `once`: a closure per socket would cost memory on every idle connection.
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
    if (address !== undefined) this.#counts.release(address);
    if (this.#open.size === 0) this.#whenEmpty?.();
  }

  /** Resolves when every response in progress has been sent, or at the limit, when all are cut off. */
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
    if (!this.#counts.acquire(address)) {
      socket.destroy();
      onRefused?.();
      return false;
    }
    this.#counted.set(socket, address);
    return true;
  }

  /** Node counts a connection that has never sent anything as busy. Closing it loses nothing. */
  #closeIdle(): void {
    this.#server.closeIdleConnections();
    for (const socket of this.#open.values()) if (socket.bytesRead === 0) socket.destroy();
  }
}
