import { z } from "zod";
import { membershipEndReasonSchema } from "../bus/discovery.ts";
import type { MembershipEndReason } from "../bus/discovery.ts";
import { AUTH_INVALID_REASONS, isErrorCode } from "../errors.ts";
import type { AuthInvalidReason, ErrorCode, InputIssue } from "../errors.ts";
import type { ClientLimits } from "../limits.ts";
import { accessRequestSchema, channelSchema, roleSchema, serverSchema } from "../servers.ts";
import type { AccessRequest, Channel, Role, Server } from "../servers.ts";
import { DEVICE_KINDS, USER_STATUSES } from "./client.ts";
import type { DeviceInfo, UserStatus } from "./client.ts";

/** VO1: the device that owns a user's voice, and the channel. `fence` grows with every change of owner. */
export interface VoiceOwnership {
  readonly ownerClientInstanceId: string;
  readonly fence: number;
  readonly serverId: string;
  readonly channelId: string;
}

/** A user's voice state as others in the room see it. */
export interface VoicePresence {
  readonly channelId: string;
  readonly muted: boolean;
  readonly deafened: boolean;
}

/** WS8: a user in a room, once for all of their devices. */
export interface RoomUser {
  readonly oderId: string;
  /** AB8: unique in the instance; shown beside a display name that could be mistaken for another. */
  readonly username: string;
  readonly displayName: string;
  readonly status: UserStatus;
  readonly statusText?: string;
  readonly voice?: VoicePresence;
}

/** Fields that the server adds to every relayed message (rules WS9, WS10, AS1). */
export interface RelayStamp {
  readonly fromUserId: string;
  readonly fromUsername: string;
  /** AB8: the account's display name; the server ignores the client's. */
  readonly fromDisplayName: string;
  /** Epoch ms on the server's clock. */
  readonly sentAt: number;
}

/** WS5: the client's credential is missing or was refused. */
export interface AuthFailure {
  readonly type: "auth_required" | "auth_error";
  readonly code: "AUTH_REQUIRED" | "AUTH_INVALID";
  readonly message: string;
  readonly reason: AuthInvalidReason | "missing";
  readonly requestId?: string;
  readonly inReplyTo?: string;
}

/** ER2: a refused message. */
export interface SocketError {
  readonly type: "error";
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  readonly requestId?: string;
  readonly inReplyTo?: string;
  readonly errors?: readonly InputIssue[];
  /** With `VOICE_NOT_OWNER` and `STALE_FENCE`. */
  readonly ownerClientInstanceId?: string;
  readonly fence?: number;
}

/** Messages from the server itself. It also relays messages of other clients, with a {@link RelayStamp}. */
export type ServerMessage =
  | {
      readonly type: "identified";
      readonly oderId: string;
      readonly username: string;
      /** AB8: the account's; the server ignores the one in `identify`. */
      readonly displayName: string;
      readonly connectionId: string;
      readonly clientInstanceId: string;
      readonly connectionScope: string | null;
      readonly sessionExpiresAt: number;
      readonly serverTime: number;
      readonly heartbeatMs: number;
      readonly limits: ClientLimits;
      /** Present while one of the account's devices owns its voice. */
      readonly voice?: VoiceOwnership;
      readonly requestId?: string;
    }
  | AuthFailure
  | SocketError
  /** WS9: the message was handed to the cluster. `fence` is set for `voice_state` and `voice_client_takeover`. */
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
  /** WS7: another device of the account came online. */
  | {
      readonly type: "account_sync_peer_online";
      readonly clientInstanceId: string;
      readonly connectionId: string;
      readonly device: DeviceInfo;
      readonly responder: boolean;
    }
  /** VO2: to all of the user's connections. All fields but `fence` are `null` when no device owns voice any more. */
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
  /** WS6: another connection identified with the same user, client instance and scope. */
  | { readonly type: "superseded"; readonly clientInstanceId: string }
  /** WS15: this node shuts down soon. */
  | { readonly type: "server_draining"; readonly retryInMs: number }
  /** WS14: sent before every close, because Socket.IO does not expose the close code. */
  | {
      readonly type: "closing";
      readonly closeCode: number;
      readonly reason: string;
      readonly message: string;
      /** Whether the client may reconnect by itself. */
      readonly reconnect: boolean;
      readonly retryInMs?: number;
    };

export type ServerMessageType = ServerMessage["type"];

const id = z.string().max(128);
const requestId = id.exactOptional();
const inReplyTo = id.exactOptional();
const milliseconds = z.number().nonnegative();

/** AB8; empty where an older server does not send it. */
const username = z.string().max(128).default("");

const voiceOwnership = z.object({
  ownerClientInstanceId: id,
  fence: z.number(),
  serverId: id,
  channelId: id,
}) satisfies z.ZodType<VoiceOwnership>;

const roomUser = z.object({
  oderId: id,
  username,
  displayName: z.string(),
  status: z.enum(USER_STATUSES),
  statusText: z.string().exactOptional(),
  voice: z.object({ channelId: id, muted: z.boolean(), deafened: z.boolean() }).exactOptional(),
}) satisfies z.ZodType<RoomUser>;

const clientLimits = z.object({
  messageBytes: z.number().positive(),
  accountSyncBytes: z.number().positive(),
  messagesPerSecond: z.number().positive(),
  burst: z.number().min(1),
}) satisfies z.ZodType<ClientLimits>;

const authFailure = z.object({
  code: z.enum(["AUTH_REQUIRED", "AUTH_INVALID"]),
  message: z.string(),
  reason: z.enum([...AUTH_INVALID_REASONS, "missing"]),
  requestId,
  inReplyTo,
});

/** {@link RelayStamp}, as a client reads it from whatever server it is connected to. */
export const relayStampSchema = z.looseObject({
  fromUserId: id,
  fromUsername: username,
  fromDisplayName: z.string().default(""),
  sentAt: z.number().default(0),
}) satisfies z.ZodType<RelayStamp>;

/** The fields of a message beside its `type`. */
type Body<Type extends ServerMessageType> = Omit<ServerMessage & { readonly type: Type }, "type">;

/** A schema that names every field of a message, the optional ones included. */
type BodySchema<Type extends ServerMessageType> = z.ZodType<Body<Type>> & {
  readonly shape: Readonly<Record<keyof Body<Type>, z.ZodType>>;
};

/**
 * A schema of each {@link ServerMessage}, for clients: they do not trust a server and drop whatever does not fit.
 * Unknown fields are removed, except from the messages that may answer a request.
 */
export const SERVER_MESSAGES = {
  identified: z.looseObject({
    oderId: id,
    username,
    displayName: z.string(),
    connectionId: id,
    clientInstanceId: id,
    connectionScope: z.string().nullable(),
    sessionExpiresAt: z.number(),
    serverTime: z.number(),
    heartbeatMs: z.number().min(1_000),
    limits: clientLimits,
    voice: voiceOwnership.exactOptional(),
    requestId,
  }),
  auth_required: authFailure,
  auth_error: authFailure,
  error: z.looseObject({
    code: z.custom<ErrorCode>(isErrorCode),
    message: z.string(),
    retryable: z.boolean(),
    retryAfterMs: milliseconds.exactOptional(),
    requestId,
    inReplyTo,
    errors: z.array(z.object({ path: z.string(), message: z.string() })).exactOptional(),
    ownerClientInstanceId: id.exactOptional(),
    fence: z.number().exactOptional(),
  }),
  ack: z.looseObject({ requestId, inReplyTo: id, fence: z.number().exactOptional() }),
  pong: z.object({ serverTime: z.number(), requestId }),
  server_joined: z.object({
    serverId: id,
    users: z.array(roomUser),
    channels: z.array(channelSchema),
    requestId,
  }),
  server_left: z.object({ serverId: id, requestId }),
  user_joined: z.object({ serverId: id, user: roomUser }),
  user_left: z.object({ serverId: id, oderId: id }),
  user_updated: z.object({ oderId: id, displayName: z.string() }),
  removed_from_server: z.object({ serverId: id, reason: membershipEndReasonSchema }),
  server_updated: z.object({ server: serverSchema }),
  member_updated: z.object({ serverId: id, userId: id, displayName: z.string(), role: roleSchema }),
  access_request: z.object({ request: accessRequestSchema }),
  account_sync_peer_online: z.object({
    clientInstanceId: id,
    connectionId: id,
    device: z.looseObject({
      name: z.string().optional(),
      kind: z.enum(DEVICE_KINDS).optional().catch(undefined),
    }),
    responder: z.boolean(),
  }),
  voice_client_takeover: z.object({
    ownerClientInstanceId: id.nullable(),
    fence: z.number(),
    serverId: id.nullable(),
    channelId: id.nullable(),
  }),
  session_opened: z.object({
    sessionId: id,
    openedAt: milliseconds,
    deviceName: z.string().max(256).nullable(),
    ip: z.string().max(64).nullable(),
    userAgent: z.string().max(1_024).nullable(),
  }),
  superseded: z.object({ clientInstanceId: id }),
  server_draining: z.object({ retryInMs: milliseconds }),
  closing: z.object({
    closeCode: z.number(),
    reason: z.string(),
    message: z.string(),
    reconnect: z.boolean(),
    retryInMs: milliseconds.exactOptional(),
  }),
} as const satisfies { readonly [Type in ServerMessageType]: BodySchema<Type> };

export const isServerMessageType = (type: unknown): type is ServerMessageType =>
  typeof type === "string" && Object.hasOwn(SERVER_MESSAGES, type);
