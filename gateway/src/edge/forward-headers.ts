import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { INTERNAL_HEADERS } from "@hearth/runtime";

/**
 * The only headers of a client that go inside. A list of what may pass instead of one of what may not: no
 * identity header of any name, no hop-by-hop header and none that `Connection` nominates can slip through
 * (GW2, GW6).
 */
const REQUEST_HEADERS = [
  "accept",
  "accept-language",
  "content-length",
  "content-type",
  "if-match",
  "if-none-match",
  "traceparent",
  "tracestate",
  "transfer-encoding",
  "user-agent",
] as const;

const UPGRADE_HEADERS = [
  "host",
  "origin",
  "sec-websocket-extensions",
  "sec-websocket-key",
  "sec-websocket-protocol",
  "sec-websocket-version",
  "traceparent",
  "tracestate",
  "user-agent",
] as const;

/** What the gateway itself says about a request it passes on. */
export interface Passport {
  readonly requestId: string;
  readonly clientAddress: string;
  /** The internal JWT that stands for the client's token (GW2). */
  readonly jwt?: string | undefined;
}

function select(headers: IncomingHttpHeaders, names: readonly string[], passport: Passport) {
  const kept: Record<string, string> = {};
  for (const name of names) {
    const value = headers[name];
    if (typeof value === "string") kept[name] = value;
  }
  kept[INTERNAL_HEADERS.requestId] = passport.requestId;
  kept[INTERNAL_HEADERS.clientAddress] = passport.clientAddress;
  return kept;
}

/** The complete headers of a REST request on its way to a service. */
export function restHeaders(headers: IncomingHttpHeaders, passport: Passport): Record<string, string> {
  const kept = select(headers, REQUEST_HEADERS, passport);
  kept["host"] = "hearth";
  if (passport.jwt !== undefined) kept["authorization"] = `Bearer ${passport.jwt}`;
  return kept;
}

/** The complete headers of an upgrade on its way to a service. The socket identifies itself later (WS3). */
export function upgradeHeaders(headers: IncomingHttpHeaders, passport: Passport): Record<string, string> {
  return { connection: "Upgrade", upgrade: "websocket", ...select(headers, UPGRADE_HEADERS, passport) };
}

/** From here on the request has only these headers, by whichever property it is read. */
export function replaceHeaders(request: IncomingMessage, headers: Record<string, string>): void {
  const entries = Object.entries(headers);
  request.headers = headers;
  request.rawHeaders = entries.flat();
  request.headersDistinct = Object.fromEntries(entries.map(([name, value]) => [name, [value]]));
}
