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
  const relayed = payload.type === "chat-sync-batch" ? withoutLocalPaths(payload) : payload;
  return { ...envelope, type, clientInstanceId, payload: relayed, fromUserId: oderId };
};

const check = <Schema extends z.ZodType>(schema: Schema, value: unknown, at: string): z.output<Schema> => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors: InputIssue[] = result.error.issues.slice(0, MAX_ISSUES).map(({ path, message }) => ({
    path: [at, ...path].filter((part) => part !== "").join("."),
    message,
  }));
  throw new ProblemError("INVALID_REQUEST", undefined, { errors });
};
