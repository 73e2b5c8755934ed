const SECRET = new Set(
  [
    "authorization",
    "content",
    "cookie",
    "currentPassword",
    "envelope",
    "jwt",
    "newPassword",
    "password",
    "passwordHash",
    "payload",
    "privateKey",
    "provisionSecret",
    "secret",
    "set-cookie",
    "text",
    "token",
    "tokenHash",
  ].map((name) => name.toLowerCase()),
);

const HIDDEN = "[redacted]";
const DEPTH = 6;

/** Unlike `instanceof`, also true for an error of another realm. */
const isError = (value: object): value is Error => Object.prototype.toString.call(value) === "[object Error]";

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (isError(value)) return describeError(value, depth);
  if (depth === 0) return "[deep]";
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth - 1));
  return isPlain(value) ? redactRecord(value as Record<string, unknown>, depth - 1) : value;
}

function redactRecord(record: Record<string, unknown>, depth: number): Record<string, unknown> {
  const clean: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(record)) {
    clean[key] = SECRET.has(key.toLowerCase()) ? HIDDEN : redactValue(value, depth);
  }
  return clean;
}

/** A copy that is safe to log: without secrets and texts of messages, at any depth. */
export const redact = (record: Record<string, unknown>): Record<string, unknown> =>
  redactRecord(record, DEPTH);

/** An error without the properties that libraries add to it (requests, headers, statements). */
export function describeError(error: Error, depth: number = DEPTH): Record<string, unknown> {
  const described: Record<string, unknown> = {
    type: error.name,
    message: error.message,
    stack: error.stack,
  };
  if ("code" in error) described["code"] = error.code;
  if (error.cause !== undefined && depth > 0) described["cause"] = redactValue(error.cause, depth - 1);
  return described;
}
