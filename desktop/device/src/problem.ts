import type { AuthInvalidReason, ErrorCode, InputIssue } from "@hearth/contracts";

/** Codes of the client besides the product's error list: no answer, a malformed answer, offline, storage failures. */
export type ClientProblemCode =
  | ErrorCode
  | "NO_ANSWER"
  | "BAD_ANSWER"
  | "OFFLINE"
  | "NEEDS_SIGN_IN"
  | "STORAGE_FULL"
  | "STORAGE_FAILED"
  | "INVALID_SERVER_URL";

interface ClientProblemDetails {
  readonly message?: string;
  /** A retry may help. */
  readonly retryable?: boolean;
  readonly retryAfterMs?: number | null;
  readonly issues?: readonly InputIssue[];
  /** Only for `AUTH_INVALID`. */
  readonly reason?: AuthInvalidReason | "missing" | null;
  readonly refusal?: string | null;
  readonly requestId?: string | null;
}

/** A failed action of the client; the screens have a sentence for every `code`. */
export class ClientProblem extends Error {
  readonly code: ClientProblemCode;
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
  readonly issues: readonly InputIssue[];
  readonly reason: AuthInvalidReason | "missing" | null;
  /** The server's reason: the quota of `QUOTA_EXCEEDED`, or what `REGISTRATION_CLOSED` needs. */
  readonly refusal: string | null;
  readonly requestId: string | null;

  constructor(code: ClientProblemCode, details: ClientProblemDetails = {}, cause?: unknown) {
    super(details.message ?? code, { cause });
    this.name = "ClientProblem";
    this.code = code;
    this.retryable = details.retryable ?? false;
    this.retryAfterMs = details.retryAfterMs ?? null;
    this.issues = details.issues ?? [];
    this.reason = details.reason ?? null;
    this.refusal = details.refusal ?? null;
    this.requestId = details.requestId ?? null;
  }
}

/** True if the server says that a token is invalid, never for a failure that may pass (rule ER6). */
export const isAuthFailure = (error: unknown): error is ClientProblem =>
  error instanceof ClientProblem && (error.code === "AUTH_INVALID" || error.code === "AUTH_REQUIRED");
