import {
  type AccountSyncEnvelope,
  isSyncPayloadType,
  type InputIssue,
  ProblemError,
  SYNC_PAYLOADS,
  syncEnvelopeSchema,
} from "@hearth/contracts";
import type { z } from "zod";
import { type SyncPayload, withoutLocalPaths } from "./local-paths.ts";

/**
 * AS1, AS2: the envelope as the account's other connections get it: `fromUserId` is the server's word, local
 * paths are gone from the attachments of a batch, everything else is as it came. Throws `INVALID_REQUEST`.
 */
export const toDelivered = (
  envelope: Readonly<Record<string, unknown>>,
  oderId: string,
): AccountSyncEnvelope & Readonly<Record<string, unknown>> => {
  const { type, clientInstanceId, payload: checked } = check(syncEnvelopeSchema, envelope, "");
  if (isSyncPayloadType(checked.type)) check(SYNC_PAYLOADS[checked.type], checked, "payload");
  // What is relayed is the client's own object: a schema's copy would lack keys such as `__proto__`.
  const payload = envelope["payload"] as SyncPayload;
  const relayed = payload.type === "chat-sync-batch" ? withoutLocalPaths(payload) : payload;
  return { ...envelope, type, clientInstanceId, payload: relayed, fromUserId: oderId };
};

const check = <Schema extends z.ZodType>(schema: Schema, value: unknown, at: string): z.output<Schema> => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors: InputIssue[] = result.error.issues.slice(0, 10).map(({ path, message }) => ({
    path: [at, ...path].filter((part) => part !== "").join("."),
    message,
  }));
  throw new ProblemError("INVALID_REQUEST", undefined, { errors });
};
