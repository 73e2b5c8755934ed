import { ProblemError } from "@hearth/contracts";
import { may } from "./permissions.ts";
import type { Action } from "./permissions.ts";
import type { Authority, Membership, ServerRecord, ServerAndMember } from "./records.ts";
import type { MemberStore, Store } from "./store.ts";

export const serverNotFound = (): ProblemError => new ProblemError("NOT_FOUND", "There is no such server");

/** After this many writes in a row that came too late, the caller is told to look again (rule DI8). */
const ATTEMPTS = 3;

export const changedMeanwhile = (): ProblemError =>
  new ProblemError("CONFLICT", "It was changed by somebody else at the same time; read it again");

/**
 * Reads, decides and writes until the write meets what it was decided on; `null` means that it did not. What an attempt
 * throws is the answer: a decision on a later reading replaces the one on an earlier.
 */
export async function retryOnConflict<Result>(attempt: () => Promise<Result | null>): Promise<Result> {
  for (let left = ATTEMPTS; left > 0; left -= 1) {
    const result = await attempt();
    if (result !== null) return result;
  }
  throw changedMeanwhile();
}

/** DI2: nobody but its members learns that a private server exists. */
export async function requireVisible(
  members: Pick<MemberStore, "serverAndMember">,
  serverId: string,
  userId: string,
): Promise<ServerAndMember> {
  const standing = await members.serverAndMember(serverId, userId);
  if (standing === null) throw serverNotFound();
  if (standing.member === null && standing.server.visibility === "private") throw serverNotFound();
  return standing;
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

/** The actor's membership, where its role allows the action. */
export async function authorised(
  members: Pick<MemberStore, "serverAndMember">,
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

/** Why a write came too late: the right to make it is gone (then this throws), or somebody else was first. */
export async function staleWrite(
  members: Pick<MemberStore, "serverAndMember">,
  { serverId, userId }: Authority,
  action: Action,
): Promise<ProblemError> {
  await authorised(members, serverId, userId, action);
  return changedMeanwhile();
}
