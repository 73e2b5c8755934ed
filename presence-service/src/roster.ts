import type { DeviceInfo, UserStatus } from "@hearth/contracts";

/** An identified connection, wherever in the cluster it lives. */
export interface ConnectionRecord {
  readonly connectionId: string;
  readonly nodeId: string;
  readonly oderId: string;
  readonly connectionScope: string | null;
  readonly clientInstanceId: string;
  readonly device: DeviceInfo;
  readonly displayName: string;
}

/** A user in a room, whichever devices they are there with. */
export interface Occupant {
  readonly oderId: string;
  readonly displayName: string;
  readonly status: UserStatus;
  readonly statusText: string | null;
}

export interface Registration {
  /** The connection that held the same (`oderId`, `connectionScope`, `clientInstanceId`) until now (rule WS6). */
  readonly superseded: ConnectionRecord | null;
  /** The user's other connections, longest identified first. */
  readonly others: readonly ConnectionRecord[];
}

/** A user who is in a room no more. */
export interface Departure {
  readonly serverId: string;
  readonly oderId: string;
}

/**
 * Who is connected and who is in which room, for the whole cluster. Every call is atomic: of two connections
 * that register one tuple at the same moment exactly one is told of the other, and exactly one call hears that
 * it was a user's first entry to a room or last departure from it.
 */
export interface Roster {
  /** Rejects with `CONFLICT` when the user has `limit` other connections already. */
  register(record: ConnectionRecord, limit: number): Promise<Registration>;
  /**
   * Forgets a connection, with the rooms it is in. Answers the rooms where it was the user's last one. A
   * connection that was superseded or forgotten before has none left to give.
   */
  unregister(connectionId: string): Promise<readonly Departure[]>;
  /** `first` is true when none of the user's connections was in the room; `occupants` includes the user. */
  enter(serverId: string, connectionId: string): Promise<{ first: boolean; occupants: readonly Occupant[] }>;
  /** True when no connection of the user is left in the room, and this one was there. */
  leave(serverId: string, connectionId: string): Promise<boolean>;
  setStatus(oderId: string, status: UserStatus, statusText: string | null): Promise<void>;
  setDisplayName(oderId: string, displayName: string): Promise<void>;
  /** The servers in whose rooms the user is. */
  serversOf(oderId: string): Promise<readonly string[]>;
  /** Users in each room; rooms with nobody may be left out. */
  online(serverIds: readonly string[]): Promise<Readonly<Record<string, number>>>;
  /** Says that a node is alive, for `ttlMs`. */
  renew(nodeId: string, ttlMs: number): Promise<void>;
  /** Forgets the connections of nodes that stopped renewing; each departure is answered to one caller. */
  reap(): Promise<readonly Departure[]>;
}
