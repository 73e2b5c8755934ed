import { ProblemError, type UserStatus } from "@hearth/contracts";
import type { Clock } from "@hearth/runtime";
import type { ConnectionRecord, Departure, Occupant, Registration, Roster } from "./roster.ts";

interface Entry {
  readonly record: ConnectionRecord;
  servers: Set<string> | null;
  /** Lost its tuple to a newer connection; it only has its rooms left to give back. */
  superseded: boolean;
}

interface User {
  displayName: string;
  status: UserStatus;
  statusText: string | null;
  /** In order of identification; a handful, so a list is smaller and as fast as a map. */
  readonly connections: Entry[];
}

/** The embedded twin: the whole cluster is this process. */
export class MemoryRoster implements Roster {
  private readonly entries = new Map<string, Entry>();
  private readonly users = new Map<string, User>();
  /** Connections per user in each room. */
  private readonly rooms = new Map<string, Map<string, number>>();
  private readonly nodes = new Map<string, number>();
  private readonly clock: Clock;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  async register(record: ConnectionRecord, limit: number): Promise<Registration> {
    const user = this.users.get(record.oderId);
    const rivals = (user?.connections ?? []).filter(
      (entry) => !entry.superseded && entry.record.connectionId !== record.connectionId,
    );
    const superseded = rivals.find((entry) => sameTuple(entry.record, record)) ?? null;
    const others = rivals.filter((entry) => entry !== superseded);
    if (others.length >= limit) throw new ProblemError("CONFLICT", "Too many connections of this user");
    const entry = this.entries.get(record.connectionId);
    this.remember({ record, servers: entry?.servers ?? null, superseded: false });
    if (superseded) superseded.superseded = true;
    return { superseded: superseded?.record ?? null, others: others.map(({ record: other }) => other) };
  }

  async unregister(connectionId: string): Promise<readonly Departure[]> {
    const entry = this.entries.get(connectionId);
    if (!entry) return [];
    const { oderId } = entry.record;
    const departures = [...(entry.servers ?? [])]
      .filter((serverId) => this.depart(serverId, oderId))
      .map((serverId) => ({ serverId, oderId }));
    this.forget(entry);
    return departures;
  }

  async enter(
    serverId: string,
    connectionId: string,
  ): Promise<{ first: boolean; occupants: readonly Occupant[] }> {
    const entry = this.entries.get(connectionId);
    if (!entry) throw new ProblemError("UNAVAILABLE", "The connection is not registered");
    const room = this.rooms.get(serverId) ?? new Map<string, number>();
    this.rooms.set(serverId, room);
    const count = room.get(entry.record.oderId) ?? 0;
    entry.servers ??= new Set();
    if (!entry.servers.has(serverId)) {
      entry.servers.add(serverId);
      room.set(entry.record.oderId, count + 1);
    }
    return { first: count === 0, occupants: [...room.keys()].flatMap((oderId) => this.occupant(oderId)) };
  }

  async leave(serverId: string, connectionId: string): Promise<boolean> {
    const entry = this.entries.get(connectionId);
    if (!entry?.servers?.delete(serverId)) return false;
    return this.depart(serverId, entry.record.oderId);
  }

  async setStatus(oderId: string, status: UserStatus, statusText: string | null): Promise<void> {
    const user = this.users.get(oderId);
    if (user) Object.assign(user, { status, statusText });
  }

  async setDisplayName(oderId: string, displayName: string): Promise<void> {
    const user = this.users.get(oderId);
    if (user) user.displayName = displayName;
  }

  async serversOf(oderId: string): Promise<readonly string[]> {
    const connections = this.users.get(oderId)?.connections ?? [];
    return [...new Set(connections.flatMap((entry) => [...(entry.servers ?? [])]))];
  }

  async online(serverIds: readonly string[]): Promise<Readonly<Record<string, number>>> {
    return Object.fromEntries(serverIds.map((serverId) => [serverId, this.rooms.get(serverId)?.size ?? 0]));
  }

  async renew(nodeId: string, ttlMs: number): Promise<void> {
    this.nodes.set(nodeId, this.clock.now() + ttlMs);
  }

  async reap(): Promise<readonly Departure[]> {
    const now = this.clock.now();
    const dead = new Set([...this.nodes].filter(([, until]) => until <= now).map(([nodeId]) => nodeId));
    if (dead.size === 0) return [];
    for (const nodeId of dead) this.nodes.delete(nodeId);
    const orphans = [...this.entries.values()].filter(({ record }) => dead.has(record.nodeId));
    return (await Promise.all(orphans.map(({ record }) => this.unregister(record.connectionId)))).flat();
  }

  private remember(entry: Entry): void {
    const { record } = entry;
    const known = this.entries.get(record.connectionId);
    this.entries.set(record.connectionId, entry);
    const user = this.users.get(record.oderId);
    if (!user) {
      const fresh = { displayName: record.displayName, status: "online" as const, statusText: null };
      this.users.set(record.oderId, { ...fresh, connections: [entry] });
      return;
    }
    user.displayName = record.displayName;
    const index = known ? user.connections.indexOf(known) : -1;
    if (index >= 0) user.connections[index] = entry;
    else user.connections.push(entry);
  }

  private forget(entry: Entry): void {
    const { connectionId, oderId } = entry.record;
    this.entries.delete(connectionId);
    const user = this.users.get(oderId);
    if (!user) return;
    user.connections.splice(user.connections.indexOf(entry), 1);
    if (user.connections.length === 0) this.users.delete(oderId);
  }

  /** Takes one of the user's connections out of the room's count; true when it was the last. */
  private depart(serverId: string, oderId: string): boolean {
    const room = this.rooms.get(serverId);
    const count = room?.get(oderId) ?? 0;
    if (!room || count === 0) return false;
    if (count > 1) {
      room.set(oderId, count - 1);
      return false;
    }
    room.delete(oderId);
    if (room.size === 0) this.rooms.delete(serverId);
    return true;
  }

  private occupant(oderId: string): Occupant[] {
    const user = this.users.get(oderId);
    if (!user) return [];
    const { displayName, status, statusText } = user;
    return [{ oderId, displayName, status, statusText }];
  }
}

const sameTuple = (one: ConnectionRecord, other: ConnectionRecord): boolean =>
  one.clientInstanceId === other.clientInstanceId && one.connectionScope === other.connectionScope;
