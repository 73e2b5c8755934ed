import type { AccessRequest, Invite, Role } from "@hearth/contracts";
import type { TimePosition } from "./cursors.ts";
import type { Quotas } from "./quotas.ts";
import type {
  Authority,
  BanRecord,
  Decision,
  Ending,
  ListedMembership,
  ListedServer,
  MemberRecord,
  Membership,
  NewMember,
  PluginRecord,
  ServerAndMember,
  ServerRecord,
} from "./records.ts";
import type { Heat } from "./trending.ts";

export interface Slice<Position> {
  readonly after: Position | null;
  readonly limit: number;
}

/**
 * All records of discovery. Each method is one atomic step. A write whose premises have changed is stale: it changes
 * nothing and answers `false` or `null` (rule DI8); the domain then reads and decides again. Every method rejects with
 * `UNAVAILABLE` while the data cannot be reached (rule ER6). A write with a quota rejects with `QUOTA_EXCEEDED` instead of
 * exceeding it (rule AB4), even among concurrent writes.
 */
export interface Store {
  readonly servers: ServerStore;
  readonly members: MemberStore;
  readonly bans: BanStore;
  readonly invites: InviteStore;
  readonly requests: RequestStore;
  readonly plugins: PluginStore;
  readonly endings: EndingStore;
  readonly featured: FeaturedStore;
  readonly accounts: AccountStore;
  ready(): boolean;
  close(): Promise<void>;
}

export interface ServerStore {
  create(
    server: ServerRecord,
    owner: MemberRecord,
    heat: Heat,
    quota: Pick<Quotas, "serversOwned">,
  ): Promise<void>;
  find(id: string): Promise<ServerRecord | null>;
  /** The servers that exist among these ids, in any order. */
  findMany(ids: readonly string[]): Promise<ListedServer[]>;
  /**
   * Writes all of `next` but its member count, if the stored version is the one before it. A server that becomes private
   * loses the invites of users who may not invite to it (rule AB9).
   */
  update(authority: Authority, next: ServerRecord): Promise<boolean>;
  /** Removes the server and all its records. Without an authority: by the operator. */
  remove(authority: Authority | null, ending: Ending): Promise<boolean>;
  /** The member becomes the owner and the owner a moderator; answers the changed server. */
  transfer(
    authority: Authority,
    to: MemberRecord,
    at: number,
    quota: Pick<Quotas, "serversOwned"> | null,
  ): Promise<ServerRecord | null>;
  ownedBy(userId: string): Promise<number>;
  /** Servers of any visibility whose name contains the text, in any order. */
  search(text: string, limit: number): Promise<ListedServer[]>;
  /** Public servers, newest first; with a tag, those that have it. */
  listPublic(slice: Slice<TimePosition>, tag?: string): Promise<ListedServer[]>;
  /** Public servers, hottest first. */
  listTrending(slice: Slice<HeatPosition>): Promise<{ server: ListedServer; heat: Heat }[]>;
  /** Adds points to the heat of servers; skips servers that do not exist. */
  addHeat(items: readonly { serverId: string; points: number }[], at: number): Promise<void>;
}

export type HeatPosition = readonly [heat: Heat, id: string];

export interface MemberStore {
  /** The hot path of every `join_server`: one indexed read (rule WS8). `null` if there is no such server. */
  serverAndMember(serverId: string, userId: string): Promise<ServerAndMember | null>;
  /**
   * Answers the server with its new member count. `null` if the user is a member already or banned at `joinedAt`, the
   * server is gone or has another visibility, the invite is not usable at `joinedAt`, or its maker may no longer invite.
   */
  add(entry: NewMember): Promise<Membership | null>;
  /** Removes a member who still has the role that was read, and deletes the member's invites (rule AB9). */
  remove(member: MemberRecord, authority: Authority | null, ending: Ending): Promise<boolean>;
  /** Deletes the invites that the new role may not create (rule AB9). */
  setRole(member: MemberRecord, role: Role, authority: Authority): Promise<boolean>;
  list(serverId: string, slice: Slice<TimePosition>): Promise<MemberRecord[]>;
  /** The servers a user belongs to, in the order of joining. */
  listOf(userId: string, slice: Slice<TimePosition>): Promise<ListedMembership[]>;
  /** User ids of the owner and the moderators. */
  staff(serverId: string): Promise<string[]>;
  /** The member with this role who joined first. */
  longestMember(serverId: string, role: Role): Promise<MemberRecord | null>;
  shareServer(userId: string, otherUserId: string): Promise<boolean>;
  /** Updates the display name in all records. */
  rename(userId: string, displayName: string): Promise<void>;
  /** Fills in the username in records of an earlier version, which lack it. */
  addUsername(userId: string, username: string): Promise<void>;
}

export interface BanStore {
  /** Also finds an expired ban. */
  find(serverId: string, userId: string): Promise<BanRecord | null>;
  /**
   * Stale unless `before` is still the stored ban and `member` (`null`: none) still the user's membership. Ends the
   * membership and deletes the user's invites.
   */
  put(
    ban: BanRecord,
    before: BanRecord | null,
    member: MemberRecord | null,
    authority: Authority,
    ending: Ending,
    quota: Pick<Quotas, "bans">,
  ): Promise<boolean>;
  lift(ban: BanRecord, authority: Authority): Promise<boolean>;
  /** Bans in force at `now`, the latest first. */
  list(serverId: string, slice: Slice<TimePosition>, now: number): Promise<BanRecord[]>;
}

export interface InviteStore {
  /** Also `false` if the code is taken. Deletes the server's invites that are spent. */
  create(
    invite: Invite,
    authority: Authority,
    quota: Pick<Quotas, "invites" | "invitesOfMember">,
  ): Promise<boolean>;
  /** Also `null` if its maker may no longer invite (rule AB9). */
  find(code: string): Promise<Invite | null>;
  /** Invites that are usable at `now`, the latest first. */
  list(serverId: string, slice: Slice<TimePosition>, now: number): Promise<Invite[]>;
  /** Without an authority: by its maker. */
  remove(invite: Invite, authority: Authority | null): Promise<boolean>;
}

export interface RequestStore {
  /**
   * `false` if the server is no longer private, or the user is a member, is banned at `createdAt`, or already has a
   * pending request.
   */
  create(request: AccessRequest): Promise<boolean>;
  find(id: string): Promise<AccessRequest | null>;
  findPending(serverId: string, userId: string): Promise<AccessRequest | null>;
  listPending(serverId: string, slice: Slice<TimePosition>): Promise<AccessRequest[]>;
  /**
   * Stale unless the request is still pending and, for an approval, its user is not banned at `decidedAt`. An approval
   * makes the user a member; `added` is `false` if the user had already become one.
   */
  decide(
    request: AccessRequest,
    decision: Decision,
    authority: Authority,
    points: number,
  ): Promise<{ added: boolean } | null>;
}

export interface PluginStore {
  find(serverId: string, pluginId: string): Promise<PluginRecord | null>;
  list(serverId: string): Promise<PluginRecord[]>;
  /** Stale unless `before` is still the stored plugin. */
  put(plugin: PluginRecord, before: PluginRecord | null, authority: Authority): Promise<boolean>;
  remove(plugin: PluginRecord, authority: Authority): Promise<boolean>;
}

/** Endings are stored by the writes that cause them, in the same step. */
export interface EndingStore {
  /** The oldest first. */
  list(): Promise<Ending[]>;
  forget(id: string): Promise<void>;
}

/** Ids of the servers that the operator's command featured, in the order of featuring. */
export interface FeaturedStore {
  list(): Promise<string[]>;
  /** `false` if there is no such server. */
  add(serverId: string, at: number): Promise<boolean>;
  remove(serverId: string): Promise<boolean>;
}

export interface AccountRecords {
  readonly requests: AccessRequest[];
  readonly invites: Invite[];
  readonly bans: BanRecord[];
}

/** AB12: the records of an account besides its memberships. */
export interface AccountStore {
  /** At most `limit` of each. */
  records(userId: string, limit: number): Promise<AccountRecords>;
  /** Deletes all of them. Bans that the account made stay. */
  forget(userId: string): Promise<void>;
}
