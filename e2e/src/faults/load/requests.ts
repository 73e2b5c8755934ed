import type { Problem } from "@hearth/contracts";
import { type CallOptions, call } from "../../client/rest.ts";
import type { Ledger } from "../ledger.ts";

/** The session's name in the ledger, and its token. */
export interface Asker {
  readonly session: string;
  readonly token: string;
}

export interface Answered<Body> {
  /** 0 where the connection failed. */
  readonly status: number;
  readonly body: Body;
}

/** Refusals about identity; a refusal by a limit is a mistake of the load. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 404, 429]);

let addresses = 0;
/** Each request comes from its own address, because another test covers limits per address. */
const nextAddress = (): string => {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
};

/** Makes one request and records the response; never throws. */
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
