import type { Role, Visibility } from "@hearth/contracts";

/** What a member may do to a server, by the least role that may (rule DI3). */
const LEAST = {
  viewMembers: "member",
  invite: "member",
  /** A private server is entered by invite alone, so making one is a moderator's decision. */
  inviteToPrivate: "moderator",
  editContent: "moderator",
  moderate: "moderator",
  editServer: "owner",
  setRoles: "owner",
  transfer: "owner",
  remove: "owner",
} as const satisfies Record<string, Role>;

export type Action = keyof typeof LEAST;

/** The action that inviting to such a server is. */
export const inviteTo = (visibility: Visibility): Action =>
  visibility === "private" ? "inviteToPrivate" : "invite";

const RANK: Readonly<Record<Role, number>> = { member: 1, moderator: 2, owner: 3 };

export const may = (role: Role, action: Action): boolean => RANK[role] >= RANK[LEAST[action]];

/** AB9: an invite lasts as long as its maker, who has this role by now, may make it. */
export const roleMayInvite = (role: Role | null, visibility: Visibility): boolean =>
  role !== null && may(role, inviteTo(visibility));

/** Moderation goes downwards only, so never to oneself; somebody who is no member has the lowest rank of all. */
export const outranks = (role: Role, other: Role | null): boolean =>
  RANK[role] > (other === null ? 0 : RANK[other]);

const CONTENT: ReadonlySet<string> = new Set(["description", "tags", "channels"]);

/** The action that changing this field of a server is (rule DI3). */
export const editOf = (field: string): Action => (CONTENT.has(field) ? "editContent" : "editServer");
