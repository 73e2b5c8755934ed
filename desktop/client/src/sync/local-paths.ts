import { withoutLocalPaths } from "@hearth/contracts";
import type { SyncPayload } from "@hearth/contracts";

const cleaned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      key,
      key === "attachments" ? withoutLocalPaths(field) : cleaned(field),
    ]),
  );
};

/** Rule AS2: the payload without the places of bytes on this device; texts that users wrote stay as they are. */
export const withoutOwnPaths = (payload: SyncPayload): SyncPayload => cleaned(payload) as SyncPayload;
