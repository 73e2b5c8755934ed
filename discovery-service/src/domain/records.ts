import {
  accessRequestSchema,
  banSchema,
  inviteSchema,
  memberSchema,
  pluginSupportSchema,
  serverSchema,
  uuid,
} from "@hearth/contracts";
import type { RequestStatus, Visibility } from "@hearth/contracts";
import { z } from "zod";

/** A server as it is stored: without the values that are computed for each answer. */
export const serverRecord = serverSchema.omit({ onlineCount: true, featured: true });
export type ServerRecord = z.output<typeof serverRecord>;

/** A server as lists read it (rule AB3). */
export const listedServer = serverRecord.omit({ channels: true });
export type ListedServer = z.output<typeof listedServer>;

/** The fields that an update of a server writes. */
export const editedServer = serverRecord.omit({
  id: true,
  ownerId: true,
  memberCount: true,
  createdAt: true,
});

export const memberRecord = memberSchema.extend({ serverId: uuid });
export type MemberRecord = Readonly<z.output<typeof memberRecord>>;

/** A server and, if the user is a member, the user's membership, in one read. */
export interface ServerAndMember {
  readonly server: ServerRecord;
  readonly member: MemberRecord | null;
}

export interface Membership extends ServerAndMember {
  readonly member: MemberRecord;
}

export interface ListedMembership {
  readonly server: ListedServer;
  readonly member: MemberRecord;
}

/** Every write sets a new `revision`, so that a later write can name exactly what it read. */
export const banRecord = banSchema.extend({ serverId: uuid, revision: z.string().min(1) });
export type BanRecord = Readonly<z.output<typeof banRecord>>;

export const pluginRecord = pluginSupportSchema.extend({ serverId: uuid, revision: z.string().min(1) });
export type PluginRecord = Readonly<z.output<typeof pluginRecord>>;

/** Invites and access requests are stored as clients see them. */
export const inviteRecord = inviteSchema;
export const requestRecord = accessRequestSchema;

/**
 * The role that an actor had when it was read. A write with an authority changes nothing unless the actor still has that
 * role, so that a decision never outlives the right to make it (rule DI8).
 */
export type Authority = Pick<MemberRecord, "serverId" | "userId" | "role">;

/** The end of a membership, or of a server (`userId` `null`), that may not be announced yet. */
export type Ending = {
  readonly id: string;
  readonly serverId: string;
} & (
  | { readonly userId: string; readonly reason: "removed" | "banned" | "left" }
  | { readonly userId: null; readonly reason: "deleted" }
);

export interface NewMember {
  readonly member: MemberRecord;
  /** The visibility that admitted the user. */
  readonly visibility: Visibility;
  /** The invite of which one use is counted. */
  readonly inviteCode: string | null;
  /** Added to the score of the trending list. */
  readonly points: number;
}

/** The decision on an access request. */
export interface Decision {
  readonly status: Exclude<RequestStatus, "pending">;
  readonly decidedBy: string;
  readonly decidedAt: number;
}
