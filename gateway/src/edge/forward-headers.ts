import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { INTERNAL_HEADERS } from "@hearth/runtime";

/**
 * The only headers that the gateway passes on. It is an allowlist, so that no identity header of any name, no hop-by-hop
 * header and none that `Connection` nominates gets through (GW2, GW6).
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

/** Facts about a request that the gateway adds in headers. */
export interface ForwardedFacts {
  readonly requestId: string;
  readonly clientAddress: string;
  /** The internal JWT that replaces the client's token (GW2). */
  readonly jwt?: string | undefined;
}

function select(headers: IncomingHttpHeaders, names: readonly string[], facts: ForwardedFacts) {
  const kept: Record<string, string> = {};
  for (const name of names) {
    const value = headers[name];
    if (typeof value === "string") kept[name] = value;
  }
  kept[INTERNAL_HEADERS.requestId] = facts.requestId;
  kept[INTERNAL_HEADERS.clientAddress] = facts.clientAddress;
  return kept;
}

/** All headers of a REST request to a service. */
export function restHeaders(headers: IncomingHttpHeaders, facts: ForwardedFacts): Record<string, string> {
  const kept = select(headers, REQUEST_HEADERS, facts);
  kept["host"] = "hearth";
  if (facts.jwt !== undefined) kept["authorization"] = `Bearer ${facts.jwt}`;
  return kept;
}

/** All headers of an upgrade to a service. The socket identifies itself later (WS3). */
export function upgradeHeaders(headers: IncomingHttpHeaders, facts: ForwardedFacts): Record<string, string> {
  return { connection: "Upgrade", upgrade: "websocket", ...select(headers, UPGRADE_HEADERS, facts) };
}

/** Replaces the headers in every property of the request that shows them. */
export function replaceHeaders(request: IncomingMessage, headers: Record<string, string>): void {
  const entries = Object.entries(headers);
  request.headers = headers;
  request.rawHeaders = entries.flat();
  request.headersDistinct = Object.fromEntries(entries.map(([name, value]) => [name, [value]]));
}
