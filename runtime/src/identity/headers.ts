/**
 * Headers that only the gateway may set on a request to a service. It removes those that a client sent, from requests and
 * from upgrades (rules GW2, GW6).
 */
export const INTERNAL_HEADERS = {
  /** The id of a request, from the edge to the store. */
  requestId: "x-request-id",
  /** The client's address. The gateway replaces it and never appends to it. */
  clientAddress: "x-forwarded-for",
  /** Proves to a service in its own process that the gateway sent the request. */
  secret: "x-hearth-secret",
  /** The id of the gateway process that passes a socket on; absent in one process. */
  gateway: "x-hearth-gateway",
} as const;

/** Paths of a service in its own process that only other services may request. */
export const INTERNAL_PATHS = { ready: "/internal/ready" } as const;

/** Claims of the internal JWT beside `sub`, `sid`, `aud`, `jti` (rule GW2). */
export const INTERNAL_AUDIENCE = "hearth-services";
export const INTERNAL_ISSUER = "hearth-auth";
