import { z } from "zod";
import { uuid } from "../text.ts";

const identifier = z.string().min(1).max(128);
const chunk = z.looseObject({
  transferId: identifier,
  index: z.number(),
  total: z.number(),
  data: z.string(),
});

/** AS3: the fields of an attachment that the server validates. */
const attachmentMetaSchema = z.looseObject({
  id: identifier,
  filename: z.string().max(512).optional(),
  size: z.number().optional(),
  mime: z.string().max(256).optional(),
  hash: z.string().max(256).optional(),
});

/**
 * The payloads of `account_sync` that the server validates, by `payload.type` (interface 2.3, rule AS3). Other fields
 * and payloads of other types are relayed unchanged (rule AS2).
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

/** A payload of `account_sync` as its sender wrote it; clients may use types that the server does not know. */
export type SyncPayload = Readonly<Record<string, unknown>> & { readonly type: string };

/** Interface 2.3: an envelope as the server sends it. */
export interface AccountSyncEnvelope {
  readonly type: "account_sync";
  readonly clientInstanceId: string;
  readonly payload: SyncPayload;
  readonly fromUserId: string;
}

/** The fields of an envelope that the sending client fills in. */
export const syncEnvelopeFields = {
  clientInstanceId: uuid,
  payload: z.looseObject({ type: z.string().min(1).max(128) }),
};

export const syncEnvelopeSchema = z.looseObject({ type: z.literal("account_sync"), ...syncEnvelopeFields });

const PATH_FIELDS: ReadonlySet<string> = new Set(["filePath", "localPath", "path"]);

/** True for a `file:` URL, which names a place on one machine. */
export const isFileUrl = (value: unknown): boolean => typeof value === "string" && /^\s*file:/i.test(value);

/**
 * AS2: the value of an `attachments` field without anything that says where a device keeps the bytes: path fields
 * and `file:` URLs are left out at any depth.
 */
export function withoutLocalPaths(attachments: unknown): unknown {
  if (Array.isArray(attachments))
    return attachments.filter((item) => !isFileUrl(item)).map(withoutLocalPaths);
  if (typeof attachments !== "object" || attachments === null) return attachments;
  return Object.fromEntries(
    Object.entries(attachments)
      .filter(([key, value]) => !PATH_FIELDS.has(key) && !isFileUrl(value))
      .map(([key, value]) => [key, withoutLocalPaths(value)]),
  );
}
