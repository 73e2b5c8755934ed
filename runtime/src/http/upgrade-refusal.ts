import type { Duplex } from "node:stream";
import { ProblemError } from "@hearth/contracts";
import { requestIdOr } from "../context/request-context.ts";
import { sendRawProblem } from "./raw-problem.ts";

/** RFC 6455, section 4.4: the answer names the version that is served. */
export class WrongWebSocketVersion extends ProblemError {
  constructor() {
    super("INVALID_REQUEST", "Only version 13 of the WebSocket protocol is served");
  }
}

const UPGRADE_REQUIRED = 426;
const SERVED_VERSION = { Upgrade: "websocket", "Sec-WebSocket-Version": "13" };

/**
 * Answers an upgrade with a problem and ends the connection: what a client sent behind a refused upgrade is never read
 * as another request. Returns the status of the answer.
 */
export function refuseUpgrade(socket: Duplex, problem: ProblemError, requestId: unknown): number {
  const id = requestIdOr(requestId);
  socket.on("error", destroySelf);
  if (!(problem instanceof WrongWebSocketVersion)) {
    sendRawProblem(socket, problem, id);
    return problem.status;
  }
  sendRawProblem(socket, problem, id, UPGRADE_REQUIRED, SERVED_VERSION);
  return UPGRADE_REQUIRED;
}

function destroySelf(this: Duplex): void {
  this.destroy();
}
