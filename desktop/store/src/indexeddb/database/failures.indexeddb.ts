import { ClientProblem } from "@hearth/device";

export const storageFailure = (message: string, cause?: unknown, retryable = true): ClientProblem =>
  new ClientProblem("STORAGE_FAILED", { message, retryable }, cause);

/** Converts database errors into client problems; other errors are passed on. */
export function asProblem(error: unknown): unknown {
  if (!(error instanceof DOMException)) return error;
  switch (error.name) {
    case "QuotaExceededError":
      return new ClientProblem(
        "STORAGE_FULL",
        { message: "There is no room left in this browser's storage", retryable: true },
        error,
      );
    case "VersionError":
      return storageFailure(
        "A newer version of this page has used the storage; reload the page",
        error,
        false,
      );
    default:
      return storageFailure(`This browser's storage cannot be used: ${error.name}`, error);
  }
}
