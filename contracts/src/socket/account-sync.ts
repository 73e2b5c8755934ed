import { z } from "zod";
import { uuid } from "../text.ts";

const identifier = z.string().min(1).max(128);
const chunk = z.looseObject({
  transferId: identifier,
  index: z.number(),
  total: z.number(),
  data: z.string(),
});

/** AS3: what the server knows of one attachment; never where a device keeps its bytes. */
export const attachmentMetaSchema = z.looseObject({
  id: identifier,
  filename: z.string().max(512).optional(),
  size: z.number().optional(),
  mime: z.string().max(256).optional(),
  hash: z.string().max(256).optional(),
});

/**
 * The payloads of `account_sync` that the server checks, by `payload.type` (interface 2.3, rule AS3). Fields
 * beyond these are relayed as they came, and so is a payload of any other type (rule AS2).
 */
export const SYNC_PAYLOADS = {
  "chat-message": z.looseObject({ message: z.looseObject({}) }),
  "message-revision": z.looseObject({
    roomId: identifier,
    messageId: identifier,
    revision: z.looseObject({}),
  }),
  "chat-sync-batch": z.looseObject({
    roomId: identifier,
    messages: z.array(z.looseObject({})),
    attachments: z.record(z.string(), z.array(attachmentMetaSchema)).optional(),
    final: z.boolean().optional(),
  }),
  "saved-room-sync": z.looseObject({ room: z.looseObject({}) }),
  "saved-room-remove": z.looseObject({ roomId: identifier }),
  "user-avatar-full": z.looseObject({ avatar: z.unknown().optional(), card: z.unknown().optional() }),
  "user-avatar-chunk": chunk,
  "custom-emoji-full": z.looseObject({ emoji: z.array(z.unknown()) }),
  "custom-emoji-chunk": chunk,
  "friend-added": z.looseObject({ friend: z.looseObject({}) }),
  "friend-removed": z.looseObject({ userId: identifier }),
} as const;

export type SyncPayloadType = keyof typeof SYNC_PAYLOADS;

export const isSyncPayloadType = (type: string): type is SyncPayloadType =>
  Object.hasOwn(SYNC_PAYLOADS, type);

/** Interface 2.3, as it leaves the server. */
export interface AccountSyncEnvelope {
  readonly type: "account_sync";
  readonly clientInstanceId: string;
  readonly payload: Readonly<Record<string, unknown>> & { readonly type: string };
  readonly fromUserId: string;
}

/** The part of an envelope that a client decides. */
export const syncEnvelopeSchema = z.looseObject({
  type: z.literal("account_sync"),
  clientInstanceId: uuid,
  payload: z.looseObject({ type: z.string().min(1).max(128) }),
});
