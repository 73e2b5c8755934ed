import { ProblemError, type UserStatus } from "@hearth/contracts";
import type { Clock } from "@hearth/runtime";
import type {
  ConnectionRecord,
  Departure,
  Entry,
  Occupant,
  Registration,
  Renewal,
  Roster,
} from "./roster.ts";

interface Registrant {
  record: ConnectionRecord;
  servers: Set<string> | null;
}

interface User {
  readonly username: string;
  displayName: string;
  status: UserStatus;
  statusText: string | null;
  /** In order of identification; a handful, so a list is smaller and as fast as a map. */
  readonly connections: Registrant[];
}

/** More than one process makes in a millisecond, so that versions never run ahead of the clock. */
const CHANGES_PER_MS = 1_000;

/** The embedded twin: this process is the whole cluster. */
export const createMemoryRoster = (clock: Clock): Roster => new MemoryRoster(clock);

class MemoryRoster implements Roster {
  readonly ready = true;
  private readonly entries = new Map<string, Registrant>();
  /** Connections that lost their tuple to a newer one, and have to leave their rooms. */
  private readonly superseded = new Set<Registrant>();
  private readonly users = new Map<string, User>();
  /** Connections per user in each room. */
  private readonly rooms = new Map<string, Map<string, number>>();
  private readonly nodes = new Map<string, number>();
  private readonly clock: Clock;
  private version = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  async register(record: ConnectionRecord, limit: number): Promise<Registration> {
    const entry = this.entries.get(record.connectionId);
    if (entry && this.superseded.has(entry)) return { outcome: "superseded" };
    const rivals = (this.users.get(record.oderId)?.connections ?? []).filter(
      (rival) => rival !== entry && !this.superseded.has(rival),
    );
    const older = rivals.find((rival) => sameTuple(rival.record, record)) ?? null;
    const others = rivals.filter((rival) => rival !== older).map((other) => other.record);
    if (others.length >= limit) return { outcome: "full" };
    this.remember(entry, record);
    if (older) this.superseded.add(older);
    return { outcome: "registered", superseded: older?.record ?? null, others };
  }

  async unregister(connectionId: string): Promise<readonly Departure[]> {
    return this.withdraw(connectionId);
  }

  async enter(serverId: string, connectionId: string): Promise<Entry> {
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
    const arrival = count === 0 ? this.nextVersion() : null;
    return { arrival, occupants: [...room.keys()].flatMap((oderId) => this.occupant(oderId)) };
  }

  async leave(serverId: string, connectionId: string): Promise<Departure | null> {
    const entry = this.entries.get(connectionId);
    if (!entry?.servers?.delete(serverId)) return null;
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

  async renew(nodeId: string, ttlMs: number): Promise<Renewal> {
    const known = this.nodes.has(nodeId);
    this.nodes.set(nodeId, this.clock.now() + ttlMs);
    const superseded = [...this.superseded].map(({ record }) => record);
    // A late node may come back with its connections until it is reaped.
    const alone = this.nodes.size === 1;
    return { known, alone, superseded: superseded.filter((record) => record.nodeId === nodeId) };
  }

  async reap(): Promise<readonly Departure[]> {
    const now = this.clock.now();
    const dead = new Set([...this.nodes].filter(([, until]) => until <= now).map(([nodeId]) => nodeId));
    if (dead.size === 0) return [];
    for (const nodeId of dead) this.nodes.delete(nodeId);
    const orphans = [...this.entries.values()].filter(({ record }) => dead.has(record.nodeId));
    return orphans.flatMap(({ record }) => this.withdraw(record.connectionId));
  }

  private remember(known: Registrant | undefined, record: ConnectionRecord): void {
    const user = this.users.get(record.oderId);
    if (user) user.displayName = record.displayName;
    if (known) {
      known.record = record;
      return;
    }
    const entry = { record, servers: null };
    this.entries.set(record.connectionId, entry);
    if (user) user.connections.push(entry);
    else this.users.set(record.oderId, newUser(record, entry));
  }

  private withdraw(connectionId: string): Departure[] {
    const entry = this.entries.get(connectionId);
    if (!entry) return [];
    const { oderId } = entry.record;
    const departures = [...(entry.servers ?? [])].map((serverId) => this.depart(serverId, oderId));
    this.forget(entry);
    return departures.filter((departure) => departure !== null);
  }

  private forget(entry: Registrant): void {
    const { connectionId, oderId } = entry.record;
    this.entries.delete(connectionId);
    this.superseded.delete(entry);
    const user = this.users.get(oderId);
    if (!user) return;
    user.connections.splice(user.connections.indexOf(entry), 1);
    if (user.connections.length === 0) this.users.delete(oderId);
  }

  /** Takes one of the user's connections out of the room's count. */
  private depart(serverId: string, oderId: string): Departure | null {
    const room = this.rooms.get(serverId);
    const count = room?.get(oderId) ?? 0;
    if (!room || count === 0) return null;
    if (count > 1) {
      room.set(oderId, count - 1);
      return null;
    }
    room.delete(oderId);
    if (room.size === 0) this.rooms.delete(serverId);
    return { serverId, oderId, version: this.nextVersion() };
  }

  /** Starts from the clock, so that it grows across restarts too. */
  private nextVersion(): number {
    this.version = Math.max(this.version + 1, this.clock.now() * CHANGES_PER_MS);
    return this.version;
  }

  private occupant(oderId: string): Occupant[] {
    const user = this.users.get(oderId);
    if (!user) return [];
    const { username, displayName, status, statusText } = user;
    return [{ oderId, username, displayName, status, statusText }];
  }
}

const newUser = ({ username, displayName }: ConnectionRecord, first: Registrant): User => ({
  username,
  displayName,
  status: "online",
  statusText: null,
  connections: [first],
});

const sameTuple = (one: ConnectionRecord, other: ConnectionRecord): boolean =>
  one.clientInstanceId === other.clientInstanceId && one.connectionScope === other.connectionScope;
