/** What an envelope carries. */
export type SyncPayload = Readonly<Record<string, unknown>> & { readonly type: string };

const PATH_FIELDS: ReadonlySet<string> = new Set(["filePath", "localPath", "path"]);

const isFileUrl = (value: unknown): boolean => typeof value === "string" && /^\s*file:/i.test(value);

/**
 * AS2: a `chat-sync-batch` whose attachments, in its map and inside its messages, no longer say where a device
 * keeps their bytes. The rest is the same value.
 */
export const withoutLocalPaths = (payload: SyncPayload): SyncPayload => ({
  ...payload,
  ...("attachments" in payload && { attachments: clean(payload["attachments"]) }),
  ...(Array.isArray(payload["messages"]) && { messages: payload["messages"].map(cleanMessage) }),
});

const cleanMessage = (message: unknown): unknown =>
  isRecord(message) && "attachments" in message
    ? { ...message, attachments: clean(message["attachments"]) }
    : message;

const clean = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.filter((item) => !isFileUrl(item)).map(clean);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => !PATH_FIELDS.has(key) && !isFileUrl(item))
      .map(([key, item]) => [key, clean(item)]),
  );
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
