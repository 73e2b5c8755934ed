import type { IncomingMessage, ServerResponse } from "node:http";
import { ProblemError } from "@hearth/contracts";
import { createOwnNames } from "./own-names.ts";

/** The guarded server's address. */
export interface Binding {
  readonly port: number;
  readonly exposeOnLan: boolean;
}

/** The first step of every request: calls `next` with a `ProblemError` if it is for another server (rule LA4). */
export type HostGuard = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** DNS rebinding cannot change a literal address, and `localhost` always is this machine. */
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

/** IPv6 has many spellings; URL parsing yields the one that interfaces use. */
const canonical = (host: string): string => {
  if (!host.startsWith("[")) return host;
  const url = `http://${host}/`;
  return URL.canParse(url) ? new URL(url).hostname : host;
};

/** Whether a `Host` header, or the rest of an `Origin` after its scheme, names the server. */
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
  // An absolute target has its own host, which would override the checked header.
  if (request.url?.startsWith("/") !== true && request.url !== "*") {
    throw invalid("The request target must be a path");
  }
  if (!isOwn(host.trim())) throw new ProblemError("HOST_NOT_ALLOWED");
  for (const origin of headersNamed(request, "origin")) checkOrigin(origin, isOwn);
}

/**
 * Protects against cross-site pages and DNS rebinding: a page cannot forge the `Host` header. Names with a trailing
 * dot are refused too, because nobody needs them.
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
