import { ProblemError } from "@hearth/contracts";

/** The expiry that a client chose, which must lie in the future; `null` if it chose none. */
export function requireFuture(expiresAt: number | undefined, now: number): number | null {
  if (expiresAt === undefined) return null;
  if (expiresAt > now) return expiresAt;
  throw new ProblemError("CONFLICT", "The end lies in the past", {
    errors: [{ path: "expiresAt", message: "must lie in the future" }],
  });
}
