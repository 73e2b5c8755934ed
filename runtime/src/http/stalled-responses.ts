import type { Server } from "node:http";
import type { Socket } from "node:net";

/** How much of its output a connection has sent, and since when. */
interface Progress {
  readonly sent: number;
  readonly since: number;
}

const CHECKS_PER_LIMIT = 10;

/** The bytes of the current chunk that the kernel has not taken. Without Node's inner handle a chunk counts as one. */
function unsentOfChunk(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, "_handle");
  const size: unknown =
    typeof handle === "object" && handle !== null && Reflect.get(handle, "writeQueueSize");
  return typeof size === "number" ? size : 0;
}

/**
 * Destroys connections that have output and have sent none of it for `stallMs` (rule AB2). The socket's own timeout does
 * not serve, because input from the client resets it.
 */
export function endStalledResponses(
  server: Server,
  connections: () => Iterable<Socket>,
  stallMs: number,
): void {
  let pending = new Map<Socket, Progress>();
  const check = (): void => {
    const now = performance.now();
    const still = new Map<Socket, Progress>();
    for (const socket of connections()) {
      if (socket.writableLength === 0) continue;
      const sent = socket.bytesWritten - socket.writableLength - unsentOfChunk(socket);
      const before = pending.get(socket);
      if (before?.sent !== sent) still.set(socket, { sent, since: now });
      else if (now - before.since < stallMs) still.set(socket, before);
      else socket.destroy();
    }
    pending = still;
  };
  let timer: NodeJS.Timeout | undefined;
  server.on("listening", () => {
    timer = setInterval(check, stallMs / CHECKS_PER_LIMIT).unref();
  });
  server.on("close", () => clearInterval(timer));
}
