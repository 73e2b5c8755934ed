import type { IncomingMessage, ServerResponse } from "node:http";
import cors from "cors";

/**
 * An origin as browsers spell it; `undefined` for other text: `*`, `null`, a bare host, a URL with a path, a query or
 * credentials. A URL with the scheme of an application (`app://hearth`) is an origin too.
 */
export function normalOrigin(text: string): string | undefined {
  const trimmed = text.trim().replace(/\/$/, "");
  const url = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\\\s*]+$/i.test(trimmed) ? URL.parse(trimmed) : null;
  if (!url || url.host === "") return undefined;
  return url.origin === "null" ? `${url.protocol}//${url.host}`.toLowerCase() : url.origin;
}

/** GW4: the origins whose pages may call. An empty list allows every origin, without credentials. */
export interface OriginPolicy {
  readonly permissive: boolean;
  /** For upgrades, to which browsers do not apply CORS. `undefined` is a client other than a browser. */
  allows(origin: string | undefined): boolean;
  /** Sets the CORS headers of a response. */
  mark(request: IncomingMessage, response: ServerResponse): void;
}

const EXPOSED = [
  "ETag",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "WWW-Authenticate",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Request-Id",
];

export const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === "OPTIONS" &&
  headers.origin !== undefined &&
  headers["access-control-request-method"] !== undefined;

export function createOriginPolicy(allowlist: readonly string[]): OriginPolicy {
  const listed = new Set(allowlist);
  const permissive = listed.size === 0;
  const apply = cors({
    origin: permissive ? "*" : [...listed],
    credentials: !permissive,
    methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
    allowedHeaders: [
      "Authorization",
      "Content-Type",
      "If-Match",
      "If-None-Match",
      "Traceparent",
      "Tracestate",
    ],
    exposedHeaders: EXPOSED,
    maxAge: 7200,
    preflightContinue: true,
  });
  const done = (): void => undefined;
  return {
    permissive,
    allows: (origin) => permissive || origin === undefined || listed.has(origin),
    mark(request, response) {
      if (request.headers.origin !== undefined) apply(request, response, done);
      else if (!permissive) response.appendHeader("Vary", "Origin");
    },
  };
}
