import type { DeviceInfo, UserStatus } from "@hearth/contracts";
import type { Change } from "../carrier/carrier.ts";

/** An identified connection, wherever in the cluster it lives. */
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

/** A user in a room, whichever devices they are there with. */
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

/** `full`: the user has as many others as allowed. `superseded`: a newer connection took this one's tuple before. */
export type Registration = Registered | { readonly outcome: "full" | "superseded" };

/** A user who left a room. */
export interface Departure extends Omit<Change, "about"> {
  readonly serverId: string;
}

export interface Entry {
  /** The version of this change where none of the user's connections was in the room before, else `null`. */
  readonly arrival: number | null;
  /** Everybody in the room, the user included. */
  readonly occupants: readonly Occupant[];
}

/** The answer to a node's renewal. */
export interface Renewal {
  /** False where the node is new here, or was taken for dead and its connections were forgotten. */
  readonly known: boolean;
  /** No other node is in the cluster, nor was one within the node's time to live that the roster may have forgotten. */
  readonly alone: boolean;
  /** The node's connections that lost their tuple and are still here, in case nobody could tell them (rule WS6). */
  readonly superseded: readonly ConnectionRecord[];
}

/**
 * Who is connected and who is in which room, for the whole cluster. Every call is atomic: of two connections
 * that register one tuple at the same moment exactly one is told of the other, and exactly one call hears that
 * it was a user's first entry to a room or last departure from it. The versions of these changes grow, also when
 * the roster has lost everything else in between.
 */
export interface Roster {
  /** Whether it served the last call, and could serve one now; part of readiness. */
  readonly ready: boolean;
  /** Registers a connection, or changes what it registered with; its rooms stay. */
  register(record: ConnectionRecord, limit: number): Promise<Registration>;
  /**
   * Forgets a connection, with the rooms it is in. Answers the rooms where it was the user's last one. A
   * connection that was superseded keeps its rooms until then.
   */
  unregister(connectionId: string): Promise<readonly Departure[]>;
  /** Rejects with `UNAVAILABLE` when the connection is not registered. */
  enter(serverId: string, connectionId: string): Promise<Entry>;
  /** Answers the departure when this connection was the user's last one in the room. */
  leave(serverId: string, connectionId: string): Promise<Departure | null>;
  /** Kept as long as the user has a connection. */
  setStatus(oderId: string, status: UserStatus, statusText: string | null): Promise<void>;
  setDisplayName(oderId: string, displayName: string): Promise<void>;
  /** The servers in whose rooms the user is. */
  serversOf(oderId: string): Promise<readonly string[]>;
  /** Users in each room; rooms with nobody may be left out. */
  online(serverIds: readonly string[]): Promise<Readonly<Record<string, number>>>;
  /** Says that a node is alive, for `ttlMs`. */
  renew(nodeId: string, ttlMs: number): Promise<Renewal>;
  /** Forgets the connections of nodes that stopped renewing; each departure is answered to one caller. */
  reap(): Promise<readonly Departure[]>;
}
