import { EXAMPLE_REQUEST_ID } from "./openapi-examples.ts";

const header = (description: string, example: string | number): unknown => ({
  description,
  schema: { type: typeof example === "number" ? "integer" : "string" },
  example,
});

/** Headers by their name in the document's components. */
export const HEADERS: Readonly<Record<string, unknown>> = {
  "X-Request-Id": header("Names this request in the app's log", EXAMPLE_REQUEST_ID),
  "X-Total-Count": header("How many messages the room has, removed ones included", 1234),
  Link: header(
    "The next page (RFC 8288), relative to this address; absent on the last one. Follow it as it is.",
    '</api/rooms/0198c3a2-5e90-7b11-a3c4-9d8e7f6a5b10/messages?limit=100&offset=100&after=1790000000000.MDE5OA>; rel="next"',
  ),
  ETag: header(
    "Names this version of the document, for `If-None-Match`",
    '"3f1c6d2e8a410198c3a07c1e7d3a9b52"',
  ),
  "WWW-Authenticate": header(
    '`Bearer`; with `error="invalid_token"` only when a token was presented',
    'Bearer error="invalid_token"',
  ),
  Allow: header("The methods this path has", "GET, HEAD"),
  "Retry-After": header("Seconds after which a retry may succeed", 30),
  "RateLimit-Policy": header("The quota, as an IETF draft describes it", '"local-login";q=10;w=60'),
  RateLimit: header("What is left of the quota, and the seconds to its reset", '"local-login";r=0;t=30'),
  "X-RateLimit-Limit": header("Requests in a window", 10),
  "X-RateLimit-Remaining": header("Requests left in this window", 0),
  "X-RateLimit-Reset": header("The end of the window in epoch seconds", 1_790_000_000),
};

export const headerReferences = (names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
