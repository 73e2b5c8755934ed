import type { Role, Visibility } from "@hearth/contracts";

/** DI3: what a member may do in a server, with the lowest role that may do it. */
const LOWEST_ROLE = {
  viewMembers: "member",
  invite: "member",
  /** An invite is the only way into a private server, so only moderators create one. */
  inviteToPrivate: "moderator",
  editContent: "moderator",
  moderate: "moderator",
  editServer: "owner",
  setRoles: "owner",
  transfer: "owner",
  remove: "owner",
} as const satisfies Record<string, Role>;

export type Action = keyof typeof LOWEST_ROLE;

/** The action of inviting to a server of this visibility. */
export const inviteActionFor = (visibility: Visibility): Action =>
  visibility === "private" ? "inviteToPrivate" : "invite";

const RANK: Readonly<Record<Role, number>> = { member: 1, moderator: 2, owner: 3 };

export const may = (role: Role, action: Action): boolean => RANK[role] >= RANK[LOWEST_ROLE[action]];

/** AB9: an invite is valid only while its maker, who has this role now, may still invite. */
export const roleMayInvite = (role: Role | null, visibility: Visibility): boolean =>
  role !== null && may(role, inviteActionFor(visibility));

/** Users moderate only lower ranks, so never themselves. A user who is not a member has the lowest rank. */
export const outranks = (role: Role, other: Role | null): boolean =>
  RANK[role] > (other === null ? 0 : RANK[other]);

const CONTENT: ReadonlySet<string> = new Set(["description", "tags", "channels"]);

/** DI3: the action of changing this field of a server. */
export const editActionFor = (field: string): Action => (CONTENT.has(field) ? "editContent" : "editServer");
