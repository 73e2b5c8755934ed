import { ProblemError } from "@hearth/contracts";
import { may } from "./permissions.ts";
import type { Action } from "./permissions.ts";
import type { Authority, Membership, ServerAndMember, ServerRecord } from "./records.ts";
import type { MemberStore, Store } from "./store.ts";

type MemberReads = Pick<MemberStore, "serverAndMember">;

export const serverNotFound = (): ProblemError => new ProblemError("NOT_FOUND", "There is no such server");

/** DI8: after this many stale writes in a row the caller is refused and has to read again. */
const MAX_ATTEMPTS = 3;

export const changedMeanwhile = (): ProblemError =>
  new ProblemError("CONFLICT", "It was changed by somebody else at the same time; read it again");

/**
 * Repeats an attempt that reads, decides and writes, while its write is stale (`null`). Throws what an attempt throws:
 * that decision is based on the latest read.
 */
export async function retryOnConflict<Result>(attempt: () => Promise<Result | null>): Promise<Result> {
  for (let left = MAX_ATTEMPTS; left > 0; left -= 1) {
    const result = await attempt();
    if (result !== null) return result;
  }
  throw changedMeanwhile();
}

/** DI2: only its members learn that a private server exists; to others this throws `NOT_FOUND`. */
export async function requireVisible(
  members: MemberReads,
  serverId: string,
  userId: string,
): Promise<ServerAndMember> {
  const found = await members.serverAndMember(serverId, userId);
  if (found === null) throw serverNotFound();
  if (found.member === null && found.server.visibility === "private") throw serverNotFound();
  return found;
}

export async function visibleServer(
  store: Pick<Store, "members" | "servers">,
  serverId: string,
  userId: string | null,
): Promise<ServerRecord> {
  if (userId !== null) return (await requireVisible(store.members, serverId, userId)).server;
  const server = await store.servers.find(serverId);
  if (server === null || server.visibility === "private") throw serverNotFound();
  return server;
}

/** The actor's membership, if its role allows the action. */
export async function authorised(
  members: MemberReads,
  serverId: string,
  userId: string,
  action: Action,
): Promise<Membership> {
  const { server, member } = await requireVisible(members, serverId, userId);
  if (member === null) throw new ProblemError("FORBIDDEN", "Only members of this server may do this");
  if (!may(member.role, action)) {
    throw new ProblemError("FORBIDDEN", "Your role in this server does not allow this");
  }
  return { server, member };
}

/** The refusal of a stale write. Throws instead if the actor no longer has the right to make it. */
export async function staleWrite(
  members: MemberReads,
  { serverId, userId }: Authority,
  action: Action,
): Promise<ProblemError> {
  await authorised(members, serverId, userId, action);
  return changedMeanwhile();
}
