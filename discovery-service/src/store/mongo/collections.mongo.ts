import type { AccessRequest, Invite } from "@hearth/contracts";
import { mongoFields, mongoSchema } from "@hearth/runtime/network";
import type { Mongo } from "@hearth/runtime/network";
import type { BanRecord, Ending, MemberRecord, PluginRecord, ServerRecord } from "../../domain/store.ts";
import type { Heat } from "../../domain/trending.ts";

type Stored<RecordOf, Key extends string = never> = Omit<RecordOf, Key> & { readonly _id: string };

export type ServerDocument = Stored<ServerRecord, "id"> & { readonly heat: Heat };
/** Rows of an earlier version have no username. */
export type MemberDocument = Stored<MemberRecord>;
export type BanDocument = Stored<BanRecord>;
export type InviteDocument = Stored<Invite, "code">;
export type RequestDocument = Stored<AccessRequest, "id">;
export type PluginDocument = Stored<PluginRecord>;
export type EndingDocument = Stored<Ending, "id">;
export interface FeaturedDocument {
  readonly _id: string;
  readonly featuredAt: number;
}
/** Who may write what belongs to a server of chat; see `locks.mongo.ts`. */
export interface LockDocument {
  readonly _id: string;
  readonly holder: string;
  readonly renewals?: number;
}

const { text, prose, number, textOrNull, numberOrNull, json, list } = mongoFields;

const servers = mongoSchema<ServerDocument>("servers", {
  name: text,
  description: prose,
  iconHash: textOrNull,
  tags: list,
  visibility: text,
  ownerId: text,
  memberCount: number,
  channels: list,
  createdAt: number,
  updatedAt: number,
  version: number,
  heat: number,
})
  .index({ visibility: 1, createdAt: -1, _id: -1 })
  .index({ visibility: 1, heat: -1, _id: -1 })
  .index({ tags: 1, createdAt: -1, _id: -1 })
  .index({ ownerId: 1 });

const members = mongoSchema<MemberDocument>("members", {
  serverId: text,
  userId: text,
  username: textOrNull,
  displayName: text,
  role: text,
  joinedAt: number,
})
  .index({ serverId: 1, joinedAt: 1, userId: 1 })
  .index({ userId: 1, joinedAt: 1, serverId: 1 })
  .index({ serverId: 1, role: 1 });

const bans = mongoSchema<BanDocument>("bans", {
  serverId: text,
  userId: text,
  bannedBy: text,
  reason: textOrNull,
  createdAt: number,
  expiresAt: numberOrNull,
  revision: text,
})
  .index({ serverId: 1, createdAt: -1, userId: -1 })
  .index({ userId: 1 });

const invites = mongoSchema<InviteDocument>("invites", {
  serverId: text,
  createdBy: text,
  createdAt: number,
  expiresAt: numberOrNull,
  maxUses: numberOrNull,
  uses: number,
})
  .index({ serverId: 1, createdBy: 1 })
  .index({ serverId: 1, createdAt: -1, _id: -1 })
  .index({ createdBy: 1 });

const requests = mongoSchema<RequestDocument>("requests", {
  serverId: text,
  userId: text,
  username: textOrNull,
  displayName: text,
  message: textOrNull,
  status: text,
  createdAt: number,
  decidedAt: numberOrNull,
  decidedBy: textOrNull,
})
  .index({ serverId: 1, status: 1, createdAt: 1, _id: 1 })
  .index({ userId: 1, status: 1 });

const plugins = mongoSchema<PluginDocument>("plugins", {
  serverId: text,
  pluginId: text,
  version: text,
  required: text,
  config: json,
  updatedAt: number,
  updatedBy: text,
  revision: text,
}).index({ serverId: 1, pluginId: 1 });

const endings = mongoSchema<EndingDocument>("endings", { serverId: text, userId: textOrNull, reason: text });
const featured = mongoSchema<FeaturedDocument>("featured", { featuredAt: number });
const locks = mongoSchema<LockDocument>("locks", { holder: text, renewals: number });

export const collectionsOf = ({ connection }: Mongo) => ({
  servers: connection.model("Server", servers),
  members: connection.model("Member", members),
  bans: connection.model("Ban", bans),
  invites: connection.model("Invite", invites),
  requests: connection.model("Request", requests),
  plugins: connection.model("Plugin", plugins),
  endings: connection.model("Ending", endings),
  featured: connection.model("Featured", featured),
  locks: connection.model("Lock", locks),
});

export type Collections = ReturnType<typeof collectionsOf>;

/** Repeating it is harmless. */
export async function createIndexes(collections: Collections): Promise<void> {
  for (const model of Object.values(collections)) await model.createIndexes();
}

/** The id of what there is one of for each pair. */
export const pair = (serverId: string, other: string): string => `${serverId} ${other}`;
