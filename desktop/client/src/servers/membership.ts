import { serverRoutes } from "@hearth/contracts";
import { ClientProblem } from "@hearth/device";
import type { ClientProblemCode } from "@hearth/device";
import type { Rest } from "../rest/rest.ts";

/** `unknown-room` where the server has no such room, or none that this account may know of: both answer the same. */
export type Membership = "member" | "no-member" | "unknown-room";

const REFUSALS: Partial<Record<ClientProblemCode, Membership>> = {
  FORBIDDEN: "no-member",
  NOT_FOUND: "unknown-room",
  // A server that calls the id none has no such room.
  INVALID_REQUEST: "unknown-room",
};

/** Asks about one room, without becoming a member of it; throws what says nothing about the membership. */
export async function membershipIn(rest: Rest, url: string, roomId: string): Promise<Membership> {
  try {
    // Only members get it, and everybody else is told which of the two it is.
    await rest.call(url, serverRoutes.members, { params: { id: roomId }, query: { limit: 1 } });
    return "member";
  } catch (error) {
    const membership = error instanceof ClientProblem ? REFUSALS[error.code] : undefined;
    if (membership === undefined) throw error;
    return membership;
  }
}
