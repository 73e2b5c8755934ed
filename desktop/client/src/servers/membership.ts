import { serverRoutes } from "@hearth/contracts";
import { ClientProblem } from "@hearth/device";
import type { ClientProblemCode } from "@hearth/device";
import type { Rest } from "../rest/rest.ts";

/**
 * `unknown-room` if the instance does not know the server, or hides it from this account: both answers are the same.
 */
export type Membership = "member" | "no-member" | "unknown-room";

const REFUSALS: Partial<Record<ClientProblemCode, Membership>> = {
  FORBIDDEN: "no-member",
  NOT_FOUND: "unknown-room",
  // An instance that rejects the id has no such server.
  INVALID_REQUEST: "unknown-room",
};

/** Asks whether we are a member of one server, without joining it. Throws if the answer does not tell. */
export async function membershipIn(rest: Rest, url: string, roomId: string): Promise<Membership> {
  try {
    // Only members get the list; the error tells non-members from unknown servers.
    await rest.call(url, serverRoutes.members, { params: { id: roomId }, query: { limit: 1 } });
    return "member";
  } catch (error) {
    const membership = error instanceof ClientProblem ? REFUSALS[error.code] : undefined;
    if (membership === undefined) throw error;
    return membership;
  }
}
