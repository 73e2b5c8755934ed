import type { Ban, Channel, JoinedServer, Member, RoomUser, UserStatus } from "@hearth/contracts";
import type { DeviceRoom } from "@hearth/device";
import type { Readable } from "../observable.ts";

/** How a saved room stands with its server. */
export type JoinState =
  | "unknown"
  | "joining"
  | "joined"
  | "offline"
  | "needs-sign-in"
  | "needs-invite"
  | "banned"
  | "gone";

/** A server of chat in the rail, saved on this device. */
export interface SavedServer {
  readonly room: DeviceRoom;
  readonly joinState: JoinState;
  /** Who is in it now, by user id; empty until it was joined. */
  readonly present: ReadonlyMap<string, RoomUser>;
}

export interface ServersState {
  readonly phase: "loading" | "ready";
  /** By room id; in the rail they are grouped by `room.signalServerUrl` and sorted by `joinedAt`. */
  readonly servers: ReadonlyMap<string, SavedServer>;
}

/** Why a place went away by itself, to be told. */
export interface ServerLost {
  readonly roomId: string;
  readonly name: string;
  readonly reason: "removed" | "banned" | "deleted" | "left";
}

/** Whether a list has everybody, so that whoever it lacks is gone. */
export type ListReach = "whole" | "part";

/**
 * The servers of chat of the account: what is stored, what `GET /api/servers/mine` says of each signaling server, and who
 * is there. Joins every room after each identify. Creating and joining on a foreign server first makes sure of the account
 * there; the actor is the account's user there.
 */
export interface Servers {
  readonly state: Readable<ServersState>;
  /** As the person chose it, whether or not anybody sees it. */
  readonly status: Readable<UserStatus>;
  onLost(listener: (lost: ServerLost) => void): () => void;
  /** The server's answer of a create or join: stored, joined on the socket, told to the siblings (`saved-room-sync`). */
  create(
    signalServerUrl: string,
    server: {
      readonly name: string;
      readonly description?: string;
      readonly visibility?: DeviceRoom["visibility"];
      readonly tags?: readonly string[];
    },
  ): Promise<JoinedServer>;
  join(signalServerUrl: string, serverId: string, inviteCode?: string): Promise<JoinedServer>;
  /** Leaves on the server, forgets here and on the siblings (`saved-room-remove`); also for a place that is gone. */
  leave(roomId: string): Promise<void>;
  /** The owner's or moderator's changes, by the version that was read (rule DI8). */
  update(
    roomId: string,
    changes: {
      readonly name?: string;
      readonly description?: string;
      readonly visibility?: DeviceRoom["visibility"];
      readonly tags?: readonly string[];
      readonly channels?: readonly {
        readonly id?: string;
        readonly name: string;
        readonly kind?: Channel["kind"];
      }[];
    },
  ): Promise<void>;
  remove(roomId: string): Promise<void>;
  mute(roomId: string, muted: boolean): Promise<void>;
  setStatus(status: UserStatus): void;
  /** Keeps what the server's list of members said; trouble with the store is passed over, as lists are read again. */
  keepMembers(roomId: string, members: readonly Member[], reach: ListReach): Promise<void>;
  /** The same for bans. */
  keepBans(roomId: string, bans: readonly Ban[], reach: ListReach): Promise<void>;
}
