/** One entry of the closed error list (rule ER3): HTTP status, title, and whether a retry may succeed. */
interface ErrorKind {
  readonly status: number;
  readonly title: string;
  readonly retryable: boolean;
}

const kind = (status: number, title: string, retryable = false): ErrorKind => ({ status, title, retryable });

/** Every error code of this product, over HTTP and over the socket (rule ER3, interface 7, rules LA4 to LA7). */
export const ERRORS = {
  INVALID_REQUEST: kind(400, "The request is not valid"),
  AUTH_REQUIRED: kind(401, "Authentication is required"),
  AUTH_INVALID: kind(401, "The presented credential was refused"),
  INVALID_CREDENTIALS: kind(401, "Wrong username or password"),
  FORBIDDEN: kind(403, "Not allowed"),
  BANNED: kind(403, "Banned from this server"),
  ACCESS_DENIED: kind(403, "Access to this server needs an invite or an approved request"),
  QUOTA_EXCEEDED: kind(403, "A quota is used up"),
  REGISTRATION_CLOSED: kind(403, "New accounts are not open to everybody here"),
  ACCOUNT_SUSPENDED: kind(403, "The operator has suspended this account"),
  NO_SHARED_SERVER: kind(403, "The two users share no server"),
  NO_ALLOWED_SERVERS: kind(403, "No signaling server is allowed to validate logins"),
  SERVER_NOT_ALLOWED: kind(403, "The signaling server is not on the allowed list"),
  ACCOUNT_NOT_ON_DEVICE: kind(403, "This device does not hold the account"),
  HOST_NOT_ALLOWED: kind(403, "The Host header does not name this server"),
  NOT_FOUND: kind(404, "Not found"),
  METHOD_NOT_ALLOWED: kind(405, "Method not allowed"),
  CONFLICT: kind(409, "The request conflicts with the current state"),
  USERNAME_TAKEN: kind(409, "The username is taken"),
  NOT_JOINED: kind(409, "Join the server first"),
  VOICE_NOT_OWNER: kind(409, "Another device owns voice"),
  STALE_FENCE: kind(409, "Voice ownership has moved on"),
  PAYLOAD_TOO_LARGE: kind(413, "The payload is too large"),
  UNSUPPORTED_MEDIA_TYPE: kind(415, "The content type is not supported"),
  UNKNOWN_TYPE: kind(400, "The message type is unknown"),
  RATE_LIMITED: kind(429, "Too many requests", true),
  UPSTREAM_RATE_LIMITED: kind(429, "The signaling server takes no more logins for now", true),
  INTERNAL: kind(500, "Internal error"),
  UPSTREAM_UNREACHABLE: kind(502, "A service could not be reached", true),
  UNAVAILABLE: kind(503, "Temporarily unavailable", true),
  TIMEOUT: kind(504, "A service took too long", true),
} as const satisfies Record<string, ErrorKind>;

/** A stable, upper-case error code (rule ER3). */
export type ErrorCode = keyof typeof ERRORS;

/** True for a string that is one of our error codes. */
export const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === "string" && Object.hasOwn(ERRORS, value);

/** Why a presented token was refused (rule ER3), or does not fit the `oderId` that came with it (rule WS5). */
export const AUTH_INVALID_REASONS = ["unknown", "expired", "revoked", "mismatch"] as const;
export type AuthInvalidReason = (typeof AUTH_INVALID_REASONS)[number];

/** One invalid value: its `path` in dotted form (`""` for the whole input) and the reason. */
export interface InputIssue {
  readonly path: string;
  readonly message: string;
}

/** A quota for the `RateLimit` headers (rule ER5): requests per window, requests left, seconds to the reset. */
export interface Quota {
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** Optional parts of an error beside its code and message. All of them are safe to show to a client. */
export interface ProblemExtras {
  /** Milliseconds after which a retry may succeed. */
  readonly retryAfterMs?: number;
  readonly reason?: string;
  readonly errors?: readonly InputIssue[];
  readonly quota?: Quota;
  /** Additional fields of the answer, such as the owner's `clientInstanceId` of `VOICE_NOT_OWNER`. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The JSON form of an error as it travels between services. */
export interface ProblemData extends ProblemExtras {
  readonly code: ErrorCode;
  readonly message: string;
}

/**
 * The only error class of the product. Its `message` is for the client and never contains a stack, a path of the
 * machine or a driver's message (rule ER1). Any other thrown error is answered as `INTERNAL`.
 */
export class ProblemError extends Error {
  readonly code: ErrorCode;
  readonly extras: ProblemExtras;

  constructor(code: ErrorCode, message: string = ERRORS[code].title, extras: ProblemExtras = {}) {
    super(message);
    this.name = "ProblemError";
    this.code = code;
    this.extras = extras;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  /** True when the same request may succeed later (rule ER6). */
  get retryable(): boolean {
    return ERRORS[this.code].retryable;
  }

  toData(): ProblemData {
    return { code: this.code, message: this.message, ...this.extras };
  }

  static fromData(data: ProblemData): ProblemError {
    const { code, message, ...extras } = data;
    return new ProblemError(code, message, extras);
  }
}

/** The body of an HTTP error, `application/problem+json` (rule ER1, RFC 9457). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  readonly requestId: string;
  readonly reason?: string;
  readonly errors?: readonly InputIssue[];
}
