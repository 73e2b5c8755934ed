import type { SyncPayload } from "./account-sync.ts";

const PATH_FIELDS: ReadonlySet<string> = new Set(["filePath", "localPath", "path"]);

const isFileUrl = (value: unknown): boolean => typeof value === "string" && /^\s*file:/i.test(value);

/** Everything under `attachments`; what people wrote is left as it is. */
function cleaned(value: unknown, isAttachment: boolean): unknown {
  if (Array.isArray(value)) {
    const kept = isAttachment ? value.filter((one) => !isFileUrl(one)) : value;
    return kept.map((one: unknown) => cleaned(one, isAttachment));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, one]) => !isAttachment || !(PATH_FIELDS.has(key) || isFileUrl(one)))
      .map(([key, one]) => [key, cleaned(one, isAttachment || key === "attachments")]),
  );
}

/** Rule AS2: a payload that no longer says where this device keeps the bytes of attachments. */
export const withoutLocalPaths = (payload: SyncPayload): SyncPayload =>
  cleaned(payload, false) as SyncPayload;
