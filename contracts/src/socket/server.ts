import type { MembershipEndReason } from "../bus/discovery.ts";
import type { AuthInvalidReason, ErrorCode, InputIssue } from "../errors.ts";
import type { ClientLimits } from "../limits.ts";
import type { AccessRequest, Channel, Role, Server } from "../servers.ts";
import type { DeviceInfo, UserStatus } from "./client.ts";

/** VO1: where a user's voice is. `fence` grows with every change of owner. */
export interface VoiceOwnership {
  readonly ownerClientInstanceId: string;
  readonly fence: number;
  readonly serverId: string;
  readonly channelId: string;
}

/** A user's voice as the others in the room see it. */
export interface VoicePresence {
  readonly channelId: string;
  readonly muted: boolean;
  readonly deafened: boolean;
}

/** WS8: somebody in a room, however many devices they are there with. */
export interface RoomUser {
  readonly oderId: string;
  /** AB8: unique in the instance; shown beside the display name wherever two could be confused. */
  readonly username: string;
  readonly displayName: string;
  readonly status: UserStatus;
  readonly statusText?: string;
  readonly voice?: VoicePresence;
}

/** What the server adds to what it relays (rules WS9, WS10, AS1). */
export interface RelayStamp {
  readonly fromUserId: string;
  readonly fromUsername: string;
  /** AB8: the account's name, whatever the client wrote. */
  readonly fromDisplayName: string;
  /** Epoch ms of the server. */
  readonly sentAt: number;
}

/** WS5: the two answers that make a client look at its credential. */
export interface AuthFailure {
  readonly type: "auth_required" | "auth_error";
  readonly code: "AUTH_REQUIRED" | "AUTH_INVALID";
  readonly message: string;
  readonly reason: AuthInvalidReason | "missing";
  readonly requestId?: string;
  readonly inReplyTo?: string;
}

/** ER2 */
export interface SocketError {
  readonly type: "error";
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  readonly requestId?: string;
  readonly inReplyTo?: string;
  readonly errors?: readonly InputIssue[];
  /** Of `VOICE_NOT_OWNER` and `STALE_FENCE`. */
  readonly ownerClientInstanceId?: string;
  readonly fence?: number;
}

/** Every message the server itself makes; relayed client messages come on top, with a {@link RelayStamp}. */
export type ServerMessage =
  | {
      readonly type: "identified";
      readonly oderId: string;
      readonly username: string;
      /** AB8: the account's, whatever `identify` said. */
      readonly displayName: string;
      readonly connectionId: string;
      readonly clientInstanceId: string;
      readonly connectionScope: string | null;
      readonly sessionExpiresAt: number;
      readonly serverTime: number;
      readonly heartbeatMs: number;
      readonly limits: ClientLimits;
      /** The account's voice, where one of its devices has it. */
      readonly voice?: VoiceOwnership;
      readonly requestId?: string;
    }
  | AuthFailure
  | SocketError
  /** WS9: handed to the cluster. `fence` answers `voice_state` and `voice_client_takeover`. */
  | { readonly type: "ack"; readonly requestId?: string; readonly inReplyTo: string; readonly fence?: number }
  | { readonly type: "pong"; readonly serverTime: number; readonly requestId?: string }
  | {
      readonly type: "server_joined";
      readonly serverId: string;
      readonly users: readonly RoomUser[];
      readonly channels: readonly Channel[];
      readonly requestId?: string;
    }
  | { readonly type: "server_left"; readonly serverId: string; readonly requestId?: string }
  | { readonly type: "user_joined"; readonly serverId: string; readonly user: RoomUser }
  | { readonly type: "user_left"; readonly serverId: string; readonly oderId: string }
  | { readonly type: "user_updated"; readonly oderId: string; readonly displayName: string }
  | { readonly type: "removed_from_server"; readonly serverId: string; readonly reason: MembershipEndReason }
  | { readonly type: "server_updated"; readonly server: Server }
  | {
      readonly type: "member_updated";
      readonly serverId: string;
      readonly userId: string;
      readonly displayName: string;
      readonly role: Role;
    }
  | { readonly type: "access_request"; readonly request: AccessRequest }
  /** WS7 */
  | {
      readonly type: "account_sync_peer_online";
      readonly clientInstanceId: string;
      readonly connectionId: string;
      readonly device: DeviceInfo;
      readonly responder: boolean;
    }
  /** VO2: to all of the user's connections; all `null` but `fence` when nobody owns voice any more. */
  | {
      readonly type: "voice_client_takeover";
      readonly ownerClientInstanceId: string | null;
      readonly fence: number;
      readonly serverId: string | null;
      readonly channelId: string | null;
    }
  /** AB11: another device signed in to the account. */
  | {
      readonly type: "session_opened";
      readonly sessionId: string;
      readonly openedAt: number;
      readonly deviceName: string | null;
      readonly ip: string | null;
      readonly userAgent: string | null;
    }
  /** WS6: another connection identified with the same tuple. */
  | { readonly type: "superseded"; readonly clientInstanceId: string }
  /** WS15 */
  | { readonly type: "server_draining"; readonly retryInMs: number }
  /** WS14: sent before every close, because Socket.IO hides the code. */
  | {
      readonly type: "closing";
      readonly closeCode: number;
      readonly reason: string;
      readonly message: string;
      /** Whether to dial again by itself. */
      readonly reconnect: boolean;
      readonly retryInMs?: number;
    };

export type ServerMessageType = ServerMessage["type"];
