import type { Role } from "@hearth/contracts";

export type MemberAction = "make-moderator" | "make-member" | "transfer" | "remove" | "ban";

/** Who changes the room itself, beyond the channels, tags and description that a moderator may change (rule DI3). */
export const isOwner = (role: Role): boolean => role === "owner";
export const isModerator = (role: Role): boolean => role !== "member";

/** Members of a room that is not private may invite, in a private one those who decide about it. */
export const mayInvite = (role: Role, visibility: "public" | "unlisted" | "private"): boolean =>
  visibility !== "private" || isModerator(role);

interface Somebody {
  readonly userId: string;
  readonly role: Role;
}

/** What one member may do to another: the owner everything, a moderator to members, nobody to themselves. */
export function actionsOn(own: Somebody, other: Somebody): readonly MemberAction[] {
  if (own.userId === other.userId || other.role === "owner") return [];
  if (own.role === "owner")
    return [other.role === "moderator" ? "make-member" : "make-moderator", "transfer", "remove", "ban"];
  return own.role === "moderator" && other.role === "member" ? ["remove", "ban"] : [];
}
