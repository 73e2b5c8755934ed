import {
  accessRequestSchema,
  channelSchema,
  CLIENT_MESSAGES,
  isClientMessageType,
  isErrorCode,
  serverSchema,
} from "@hearth/contracts";
import type { ErrorCode } from "@hearth/contracts";
import { z } from "zod";
import type { Incoming } from "./connection.ts";

const id = z.string().max(128);
const requestId = id.optional();
const inReplyTo = id.optional();
const milliseconds = z.number().nonnegative();
const errorCode = z.custom<ErrorCode>(isErrorCode);
const role = z.enum(["owner", "moderator", "member"]);
const issues = z.array(z.object({ path: z.string(), message: z.string() }));

const authFailure = {
  code: z.enum(["AUTH_REQUIRED", "AUTH_INVALID"]),
  message: z.string(),
  reason: z.enum(["unknown", "expired", "revoked", "mismatch", "missing"]),
  requestId,
  inReplyTo,
};

/** AB8; empty where an older server does not tell it. */
const username = z.string().max(128).default("");

const roomUser = z.object({
  oderId: id,
  username,
  displayName: z.string(),
  status: z.enum(["online", "away", "busy"]),
  statusText: z.string().optional(),
  voice: z.object({ channelId: id, muted: z.boolean(), deafened: z.boolean() }).optional(),
});

const limits = z.object({
  messageBytes: z.number().positive(),
  accountSyncBytes: z.number().positive(),
  messagesPerSecond: z.number().positive(),
  burst: z.number().min(1),
});

/** Every message that a server itself makes. A server is not trusted: what does not fit is as if it had not come. */
const SERVER_MESSAGES = {
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
    limits,
    requestId,
  }),
  auth_required: z.object(authFailure),
  auth_error: z.object(authFailure),
  error: z.looseObject({
    code: errorCode,
    message: z.string(),
    retryable: z.boolean(),
    retryAfterMs: milliseconds.optional(),
    requestId,
    inReplyTo,
    errors: issues.optional(),
  }),
  ack: z.looseObject({ requestId, inReplyTo: id, fence: z.number().optional() }),
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
  removed_from_server: z.object({ serverId: id, reason: z.enum(["removed", "banned", "left", "deleted"]) }),
  server_updated: z.object({ server: serverSchema }),
  member_updated: z.object({ serverId: id, userId: id, displayName: z.string(), role }),
  access_request: z.object({ request: accessRequestSchema }),
  account_sync_peer_online: z.object({
    clientInstanceId: id,
    connectionId: id,
    device: z.looseObject({ name: z.string().optional(), kind: z.string().optional() }),
    responder: z.boolean(),
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
    retryInMs: milliseconds.optional(),
  }),
} as const;

const takeover = z.object({
  ownerClientInstanceId: id.nullable(),
  fence: z.number(),
  serverId: id.nullable(),
  channelId: id.nullable(),
});

const envelope = z.looseObject({ type: z.string() });
const stamp = z.looseObject({
  fromUserId: id,
  fromUsername: username,
  fromDisplayName: z.string().default(""),
  sentAt: z.number().default(0),
});

const isServerType = (type: string): type is keyof typeof SERVER_MESSAGES =>
  Object.hasOwn(SERVER_MESSAGES, type);

type Checked = { readonly success: true; readonly data: object } | { readonly success: false };

/** What the server passes on is checked with the schema that it checks with, and carries its stamp (rule WS9). */
function checkRelayed(type: string, message: object): Checked {
  if (!isClientMessageType(type)) return { success: false };
  const checked = CLIENT_MESSAGES[type].safeParse(message);
  const stamped = stamp.safeParse(checked.data);
  return stamped.success ? stamped : { success: false };
}

function check(type: string, message: object): Checked {
  if (isServerType(type)) return SERVER_MESSAGES[type].safeParse(message);
  // Said by the server itself; what a device sends under this name is never passed on.
  if (type === "voice_client_takeover") return takeover.safeParse(message);
  return checkRelayed(type, message);
}

/** What a frame says, or `null` for what is no message of this product. */
export function readFrame(data: unknown): Incoming | null {
  if (typeof data !== "string") return null;
  try {
    const message = envelope.parse(JSON.parse(data));
    const { type } = message;
    const checked = check(type, message);
    return checked.success ? ({ ...checked.data, type } as Incoming) : null;
  } catch {
    return null;
  }
}
