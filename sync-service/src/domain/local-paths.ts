/** The payload of an `account_sync` envelope. */
export type SyncPayload = Readonly<Record<string, unknown>> & { readonly type: string };

const PATH_FIELDS: ReadonlySet<string> = new Set(["filePath", "localPath", "path"]);

const isFileUrl = (value: unknown): boolean => typeof value === "string" && /^\s*file:/i.test(value);

/**
 * AS2: removes local paths from the attachments of a `chat-sync-batch`, both in its `attachments` map and inside its
 * messages. Leaves everything else as it is.
 */
export const withoutLocalPaths = (payload: SyncPayload): SyncPayload => ({
  ...payload,
  ...("attachments" in payload && { attachments: withoutPaths(payload["attachments"]) }),
  ...(Array.isArray(payload["messages"]) && { messages: payload["messages"].map(cleanedMessage) }),
});

const cleanedMessage = (message: unknown): unknown =>
  isRecord(message) && "attachments" in message
    ? { ...message, attachments: withoutPaths(message["attachments"]) }
    : message;

const withoutPaths = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.filter((item) => !isFileUrl(item)).map(withoutPaths);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => !PATH_FIELDS.has(key) && !isFileUrl(item))
      .map(([key, item]) => [key, withoutPaths(item)]),
  );
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
