import { type ClientMessage, ProblemError, type VerifiedSession } from "@hearth/contracts";
import type { AuthInvalidReason } from "@hearth/contracts";
import type { Refusal } from "../connection/connection-state.ts";
import { refusalOf, internalFailure } from "../connection/refusals.ts";
import type { IdentityNode } from "./identity-node.ts";

/** Returns the session of a token, or why the token is refused. Never rejects. */
export const verify = async (
  node: IdentityNode,
  { token, oderId, device }: ClientMessage<"identify">,
): Promise<VerifiedSession | Refusal> => {
  if (token === undefined || token === null || token === "") return refusalOf("missing");
  if (typeof token !== "string") return refusalOf("unknown");
  try {
    const session = await node.verified.of(token, device?.name);
    const ended = node.revocations.reasonFor(session.sessionId);
    if (ended) return refusalOf(ended);
    return oderId === undefined || oderId === session.userId ? session : refusalOf("mismatch");
  } catch (error) {
    const refused = error instanceof ProblemError && error.code === "AUTH_INVALID";
    return refused ? refusalOf(reasonOf(error)) : internalFailure(error);
  }
};

const reasonOf = ({ extras: { reason } }: ProblemError): AuthInvalidReason =>
  reason === "expired" || reason === "revoked" ? reason : "unknown";
