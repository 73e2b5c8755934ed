import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, RequestListener } from "node:http";
import type { Duplex } from "node:stream";
import { ProblemError } from "@hearth/contracts";
import { newRequestId } from "../context/request-context.ts";
import type { ConnectionLimits } from "../http/connections.ts";
import { sendProblem } from "../http/problem.ts";
import { sendRawProblem } from "../http/raw-problem.ts";
import { INTERNAL_HEADERS, INTERNAL_PATHS } from "../identity/headers.ts";

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** The listeners of a service in a process of its own. */
export interface Door {
  readonly listener: RequestListener;
  readonly onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  readonly limits?: ConnectionLimits;
}

export interface InternalDoorOptions {
  readonly secret: string;
  /** Whether requests may be sent here; false from the moment the process is about to stop. */
  readonly ready: () => boolean;
  readonly routes?: RequestListener | undefined;
  readonly upgrade?: ((request: IncomingMessage, socket: Duplex, head: Buffer) => void) | undefined;
}

/**
 * Accepts only requests that the gateway passes on. A client that reaches the port of a service directly is refused,
 * whatever else it presents.
 */
export function createInternalDoor({ secret, ready, routes, upgrade }: InternalDoorOptions): Door {
  const expected = digest(secret);
  const isOurs = ({ headers }: IncomingMessage): boolean => {
    const presented = headers[INTERNAL_HEADERS.secret];
    return typeof presented === "string" && timingSafeEqual(digest(presented), expected);
  };
  const refused = (): ProblemError => new ProblemError("FORBIDDEN", "Come in through the gateway");
  return {
    listener: (request, response) => {
      // A kept connection must not bring the next request just as the process ends.
      if (!ready()) response.shouldKeepAlive = false;
      if (!isOurs(request)) sendProblem(response, refused(), newRequestId());
      else if (request.url === INTERNAL_PATHS.ready) response.writeHead(ready() ? 200 : 503).end();
      else if (routes) routes(request, response);
      else sendProblem(response, new ProblemError("NOT_FOUND"), newRequestId());
    },
    onUpgrade: (request, socket, head) => {
      if (!isOurs(request)) sendRawProblem(socket, refused(), newRequestId());
      else if (upgrade) upgrade(request, socket, head);
      else sendRawProblem(socket, new ProblemError("NOT_FOUND"), newRequestId());
    },
  };
}
