import type { DeviceInfo, UserStatus } from "@hearth/contracts";
import type { Change } from "../carrier/carrier.ts";

/** An identified connection, on any node of the cluster. */
export interface ConnectionRecord {
  readonly connectionId: string;
  readonly nodeId: string;
  readonly oderId: string;
  readonly connectionScope: string | null;
  readonly clientInstanceId: string;
  readonly device: DeviceInfo;
  readonly username: string;
  readonly displayName: string;
}

/** A user in a room, with one or more devices. */
export interface Occupant {
  readonly oderId: string;
  readonly username: string;
  readonly displayName: string;
  readonly status: UserStatus;
  readonly statusText: string | null;
}

export interface Registered {
  readonly outcome: "registered";
  /** The connection that held the same (`oderId`, `connectionScope`, `clientInstanceId`) until now (rule WS6). */
  readonly superseded: ConnectionRecord | null;
  /** The user's other connections, longest identified first. */
  readonly others: readonly ConnectionRecord[];
}

/** `full`: the user has the maximum of connections. `superseded`: a newer connection has taken this one's tuple. */
export type Registration = Registered | { readonly outcome: "full" | "superseded" };

/** A user who left a room. */
export interface Departure extends Omit<Change, "about"> {
  readonly serverId: string;
}

export interface Entry {
  /** The version of this change if no other connection of the user was in the room, else `null`. */
  readonly arrival: number | null;
  /** All users in the room, this one included. */
  readonly occupants: readonly Occupant[];
}

/** The answer to a node's renewal. */
export interface Renewal {
  /** False if the node is new, or was taken for dead so that its connections were forgotten. */
  readonly known: boolean;
  /** True if there is no other node, and none that the roster may have forgotten within the time to live of a node. */
  readonly alone: boolean;
  /** WS6: the node's connections that lost their tuple and are still registered, in case the node missed that. */
  readonly superseded: readonly ConnectionRecord[];
}

/**
 * The connections of the whole cluster, and the rooms they are in. Every call is atomic: if two connections register one
 * tuple at once, exactly one learns of the other; and exactly one call learns that it was a user's first entry to a room or
 * last departure from it. The versions of these changes grow, even if the roster has lost everything else in between.
 */
export interface Roster {
  /** True if it served the last call and is connected; part of readiness. */
  readonly ready: boolean;
  /** Registers a connection, or changes its record; it stays in its rooms. */
  register(record: ConnectionRecord, limit: number): Promise<Registration>;
  /**
   * Forgets a connection and takes it out of its rooms. Returns a departure for each room where it was the user's last
   * connection. A superseded connection stays in its rooms until then.
   */
  unregister(connectionId: string): Promise<readonly Departure[]>;
  /** Rejects with `UNAVAILABLE` if the connection is not registered. */
  enter(serverId: string, connectionId: string): Promise<Entry>;
  /** Returns a departure if this connection was the user's last one in the room. */
  leave(serverId: string, connectionId: string): Promise<Departure | null>;
  /** Kept as long as the user has a connection. */
  setStatus(oderId: string, status: UserStatus, statusText: string | null): Promise<void>;
  setDisplayName(oderId: string, displayName: string): Promise<void>;
  /** The servers in whose rooms the user is. */
  serversOf(oderId: string): Promise<readonly string[]>;
  /** The number of users in each room; empty rooms may be left out. */
  online(serverIds: readonly string[]): Promise<Readonly<Record<string, number>>>;
  /** Keeps a node alive for `ttlMs`. */
  renew(nodeId: string, ttlMs: number): Promise<Renewal>;
  /** Forgets the connections of nodes that stopped renewing. Returns each departure to one caller only. */
  reap(): Promise<readonly Departure[]>;
}
