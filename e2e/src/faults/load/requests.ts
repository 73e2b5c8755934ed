import type { Problem } from "@hearth/contracts";
import { type CallOptions, call } from "../../client/rest.ts";
import type { Ledger } from "../ledger.ts";

/** Who asks: what the ledger calls the session, and its token. */
export interface Asker {
  readonly session: string;
  readonly token: string;
}

export interface Answered<Body> {
  /** 0 where the connection failed. */
  readonly status: number;
  readonly body: Body;
}

/** Refusals that are about who asks; a limit that refuses is a mistake of the load. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 404, 429]);

let addresses = 0;
/** Each request comes from an address of its own, because limits per address are another test's subject. */
const nextAddress = (): string => {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
};

/** Asks once and puts down the answer; never throws. */
export const ask = async <Body = unknown>(
  ledger: Ledger,
  url: string,
  request: `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`,
  { session = null, ...options }: CallOptions & { readonly session?: string | null } = {},
): Promise<Answered<Body>> => {
  const [method = "", path = ""] = request.split(" ");
  const startedAt = performance.now();
  const note = (status: number, code: string): void => {
    const tookMs = performance.now() - startedAt;
    ledger.note({ kind: "answered", request, status, code, session, tookMs });
    if (REFUSALS.has(status))
      ledger.note({ kind: "refused", session: session === "none" ? null : session, code, where: request });
  };
  try {
    const headers = { "x-forwarded-for": nextAddress() };
    const { status, body } = await call<Body>(url, method, path, { ...options, headers });
    note(status, status >= 400 ? (body as Problem).code : "");
    return { status, body };
  } catch (error) {
    note(0, error instanceof Error ? String((error.cause as { code?: unknown } | undefined)?.code) : "");
    return { status: 0, body: null as Body };
  }
};
