import { z } from "zod";
import { lineOfText, uuid } from "../text.ts";
import { syncEnvelopeFields } from "./account-sync.ts";

export const DEVICE_KINDS = ["desktop", "web", "mobile", "bot"] as const;

/** How a device describes itself in `identify`; shown to the account's other devices. */
export interface DeviceInfo {
  readonly name?: string | undefined;
  readonly kind?: (typeof DEVICE_KINDS)[number] | undefined;
}

export const deviceInfoSchema = z.object({
  name: lineOfText(1, 64).optional(),
  kind: z.enum(DEVICE_KINDS).optional(),
}) satisfies z.ZodType<DeviceInfo>;

/**
 * Unknown fields stay, because they are relayed unchanged. The `ack` or `error` that answers a message repeats its
 * `requestId` (rules ER2, WS9).
 */
const message = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.looseObject({ ...shape, requestId: z.string().min(1).max(128).optional() });

const identifier = z.string().min(1).max(128);
const inRoom = { serverId: uuid, channelId: uuid.optional() };
const toUser = { toUserId: uuid };
const toDevice = { toUserId: uuid, toClientInstanceId: uuid.optional() };
const chat = z.looseObject({ id: identifier, content: z.string() });
const revision = z.looseObject({});

const isNotBlank = (text: string): boolean => text.trim().length > 0;

const connectionScope = z
  .string()
  .max(512)
  .refine((text) => /^wss?:$/.test(URL.parse(text)?.protocol ?? ""), "must be a ws: or wss: URL");

export const USER_STATUSES = ["online", "away", "busy"] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

/** Every message a client may send, by its `type` (interface 6, rules WS3, WS8–WS12, AS1, VO1, VO2). */
export const CLIENT_MESSAGES = {
  identify: message({
    token: z.unknown().optional(),
    oderId: z.string().max(128).optional(),
    /** Ignored (rule AB8). Accepts names that today's rules forbid, so that older clients can identify. */
    displayName: lineOfText(1, 64).refine(isNotBlank, "must not be blank").optional(),
    connectionScope: connectionScope.optional(),
    clientInstanceId: uuid.optional(),
    device: deviceInfoSchema.optional(),
  }),
  ping: message({}),
  join_server: message({ serverId: uuid }),
  leave_server: message({ serverId: uuid }),
  chat_message: message({ ...inRoom, message: chat }),
  message_revision: message({ ...inRoom, messageId: identifier, revision }),
  message_delete: message({ ...inRoom, messageId: identifier }),
  reaction: message({
    ...inRoom,
    messageId: identifier,
    emoji: z.string().min(1).max(128),
    action: z.enum(["add", "remove"]).default("add"),
  }),
  user_typing: message({ ...inRoom, isTyping: z.boolean().default(true) }),
  status_update: message({
    serverId: uuid.optional(),
    status: z.enum(USER_STATUSES),
    statusText: lineOfText(0, 128).optional(),
  }),
  voice_state: message({
    serverId: uuid,
    channelId: uuid.nullable(),
    fence: z.int().optional(),
    muted: z.boolean().optional(),
    deafened: z.boolean().optional(),
  }),
  voice_client_takeover: message({
    serverId: uuid.optional(),
    channelId: uuid.optional(),
    fence: z.int().optional(),
  }),
  direct_message: message({ ...toUser, message: chat }),
  direct_message_revision: message({ ...toUser, messageId: identifier, revision }),
  direct_typing: message({ ...toUser, isTyping: z.boolean().default(true) }),
  direct_call: message(toDevice),
  server_icon_request: message({ ...toDevice, serverId: uuid }),
  server_icon_full: message({ ...toDevice, serverId: uuid }),
  server_icon_chunk: message({ ...toDevice, serverId: uuid }),
  offer: message(toDevice),
  answer: message(toDevice),
  ice_candidate: message(toDevice),
  account_sync: message(syncEnvelopeFields),
} as const;

export type ClientMessageType = keyof typeof CLIENT_MESSAGES;

/** A validated message from a client. */
export type ClientMessage<Type extends ClientMessageType = ClientMessageType> = {
  [Key in Type]: z.output<(typeof CLIENT_MESSAGES)[Key]> & { readonly type: Key };
}[Type];

export const isClientMessageType = (type: unknown): type is ClientMessageType =>
  typeof type === "string" && Object.hasOwn(CLIENT_MESSAGES, type);
