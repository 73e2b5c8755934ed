import type { IncomingMessage, ServerResponse } from "node:http";
import { ProblemError } from "@hearth/contracts";
import { createOwnNames } from "./own-names.ts";

/** Where the server that a guard stands in front of listens. */
export interface Binding {
  readonly port: number;
  readonly exposeOnLan: boolean;
}

/** The first step of every request: calls `next` with a `ProblemError` if it is not meant for this server (rule LA4). */
export type HostGuard = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** A literal address cannot be rebound to another machine by DNS, and `localhost` never leaves this one. */
const LOOPBACK = /^(localhost|127(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}|\[::1\])$/;
const AUTHORITY = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([1-9]\d{0,4}))?$/;
const HTTP_PORT = "80";

const invalid = (detail: string): ProblemError => new ProblemError("INVALID_REQUEST", detail);

function headersNamed({ rawHeaders }: IncomingMessage, name: string): readonly string[] {
  const values: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? "");
  }
  return values;
}

/** IPv6 has many spellings; a URL parser knows the one that interfaces are listed by. */
const canonical = (host: string): string => {
  if (!host.startsWith("[")) return host;
  const url = `http://${host}/`;
  return URL.canParse(url) ? new URL(url).hostname : host;
};

/** Whether a `Host` header, or what stands behind the scheme of an `Origin`, names the server. */
type IsOwn = (authority: string) => boolean;

function checkOrigin(origin: string, isOwn: IsOwn): void {
  const [, authority] = /^http:\/\/(.+)$/i.exec(origin) ?? [];
  if (authority === undefined || !isOwn(authority)) {
    throw new ProblemError("FORBIDDEN", "Pages of other origins may not use this server");
  }
}

function check(request: IncomingMessage, isOwn: IsOwn): void {
  const [host = "", ...more] = headersNamed(request, "host");
  if (more.length > 0) throw invalid("More than one Host header");
  if (host.trim() === "") throw invalid("The Host header is missing");
  // An absolute target names a host of its own, and would win over the header that is looked at here.
  if (request.url?.startsWith("/") !== true && request.url !== "*") {
    throw invalid("The request target must be a path");
  }
  if (!isOwn(host.trim())) throw new ProblemError("HOST_NOT_ALLOWED");
  for (const origin of headersNamed(request, "origin")) checkOrigin(origin, isOwn);
}

/**
 * Guards against pages of other sites, and against names that such a page lets point to this machine: what they cannot
 * forge is the `Host` header. Names with a dot at the end are refused like any other that nobody needs.
 */
export function createHostGuard(binding: () => Binding, ownNames = createOwnNames()): HostGuard {
  const isOwn: IsOwn = (authority) => {
    const [, host, port = HTTP_PORT] = AUTHORITY.exec(authority.toLowerCase()) ?? [];
    const { port: ownPort, exposeOnLan } = binding();
    if (host === undefined || port !== String(ownPort)) return false;
    const name = canonical(host);
    return LOOPBACK.test(name) || (exposeOnLan && ownNames().has(name));
  };
  return (request, _response, next) => {
    try {
      check(request, isOwn);
    } catch (error) {
      next(error);
      return;
    }
    next();
  };
}
