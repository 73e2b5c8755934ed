/** The connection could not be made. */
const CODES = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "ETIMEDOUT",
]);

/** True where nothing of a request can have reached the other side. */
export const isNeverSent = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "code" in error && CODES.has(String(error.code));
