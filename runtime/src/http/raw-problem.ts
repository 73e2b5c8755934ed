import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { ProblemError } from "@hearth/contracts";
import { problemBody, problemHeaders } from "./problem.ts";

/** How long a refused peer may take to read the answer. */
const LINGER_MS = 1_000;

/**
 * Sends a problem where there is no response object, as on an upgrade, and closes the connection. `status` replaces the
 * problem's where HTTP has a more precise one (408, 426, 431). `more` adds headers.
 */
export function sendRawProblem(
  socket: Duplex,
  problem: ProblemError,
  requestId: string,
  status: number = problem.status,
  more: Readonly<Record<string, string>> = {},
): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ ...problemBody(problem, requestId), status });
  const headers = {
    "Content-Type": "application/problem+json",
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": requestId,
    Connection: "close",
    ...problemHeaders(problem),
    ...more,
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const linger = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(linger));
  socket.resume();
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${head.join("")}\r\n${body}`);
}
