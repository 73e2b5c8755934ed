import type { AuthInvalidReason, ErrorCode, InputIssue } from "@hearth/contracts";

/** Beyond the product's error list: no answer, an answer that makes no sense, not connected, nothing left to store in. */
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
  /** Trying again may help. */
  readonly retryable?: boolean;
  readonly retryAfterMs?: number | null;
  readonly issues?: readonly InputIssue[];
  /** Of `AUTH_INVALID`. */
  readonly reason?: AuthInvalidReason | "missing" | null;
  readonly refusal?: string | null;
  readonly requestId?: string | null;
}

/** Whatever the client could not do; `code` is what the screens have a sentence for. */
export class ClientProblem extends Error {
  readonly code: ClientProblemCode;
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
  readonly issues: readonly InputIssue[];
  readonly reason: AuthInvalidReason | "missing" | null;
  /** The server's word for why it refused: the quota of `QUOTA_EXCEEDED`, what `REGISTRATION_CLOSED` asks for. */
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

/** True for the server's word that a token is not good any more: never for trouble that may pass (rule ER6). */
export const isAuthFailure = (error: unknown): error is ClientProblem =>
  error instanceof ClientProblem && (error.code === "AUTH_INVALID" || error.code === "AUTH_REQUIRED");
