import { ERRORS, ProblemError, isErrorCode } from "@hearth/contracts";
import type { ErrorCode, Problem, ProblemExtras } from "@hearth/contracts";
import { problemBody } from "@hearth/runtime";
import { EXAMPLE_REQUEST_ID } from "./openapi-examples.ts";
import { headerReferences } from "./openapi-headers.ts";
import type { Answer, Operation, Schema } from "./openapi-model.ts";

/** Errors of every request; controllers declare further ones. */
const ALWAYS: readonly ErrorCode[] = [
  "INVALID_REQUEST",
  "HOST_NOT_ALLOWED",
  "FORBIDDEN",
  "METHOD_NOT_ALLOWED",
  "INTERNAL",
];
const WITH_TOKEN: readonly ErrorCode[] = ["AUTH_REQUIRED", "AUTH_INVALID"];

const HEADERS_OF: Readonly<Record<number, readonly string[]>> = {
  401: ["WWW-Authenticate"],
  405: ["Allow"],
  429: [
    "Retry-After",
    "RateLimit-Policy",
    "RateLimit",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
  ],
};

const EXTRAS: Partial<Record<ErrorCode, ProblemExtras>> = {
  INVALID_REQUEST: { errors: [{ path: "limit", message: "must be an integer" }] },
  AUTH_INVALID: { reason: "expired" },
};

/** A controller declares `@Response(404, "NOT_FOUND")`: error codes instead of a description. */
function codesNamedBy({ operationId, responses }: Operation): readonly ErrorCode[] {
  return Object.entries(responses).flatMap(([status, answer]) => {
    if (Number(status) < 400 || !("description" in answer)) return [];
    return answer.description.split(" ").map((code) => {
      if (!isErrorCode(code) || ERRORS[code].status !== Number(status)) {
        throw new Error(`${operationId} names ${code || "no code"} for ${status}`);
      }
      return code;
    });
  });
}

const inOrder = Object.keys(ERRORS).filter(isErrorCode);

export function errorsOf(operation: Operation): ReadonlyMap<number, readonly ErrorCode[]> {
  const secured = operation.security.length > 0;
  const codes = new Set([...ALWAYS, ...(secured ? WITH_TOKEN : []), ...codesNamedBy(operation)]);
  return Map.groupBy(
    inOrder.filter((code) => codes.has(code)),
    (code) => ERRORS[code].status,
  );
}

const exampleOf = (code: ErrorCode): Problem =>
  problemBody(new ProblemError(code, undefined, EXTRAS[code]), EXAMPLE_REQUEST_ID);

const problemOf = (status: number, codes: readonly ErrorCode[]): unknown => ({
  allOf: [
    { $ref: "#/components/schemas/Problem" },
    { type: "object", properties: { status: { const: status }, code: { enum: codes } } },
  ],
});

function errorAnswer(status: number, codes: readonly ErrorCode[]): Answer {
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].title}`).join("  \n"),
    headers: headerReferences(["X-Request-Id", ...(HEADERS_OF[status] ?? [])]),
    content: {
      "application/problem+json": {
        schema: problemOf(status, codes),
        examples: Object.fromEntries(
          codes.map((code) => [code, { summary: ERRORS[code].title, value: exampleOf(code) }]),
        ),
      },
    },
  };
}

const pascal = (code: string): string =>
  code.toLowerCase().replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** Many operations share error responses, so each combination of codes is defined once. */
export class ErrorAnswers {
  readonly components: Record<string, Answer> = {};

  of(operation: Operation): Record<string, { $ref: string }> {
    const entries = [...errorsOf(operation)].map(([status, codes]): [string, { $ref: string }] => {
      const name = codes.map(pascal).join("Or");
      this.components[name] ??= errorAnswer(status, codes);
      return [String(status), { $ref: `#/components/responses/${name}` }];
    });
    return Object.fromEntries(entries);
  }
}

const text = (description: string): Schema => ({ type: "string", description });

/** The body of every error (rule ER1); it may have further members, such as `reason`. */
export const problemSchema: Schema & { readonly required: readonly string[] } = {
  type: "object",
  description: "An error (RFC 9457).",
  required: ["type", "title", "status", "detail", "code", "requestId"],
  properties: {
    type: text("A name of the kind of error, as a URN."),
    title: text("The kind of error, for people."),
    status: { type: "integer", minimum: 400, maximum: 599 },
    detail: text("What happened here, for people."),
    code: text("The kind of error, for programs."),
    requestId: text("Names this request in the app's log."),
    reason: text("Why a presented token was refused: `unknown`, `expired` or `revoked`."),
    errors: {
      type: "array",
      description: "Which input is not valid.",
      items: { type: "object", properties: { path: { type: "string" }, message: { type: "string" } } },
    },
  },
};
