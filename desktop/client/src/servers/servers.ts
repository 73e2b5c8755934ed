import type { Ban, Channel, JoinedServer, Member, RoomUser, UserStatus } from "@hearth/contracts";
import type { DeviceRoom } from "@hearth/device";
import type { Readable } from "../observable.ts";

/** Whether the account is in a saved server. */
export type JoinState =
  | "unknown"
  | "joining"
  | "joined"
  | "offline"
  | "needs-sign-in"
  | "needs-invite"
  | "banned"
  | "gone";

/** A server in the rail, saved on this device. */
export interface SavedServer {
  readonly room: DeviceRoom;
  readonly joinState: JoinState;
  /** Present users by id; empty until the server is joined. */
  readonly present: ReadonlyMap<string, RoomUser>;
}

export interface ServersState {
  readonly phase: "loading" | "ready";
  /** By server id. The rail groups them by `room.signalServerUrl` and sorts by `joinedAt`. */
  readonly servers: ReadonlyMap<string, SavedServer>;
}

/** A server that disappeared without the user's action, to be reported. */
export interface ServerLost {
  readonly roomId: string;
  readonly name: string;
  readonly reason: "removed" | "banned" | "deleted" | "left";
}

/** Whether a list is complete, so that missing entries can be removed. */
export type ListReach = "whole" | "part";

/**
 * The account's servers: the stored records, what `GET /api/servers/mine` returns on each instance, and who is
 * present. Joins every server after each identify. Creating and joining on a foreign instance first ensures the
 * account there; the actor is the account's user there.
 */
export interface Servers {
  readonly state: Readable<ServersState>;
  /** As the user chose it, online or not. */
  readonly status: Readable<UserStatus>;
  onLost(listener: (lost: ServerLost) => void): () => void;
  /** Stores the instance's answer, joins on the socket, and syncs to the other devices (`saved-room-sync`). */
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
  /**
   * Leaves on the instance, removes it here and on the other devices (`saved-room-remove`); also works for a server
   * that is gone.
   */
  leave(roomId: string): Promise<void>;
  /** Changes by the owner or a moderator, based on the version that was read (rule DI8). */
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
  /** Stores what the instance's member list said. Ignores storage failures, because lists are read again. */
  keepMembers(roomId: string, members: readonly Member[], reach: ListReach): Promise<void>;
  /** The same for bans. */
  keepBans(roomId: string, bans: readonly Ban[], reach: ListReach): Promise<void>;
}
