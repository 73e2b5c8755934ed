import type { AccessRequest, Invite } from "@hearth/contracts";
import { newId } from "@hearth/runtime";
import type {
  BanRecord,
  Ending,
  MemberRecord,
  NewMember,
  PluginRecord,
  ServerRecord,
} from "../domain/records.ts";
import type { Store } from "../domain/store.ts";
import type { Quotas } from "../domain/quotas.ts";
import { COLD } from "../domain/trending.ts";

/** Quotas that only the tests of quotas reach. */
export const AMPLE_QUOTAS: Quotas = {
  serversOwned: 1_000,
  serversMadePerHour: 1_000,
  channels: 200,
  invites: 1_000,
  invitesOfMember: 1_000,
  bans: 1_000,
};

export const T0 = 1_700_000_000_000;

export const aServer = (fields: Partial<ServerRecord> = {}): ServerRecord => ({
  id: newId(),
  name: "A server",
  description: "",
  iconHash: null,
  tags: [],
  visibility: "public",
  ownerId: newId(),
  memberCount: 1,
  channels: [{ id: newId(), name: "general", kind: "text", position: 0 }],
  createdAt: T0,
  updatedAt: T0,
  version: 1,
  ...fields,
});

export const aMember = (serverId: string, fields: Partial<MemberRecord> = {}): MemberRecord => ({
  serverId,
  userId: newId(),
  username: "somebody",
  displayName: "Somebody",
  role: "member",
  joinedAt: T0,
  ...fields,
});

export const ownerOf = ({ id: serverId, ownerId: userId, createdAt: joinedAt }: ServerRecord): MemberRecord =>
  aMember(serverId, { userId, role: "owner", joinedAt });

export const anEntry = (member: MemberRecord, fields: Partial<NewMember> = {}): NewMember => ({
  member,
  visibility: "public",
  inviteCode: null,
  points: 5,
  ...fields,
});

export const aBan = (serverId: string, fields: Partial<BanRecord> = {}): BanRecord => ({
  serverId,
  userId: newId(),
  bannedBy: newId(),
  reason: null,
  createdAt: T0,
  expiresAt: null,
  revision: newId(),
  ...fields,
});

export const anInvite = (serverId: string, fields: Partial<Invite> = {}): Invite => ({
  code: newId().replaceAll("-", "").slice(-10),
  serverId,
  createdBy: newId(),
  createdAt: T0,
  expiresAt: null,
  maxUses: null,
  uses: 0,
  ...fields,
});

export const aRequest = (serverId: string, fields: Partial<AccessRequest> = {}): AccessRequest => ({
  id: newId(),
  serverId,
  userId: newId(),
  username: "somebody",
  displayName: "Somebody",
  message: null,
  status: "pending",
  createdAt: T0,
  decidedAt: null,
  decidedBy: null,
  ...fields,
});

export const aPlugin = (serverId: string, fields: Partial<PluginRecord> = {}): PluginRecord => ({
  serverId,
  pluginId: "polls",
  version: "1.0.0",
  required: "optional",
  config: null,
  updatedAt: T0,
  updatedBy: newId(),
  revision: newId(),
  ...fields,
});

export const anEnding = (serverId: string, userId: string): Ending => ({
  id: newId(),
  serverId,
  userId,
  reason: "removed",
});

/** Stores a server and its owner. */
export async function storedServer(store: Store, fields: Partial<ServerRecord> = {}) {
  const server = aServer(fields);
  const owner = ownerOf(server);
  await store.servers.create(server, owner, COLD, AMPLE_QUOTAS);
  return { server, owner };
}

/** Stores a member. A `role` other than member is set by a second step. */
export async function storedMember(store: Store, owner: MemberRecord, fields: Partial<MemberRecord> = {}) {
  const { role = "member", ...rest } = fields;
  const member = aMember(owner.serverId, rest);
  const server = await store.servers.find(owner.serverId);
  const visibility = server?.visibility ?? "public";
  let inviteCode: string | null = null;
  if (visibility === "private") {
    const invite = anInvite(owner.serverId, { createdBy: owner.userId });
    await store.invites.create(invite, owner, AMPLE_QUOTAS);
    inviteCode = invite.code;
  }
  if ((await store.members.add(anEntry(member, { visibility, inviteCode }))) === null) {
    throw new Error("the store refused the member");
  }
  if (role !== "member") await store.members.setRole(member, role, owner);
  return { ...member, role };
}
