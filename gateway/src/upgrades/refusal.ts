import type { Duplex } from "node:stream";
import { ProblemError } from "@hearth/contracts";
import { newRequestId, sendRawProblem } from "@hearth/runtime";

/** RFC 6455, section 4.4: the answer names the version that is spoken here. */
export class WrongVersion extends ProblemError {
  constructor() {
    super("INVALID_REQUEST", "Only version 13 of the WebSocket protocol is served");
  }
}

const UPGRADE_REQUIRED = { Upgrade: "websocket", "Sec-WebSocket-Version": "13" };

/**
 * Answers an upgrade with a problem and ends the connection: nothing that a client sent behind a refused upgrade
 * is ever read as another request.
 */
export function refuseUpgrade(socket: Duplex, problem: ProblemError, requestId: unknown): void {
  const id = typeof requestId === "string" ? requestId : newRequestId();
  if (problem instanceof WrongVersion) sendRawProblem(socket, problem, id, 426, UPGRADE_REQUIRED);
  else sendRawProblem(socket, problem, id);
}
