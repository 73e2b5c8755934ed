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
 * Everything discovery keeps. Each method is one atomic step. A write answers `false` or `null`, and has then changed
 * nothing, when what it was based on is no longer so (rule DI8); the domain reads again and decides again. Any
 * method rejects with `UNAVAILABLE` while the data cannot be reached (rule ER6). Where a quota is a parameter, the write
 * rejects with `QUOTA_EXCEEDED` instead of passing it (rule AB4), also when many are made at the same time.
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
  /** Those of the ids that exist, in any order. */
  findMany(ids: readonly string[]): Promise<ListedServer[]>;
  /**
   * Writes all of `next` but its member count, where the version before it is still in force. A server that becomes
   * private loses the invites of those who may not invite to it (rule AB9).
   */
  update(authority: Authority, next: ServerRecord): Promise<boolean>;
  /** With everything that belongs to it. Without an authority: by the operator. */
  remove(authority: Authority | null, ending: Ending): Promise<boolean>;
  /** The member becomes the owner and the owner a moderator; answers the server as it is then. */
  transfer(
    authority: Authority,
    to: MemberRecord,
    at: number,
    quota: Pick<Quotas, "serversOwned"> | null,
  ): Promise<ServerRecord | null>;
  ownedBy(userId: string): Promise<number>;
  /** Of any visibility, whose name contains the text, in any order. */
  search(text: string, limit: number): Promise<ListedServer[]>;
  /** Public servers, newest first; with a tag, those that carry it. */
  listPublic(slice: Slice<TimePosition>, tag?: string): Promise<ListedServer[]>;
  /** Public servers, hottest first. */
  listTrending(slice: Slice<HeatPosition>): Promise<{ server: ListedServer; heat: Heat }[]>;
  /** Servers that do not exist are passed over. */
  addHeat(items: readonly { serverId: string; points: number }[], at: number): Promise<void>;
}

export type HeatPosition = readonly [heat: Heat, id: string];

export interface MemberStore {
  /** The hot path of every `join_server`: one indexed read (rule WS8). */
  serverAndMember(serverId: string, userId: string): Promise<ServerAndMember | null>;
  /**
   * `null` where the user is a member already or banned at `joinedAt`, the server is gone or of another visibility,
   * or the invite is not usable at `joinedAt` or its maker may not make it any more. Answers the server with its new member count.
   */
  add(entry: NewMember): Promise<Membership | null>;
  /** Where the member still has the role that was read; withdraws the member's invites (rule AB9). */
  remove(member: MemberRecord, authority: Authority | null, ending: Ending): Promise<boolean>;
  /** Withdraws the invites that the new role may not make (rule AB9). */
  setRole(member: MemberRecord, role: Role, authority: Authority): Promise<boolean>;
  list(serverId: string, slice: Slice<TimePosition>): Promise<MemberRecord[]>;
  /** The servers a user belongs to, in the order of joining. */
  listOf(userId: string, slice: Slice<TimePosition>): Promise<ListedMembership[]>;
  /** User ids of the owner and the moderators. */
  staff(serverId: string): Promise<string[]>;
  /** The one of that role who joined first. */
  eldest(serverId: string, role: Role): Promise<MemberRecord | null>;
  shareServer(userId: string, otherUserId: string): Promise<boolean>;
  /** Wherever a display name is kept. */
  rename(userId: string, displayName: string): Promise<void>;
  /** Where rows of an earlier version lack it. */
  addUsername(userId: string, username: string): Promise<void>;
}

export interface BanStore {
  /** In force or expired. */
  find(serverId: string, userId: string): Promise<BanRecord | null>;
  /**
   * Where `before` is still what is kept for the user, and `member` (`null`: none) still what the user is to the
   * server. Ends the membership and withdraws the user's invites.
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
  /** Those in force at `now`, the latest first. */
  list(serverId: string, slice: Slice<TimePosition>, now: number): Promise<BanRecord[]>;
}

export interface InviteStore {
  /** `false` also where the code is taken. Forgets those of the server that cannot be used any more. */
  create(
    invite: Invite,
    authority: Authority,
    quota: Pick<Quotas, "invites" | "invitesOfMember">,
  ): Promise<boolean>;
  /** `null` also where its maker may not make it any more (rule AB9). */
  find(code: string): Promise<Invite | null>;
  /** Those that can be used at `now`, the latest first. */
  list(serverId: string, slice: Slice<TimePosition>, now: number): Promise<Invite[]>;
  /** Without an authority: by its maker. */
  remove(invite: Invite, authority: Authority | null): Promise<boolean>;
}

export interface RequestStore {
  /**
   * `false` where the server is not private any more, or the user is a member, is banned at `createdAt`, or has a
   * pending request there.
   */
  create(request: AccessRequest): Promise<boolean>;
  find(id: string): Promise<AccessRequest | null>;
  findPending(serverId: string, userId: string): Promise<AccessRequest | null>;
  listPending(serverId: string, slice: Slice<TimePosition>): Promise<AccessRequest[]>;
  /**
   * Where the request is still pending and, for an approval, its user is not banned at `decidedAt`. An approval makes the
   * user a member; `added` is `false` for one who had become a member by another way.
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
  /** Where `before` is still what is kept. */
  put(plugin: PluginRecord, before: PluginRecord | null, authority: Authority): Promise<boolean>;
  remove(plugin: PluginRecord, authority: Authority): Promise<boolean>;
}

/** Endings are kept by the writes that cause them, in the same step. */
export interface EndingStore {
  /** The oldest first. */
  list(): Promise<Ending[]>;
  forget(id: string): Promise<void>;
}

/** Server ids that the operator's command wrote down, in the order of doing so. */
export interface FeaturedStore {
  list(): Promise<string[]>;
  /** `false` where there is no such server. */
  add(serverId: string, at: number): Promise<boolean>;
  remove(serverId: string): Promise<boolean>;
}

export interface AccountRecords {
  readonly requests: AccessRequest[];
  readonly invites: Invite[];
  readonly bans: BanRecord[];
}

/** AB12: what is kept of an account beside its memberships. */
export interface AccountStore {
  /** At most `limit` of each. */
  records(userId: string, limit: number): Promise<AccountRecords>;
  /** Removes all of it. Bans that the account made stay. */
  forget(userId: string): Promise<void>;
}
