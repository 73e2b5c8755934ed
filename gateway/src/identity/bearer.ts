import { ProblemError } from "@hearth/contracts";

const TOKEN = /^[0-9a-f]{64}$/;

/** The credential in the `Authorization` headers of a request. Tokens elsewhere, such as in the query, do not count. */
export type Presented =
  | { readonly kind: "nothing" }
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "malformed" }
  | { readonly kind: "repeated" };

/** Reads the raw header list, because Node keeps only the first of two `Authorization` headers. */
export function readBearer(rawHeaders: readonly string[]): Presented {
  let value: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== "authorization") continue;
    if (value !== undefined) return { kind: "repeated" };
    value = rawHeaders[index + 1] ?? "";
  }
  // An unsupported scheme presents nothing that could be refused (RFC 6750, section 3.1).
  if (value === undefined || !/^bearer(?: |$)/i.test(value)) return { kind: "nothing" };
  const token = value.slice("bearer ".length);
  if (token === "") return { kind: "nothing" };
  return TOKEN.test(token) ? { kind: "token", token } : { kind: "malformed" };
}

/** The token of a request that needs one. Throws the refusal if it has none (ER3, ER4). Does not ask auth. */
export function requireToken(presented: Presented): string {
  switch (presented.kind) {
    case "token":
      return presented.token;
    case "nothing":
      throw new ProblemError("AUTH_REQUIRED");
    case "malformed":
      throw new ProblemError("AUTH_INVALID", "The presented token is not one of ours", { reason: "unknown" });
    case "repeated":
      throw new ProblemError("INVALID_REQUEST", "Send one Authorization header");
  }
}
