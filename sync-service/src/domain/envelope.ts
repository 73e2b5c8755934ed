import {
  type AccountSyncEnvelope,
  isSyncPayloadType,
  type InputIssue,
  ProblemError,
  type SyncPayload,
  SYNC_PAYLOADS,
  syncEnvelopeSchema,
  withoutLocalPaths,
} from "@hearth/contracts";
import type { z } from "zod";

const MAX_ISSUES = 10;

/**
 * AS1, AS2: the envelope as the account's other connections receive it. The server sets `fromUserId` and removes local
 * paths from the attachments of a batch; everything else is unchanged. Throws `INVALID_REQUEST`.
 */
export const deliveredEnvelope = (
  envelope: Readonly<Record<string, unknown>>,
  oderId: string,
): AccountSyncEnvelope & Readonly<Record<string, unknown>> => {
  const { type, clientInstanceId, payload: checked } = check(syncEnvelopeSchema, envelope, "");
  if (isSyncPayloadType(checked.type)) check(SYNC_PAYLOADS[checked.type], checked, "payload");
  // Relays the client's own object: the schema's copy would lack keys such as `__proto__`.
  const payload = envelope["payload"] as SyncPayload;
  const relayed = payload.type === "chat-sync-batch" ? cleanBatch(payload) : payload;
  return { ...envelope, type, clientInstanceId, payload: relayed, fromUserId: oderId };
};

/** AS2: cleans the attachments in the batch's own map and inside its messages; the rest keeps its value. */
const cleanBatch = (batch: SyncPayload): SyncPayload => ({
  ...batch,
  ...("attachments" in batch && { attachments: withoutLocalPaths(batch["attachments"]) }),
  ...(Array.isArray(batch["messages"]) && { messages: batch["messages"].map(cleanMessage) }),
});

const cleanMessage = (message: unknown): unknown =>
  typeof message === "object" && message !== null && "attachments" in message
    ? { ...message, attachments: withoutLocalPaths(message.attachments) }
    : message;

const check = <Schema extends z.ZodType>(schema: Schema, value: unknown, at: string): z.output<Schema> => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors: InputIssue[] = result.error.issues.slice(0, MAX_ISSUES).map(({ path, message }) => ({
    path: [at, ...path].filter((part) => part !== "").join("."),
    message,
  }));
  throw new ProblemError("INVALID_REQUEST", undefined, { errors });
};
