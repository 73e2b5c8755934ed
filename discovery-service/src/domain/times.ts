import { ProblemError } from "@hearth/contracts";

/** The end a client set, which must still lie ahead; `null` where it set none. */
export function future(expiresAt: number | undefined, now: number): number | null {
  if (expiresAt === undefined) return null;
  if (expiresAt > now) return expiresAt;
  throw new ProblemError("CONFLICT", "The end lies in the past", {
    errors: [{ path: "expiresAt", message: "must lie in the future" }],
  });
}
