import type { AccessRequest, Invite } from "@hearth/contracts";
import { mongoFields, mongoFieldsOf, mongoSchema } from "@hearth/runtime/network";
import type { Mongo, MongoDocument } from "@hearth/runtime/network";
import {
  banRecord,
  inviteRecord,
  memberRecord,
  pluginRecord,
  requestRecord,
  serverRecord,
} from "../../domain/records.ts";
import type { BanRecord, Ending, MemberRecord, PluginRecord, ServerRecord } from "../../domain/records.ts";
import type { Heat } from "../../domain/trending.ts";

export type ServerDocument = MongoDocument<ServerRecord, "id"> & { readonly heat: Heat };
/** Documents of an earlier version have no username. */
export type MemberDocument = MongoDocument<MemberRecord>;
export type BanDocument = MongoDocument<BanRecord>;
export type InviteDocument = MongoDocument<Invite, "code">;
export type RequestDocument = MongoDocument<AccessRequest, "id">;
export type PluginDocument = MongoDocument<PluginRecord>;
export type EndingDocument = MongoDocument<Ending, "id">;
export interface FeaturedDocument {
  readonly _id: string;
  readonly featuredAt: number;
}
/** The right to write the records of one server; see `locks.mongo.ts`. */
export interface LockDocument {
  readonly _id: string;
  readonly holder: string;
  readonly renewals?: number;
}

const { text, number, textOrNull } = mongoFields;

const servers = mongoSchema<ServerDocument>("servers", {
  ...mongoFieldsOf(serverRecord.omit({ id: true })),
  heat: number,
})
  .index({ visibility: 1, createdAt: -1, _id: -1 })
  .index({ visibility: 1, heat: -1, _id: -1 })
  .index({ tags: 1, createdAt: -1, _id: -1 })
  .index({ ownerId: 1 });

const members = mongoSchema<MemberDocument>("members", mongoFieldsOf(memberRecord))
  .index({ serverId: 1, joinedAt: 1, userId: 1 })
  .index({ userId: 1, joinedAt: 1, serverId: 1 })
  .index({ serverId: 1, role: 1 });

const bans = mongoSchema<BanDocument>("bans", mongoFieldsOf(banRecord))
  .index({ serverId: 1, createdAt: -1, userId: -1 })
  .index({ userId: 1 });

const invites = mongoSchema<InviteDocument>("invites", mongoFieldsOf(inviteRecord.omit({ code: true })))
  .index({ serverId: 1, createdBy: 1 })
  .index({ serverId: 1, createdAt: -1, _id: -1 })
  .index({ createdBy: 1 });

const requests = mongoSchema<RequestDocument>("requests", mongoFieldsOf(requestRecord.omit({ id: true })))
  .index({ serverId: 1, status: 1, createdAt: 1, _id: 1 })
  .index({ userId: 1, status: 1 });

const plugins = mongoSchema<PluginDocument>("plugins", mongoFieldsOf(pluginRecord)).index({
  serverId: 1,
  pluginId: 1,
});

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

/** Safe to repeat. */
export async function createIndexes(collections: Collections): Promise<void> {
  for (const model of Object.values(collections)) await model.createIndexes();
}

/** The `_id` of a document that exists once per server and user, or per server and plugin. */
export const pairId = (serverId: string, other: string): string => `${serverId} ${other}`;
