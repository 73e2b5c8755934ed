import type { Ban, Member, Role } from "@hearth/contracts";
import type { DeviceUser, RoomMembership } from "@hearth/device";
import type { ClientStore } from "@hearth/store";
import type { Incoming } from "../connection/connection.ts";
import type { Platform } from "../ports.ts";
import { ClientProblem } from "@hearth/device";
import type { ListReach } from "./servers.ts";
import type { SavedServers } from "./saved-servers.ts";

export type MemberStore = Pick<
  ClientStore,
  "user" | "saveUsers" | "roomUsers" | "saveRoomUsers" | "removeRoomUser" | "bans" | "saveBans" | "removeBan"
>;

interface MemberRecordsDeps {
  readonly platform: Pick<Platform, "now" | "later">;
  readonly store: MemberStore;
  readonly saved: SavedServers;
}

interface Named {
  readonly id: string;
  readonly displayName: string;
  readonly signalServerUrl: string;
}

type Known = Map<string, Pick<RoomMembership, "role" | "joinedAt">>;

const GATHER_MS = 500;
const UNKNOWN: Omit<DeviceUser, "id" | "displayName" | "signalServerUrl"> & {
  readonly displayName?: string;
} = {
  ...{ username: null, avatarHash: null, avatarMime: null, cardText: "", isFriend: false, updatedAt: 0 },
};

const keyOf = ({ signalServerUrl, id }: Pick<Named, "id" | "signalServerUrl">): string =>
  `${signalServerUrl} ${id}`;

/** Gathers users, memberships and bans, and writes them in batches. */
export class MemberRecords {
  private readonly deps: MemberRecordsDeps;
  /** By instance and user id: an instance cannot rename users of another one. */
  private people = new Map<string, Named>();
  /** By server and user; the role if it is known. */
  private seen = new Map<string, Map<string, Role | null>>();
  /** The stored members of joined servers. */
  private readonly members = new Map<string, Known>();
  private readonly names = new Map<string, string>();
  private cancel: (() => void) | null = null;
  private lastWrite: Promise<void> = Promise.resolve();

  constructor(deps: MemberRecordsDeps) {
    this.deps = deps;
  }

  stop(): void {
    this.cancel?.();
    this.cancel = null;
  }

  handle(signalServerUrl: string, message: Incoming): void {
    const meet = (roomId: string, userId: string, displayName: string, role: Role | null): void => {
      if (this.deps.saved.get(roomId)?.room.signalServerUrl !== signalServerUrl) return;
      this.addName({ id: userId, displayName, signalServerUrl });
      this.seen.set(roomId, (this.seen.get(roomId) ?? new Map<string, Role | null>()).set(userId, role));
      this.scheduleWrite();
    };
    switch (message.type) {
      case "server_joined":
        this.members.delete(message.serverId);
        for (const { oderId, displayName } of message.users)
          meet(message.serverId, oderId, displayName, null);
        return;
      case "user_joined":
        return meet(message.serverId, message.user.oderId, message.user.displayName, null);
      case "member_updated":
        return meet(message.serverId, message.userId, message.displayName, message.role);
      case "user_updated":
        this.addName({ id: message.oderId, displayName: message.displayName, signalServerUrl });
        return this.scheduleWrite();
      default:
        return;
    }
  }

  keepMembers(roomId: string, members: readonly Member[], reach: ListReach): Promise<void> {
    return this.inTurn(async () => {
      const server = this.deps.saved.get(roomId);
      const known = server && (await this.knownOf(roomId, true));
      if (!known) return;
      const { signalServerUrl } = server.room;
      await this.saveNames(
        members.map(({ userId: id, displayName }) => ({ id, displayName, signalServerUrl })),
      );
      await this.saveMemberships(
        roomId,
        known,
        members.filter(({ userId, role, joinedAt }) => {
          const stored = known.get(userId);
          return stored?.role !== role || stored.joinedAt !== joinedAt;
        }),
      );
      if (reach === "part") return;
      const listed = new Set(members.map(({ userId }) => userId));
      // Users who are present joined after the list was read.
      const present = this.deps.saved.get(roomId)?.present;
      for (const userId of [...known.keys()].filter((id) => !listed.has(id) && present?.has(id) !== true)) {
        await this.deps.store.removeRoomUser(roomId, userId);
        known.delete(userId);
      }
    });
  }

  keepBans(roomId: string, bans: readonly Ban[], reach: ListReach): Promise<void> {
    const { platform, store, saved } = this.deps;
    return this.inTurn(async () => {
      if (!saved.get(roomId)) return;
      await store.saveBans(bans.map((ban) => ({ ...ban, roomId })));
      if (reach === "part") return;
      const listed = new Set(bans.map(({ userId }) => userId));
      for (const { userId } of (await store.bans(roomId, platform.now())) ?? [])
        if (!listed.has(userId)) await store.removeBan(roomId, userId);
    });
  }

  private addName(person: Named): void {
    this.people.set(keyOf(person), person);
  }

  private scheduleWrite(): void {
    this.cancel ??= this.deps.platform.later(GATHER_MS, () => {
      this.cancel = null;
      const { people, seen } = this;
      this.people = new Map();
      this.seen = new Map();
      void this.inTurn(() => this.write(people, seen));
    });
  }

  private async write(people: typeof this.people, met: typeof this.seen): Promise<void> {
    await this.saveNames(people.values());
    for (const [roomId, roles] of met) {
      const room = this.deps.saved.get(roomId)?.room;
      const known = room && (await this.knownOf(roomId));
      if (!known) continue;
      const changed = [...roles].flatMap(([userId, seenRole]) => {
        const stored = known.get(userId);
        const role = seenRole ?? stored?.role ?? (userId === room.ownerId ? "owner" : "member");
        // Until the real time is known it is the earliest possible one, which any other replaces.
        const joinedAt = stored?.joinedAt ?? room.createdAt;
        return role === stored?.role ? [] : [{ userId, role, joinedAt }];
      });
      await this.saveMemberships(roomId, known, changed);
    }
  }

  private async saveNames(people: Iterable<Named>): Promise<void> {
    const { platform, store } = this.deps;
    const users: Parameters<MemberStore["saveUsers"]>[0][number][] = [];
    for (const person of people) {
      const { id, displayName, signalServerUrl } = person;
      if (this.names.get(keyOf(person)) === displayName) continue;
      const { isFriend: _, ...known } = (await store.user(id, signalServerUrl)) ?? UNKNOWN;
      const updatedAt = Math.max(platform.now(), known.updatedAt + 1);
      if (known.displayName === displayName) this.names.set(keyOf(person), displayName);
      else users.push({ ...known, id, displayName, signalServerUrl, updatedAt });
    }
    if (users.length > 0) await store.saveUsers(users);
    for (const user of users) this.names.set(keyOf(user), user.displayName);
  }

  private async saveMemberships(
    roomId: string,
    known: Known,
    changed: readonly Pick<Member, "userId" | "role" | "joinedAt">[],
  ): Promise<void> {
    if (changed.length === 0) return;
    await this.deps.store.saveRoomUsers(
      changed.map(({ userId, role, joinedAt }) => ({ roomId, userId, role, joinedAt, lastSeenAt: null })),
    );
    for (const { userId, role, joinedAt } of changed) known.set(userId, { role, joinedAt });
  }

  private async knownOf(roomId: string, isFresh = false): Promise<Known | undefined> {
    const known = isFresh ? undefined : this.members.get(roomId);
    if (known) return known;
    const users = await this.deps.store.roomUsers(roomId);
    if (!users) return undefined;
    const read: Known = new Map(users.map(({ id, role, joinedAt }) => [id, { role, joinedAt }]));
    this.members.set(roomId, read);
    return read;
  }

  /** A failed write is repeated at the latest when the server is joined again. */
  private inTurn(work: () => Promise<void>): Promise<void> {
    const result = this.lastWrite.then(work).catch((error: unknown) => {
      if (!(error instanceof ClientProblem)) throw error;
    });
    this.lastWrite = result.catch(() => undefined);
    return result;
  }
}
