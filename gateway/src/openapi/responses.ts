import { ERRORS, ProblemError } from "@hearth/contracts";
import type { ErrorCode, Problem, ProblemExtras, RouteContract } from "@hearth/contracts";
import { problemBody } from "@hearth/runtime";
import type { ZodOpenApiHeaderObject, ZodOpenApiHeadersObject, ZodOpenApiResponseObject } from "zod-openapi";
import { EXAMPLES, EXAMPLE_REQUEST_ID } from "./examples.ts";
import { problemSchema } from "./problem.ts";
import type { SchemaNames } from "./schemas.ts";

const header = (description: string, example: string | number): ZodOpenApiHeaderObject => ({
  description,
  schema: { type: typeof example === "number" ? "integer" : "string" },
  example,
});

/** The document's header components by name. */
export const HEADER_COMPONENTS = {
  "X-Request-Id": header("Names this request in the server's logs", EXAMPLE_REQUEST_ID),
  "WWW-Authenticate": header(
    '`Bearer`; with `error="invalid_token"` only when a token was presented',
    'Bearer error="invalid_token"',
  ),
  "Retry-After": header("Seconds after which a retry may succeed", 30),
  "RateLimit-Policy": header("The quota, as an IETF draft describes it", '"joins";q=30;w=60'),
  RateLimit: header("What is left of the quota, and the seconds to its reset", '"joins";r=0;t=30'),
  "X-RateLimit-Limit": header("Requests in a window", 30),
  "X-RateLimit-Remaining": header("Requests left in this window", 0),
  "X-RateLimit-Reset": header("The end of the window in epoch seconds", 1_790_000_000),
};

const LIMIT_HEADERS = [
  "Retry-After",
  "RateLimit-Policy",
  "RateLimit",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
];

const HEADERS_OF: Readonly<Record<number, readonly string[]>> = {
  401: ["WWW-Authenticate"],
  429: LIMIT_HEADERS,
};

const headerReferences = (names: readonly string[]): ZodOpenApiHeadersObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The errors of every route; a route adds its own. */
const ALWAYS: readonly ErrorCode[] = [
  "INVALID_REQUEST",
  "RATE_LIMITED",
  "INTERNAL",
  "UPSTREAM_UNREACHABLE",
  "UNAVAILABLE",
  "TIMEOUT",
];
const WITH_BODY: readonly ErrorCode[] = ["PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"];
const WITH_TOKEN: readonly ErrorCode[] = ["AUTH_REQUIRED", "AUTH_INVALID"];

/** All errors of a route, by status. */
export function errorsOf(route: RouteContract): ReadonlyMap<number, readonly ErrorCode[]> {
  const codes = new Set([
    ...(route.owner === "gateway" ? (["INTERNAL"] as const) : ALWAYS),
    ...(route.body ? WITH_BODY : []),
    ...(route.auth === "bearer" ? WITH_TOKEN : []),
    ...route.errors,
  ]);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of [...codes].toSorted((one, other) => ERRORS[one].status - ERRORS[other].status)) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

const EXTRAS: Partial<Record<ErrorCode, ProblemExtras>> = {
  INVALID_REQUEST: {
    errors: [{ path: "name", message: "Too small: expected string to have >=1 characters" }],
  },
  AUTH_INVALID: { reason: "expired" },
};

const exampleOf = (code: ErrorCode): Problem =>
  problemBody(new ProblemError(code, undefined, EXTRAS[code]), EXAMPLE_REQUEST_ID);

const componentName = (codes: readonly ErrorCode[]): string => codes.map(pascal).join("Or");
const pascal = (code: string): string =>
  code.toLowerCase().replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());

const errorResponse = (status: number, codes: readonly ErrorCode[]): ZodOpenApiResponseObject => ({
  id: componentName(codes),
  description: codes.map((code) => `\`${code}\`: ${ERRORS[code].title}`).join("  \n"),
  headers: headerReferences(["X-Request-Id", ...(HEADERS_OF[status] ?? [])]),
  content: {
    "application/problem+json": {
      schema: problemSchema,
      examples: Object.fromEntries(
        codes.map((code) => [code, { summary: ERRORS[code].title, value: exampleOf(code) }]),
      ),
    },
  },
});

/** The error responses of a route, by their status. */
export type ErrorResponses = (route: RouteContract) => Record<string, ZodOpenApiResponseObject>;

/** Many routes have the same errors: one object for each combination of codes becomes one component. */
export function createErrorResponses(): ErrorResponses {
  const made = new Map<string, ZodOpenApiResponseObject>();
  const responseOf = (status: number, codes: readonly ErrorCode[]): ZodOpenApiResponseObject => {
    const response = made.get(codes.join()) ?? errorResponse(status, codes);
    made.set(codes.join(), response);
    return response;
  };
  return (route) =>
    Object.fromEntries(
      [...errorsOf(route)].map(([status, codes]) => [String(status), responseOf(status, codes)]),
    );
}

export function successResponse({ success }: RouteContract, names: SchemaNames): ZodOpenApiResponseObject {
  const { schema, description } = success;
  const example = schema && EXAMPLES[names.get(schema) ?? ""];
  const media = schema && { schema, ...(example !== undefined && { example }) };
  return {
    description,
    headers: headerReferences(["X-Request-Id"]),
    ...(media && { content: { "application/json": media } }),
  };
}
