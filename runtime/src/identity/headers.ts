/**
 * Headers that only the gateway may set on its way to a service. It removes whatever a client sent under these
 * names, on requests and on upgrades (rules GW2, GW6).
 */
export const INTERNAL_HEADERS = {
  /** One id from the edge to the store. */
  requestId: "x-request-id",
  /** The client's address, replaced and never appended to. */
  clientAddress: "x-forwarded-for",
  /** Tells a service in a process of its own that the gateway sent the request. */
  secret: "x-hearth-secret",
  /** Which gateway process passes a socket on, where there may be several. */
  gateway: "x-hearth-gateway",
} as const;

/** What only other services ask of a service in a process of its own. */
export const INTERNAL_PATHS = { ready: "/internal/ready" } as const;

/** Claims of the internal JWT beside `sub`, `sid`, `aud`, `jti` (rule GW2). */
export const INTERNAL_AUDIENCE = "hearth-services";
export const INTERNAL_ISSUER = "hearth-auth";
