import { upgrade } from "@scalar/openapi-upgrader";
import { POSITION_PATTERN } from "../src/pages.ts";
import { ErrorAnswers, problemSchema } from "./openapi-errors.ts";
import { ANSWERS, BODIES, PARAMETERS } from "./openapi-examples.ts";
import { HEADERS, headerReferences } from "./openapi-headers.ts";
import type { Answer, OpenApi, Operation, Parameter, Schema } from "./openapi-model.ts";

const DESCRIPTION = [
  "The device's own data, read-only: rooms, people, messages, reactions, attachments and bans as this device knows them.",
  "",
  "1. Allow a signaling server in the app's settings and switch the local API on.",
  "2. `POST /api/auth/login` with an account of that server. The server validates it.",
  "3. Send the answer's `token` as `Authorization: Bearer <token>`.",
  "",
  "Times are epoch milliseconds. Records may have more properties than are listed. Errors are RFC 9457 problems with a",
  "stable `code`. Nothing is served to pages of other origins.",
].join("\n");

const TAGS = [
  { name: "About", description: "The local API itself." },
  { name: "Login", description: "Tokens of the local API." },
  { name: "Rooms", description: "Servers of chat and direct conversations." },
  { name: "Messages", description: "What was said, and what came with it." },
  { name: "People", description: "The account of this device and whom it has met." },
  { name: "Plugins and metadata", description: "What plugins and the app keep." },
];

const ANSWER_HEADERS: Readonly<Record<string, readonly string[]>> = {
  getOpenApiDocument: ["ETag"],
  listRoomMessages: ["X-Total-Count", "Link"],
  listRoomMessagesSince: ["Link"],
};

/** Parameters where tsoa's description is incomplete. A `limit` or time out of bounds is clamped. */
const TAKEN: Readonly<Record<string, Schema>> = {
  limit: { type: "integer", default: 100 },
  offset: { type: "integer", default: 0, minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  sinceTimestamp: { type: "integer" },
  after: { type: "string", pattern: POSITION_PATTERN },
};

/** Removes rule numbers, which mean nothing to users of the API. */
const withoutReferences = (text: string): string =>
  text.replaceAll(/ \((?:[A-Z]{2}\d+|interface [\d.]+)\)/g, "");

/** Responses may get more properties (interface 2.8). */
function opened(schema: Schema): Schema {
  const { properties, items, description } = schema;
  return {
    ...schema,
    ...(description !== undefined && { description: withoutReferences(description) }),
    ...(items && { items: opened(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, opened(each)])),
      additionalProperties: true,
    }),
  };
}

const described = (parameter: Parameter): Parameter => ({
  ...parameter,
  ...PARAMETERS[parameter.name],
  schema: TAKEN[parameter.name] ?? parameter.schema,
});

function success(operation: Operation, status: string, answer: Answer): Answer {
  const { operationId } = operation;
  const names = ["X-Request-Id", ...(ANSWER_HEADERS[operationId] ?? [])];
  const media = answer.content?.["application/json"];
  return {
    description: answer.description,
    headers: headerReferences(names),
    ...(media &&
      status !== "304" && {
        content: { "application/json": { ...media, example: ANSWERS[operationId] } },
      }),
  };
}

function completed(operation: Operation, errors: ErrorAnswers): Operation {
  const { operationId, requestBody, description } = operation;
  const successes = Object.entries(operation.responses).flatMap(([status, answer]): [string, Answer][] =>
    Number(status) < 400 && "description" in answer ? [[status, success(operation, status, answer)]] : [],
  );
  const media = requestBody?.content["application/json"];
  return {
    ...operation,
    ...(description !== undefined && { description: withoutReferences(description) }),
    parameters: operation.parameters.map(described),
    ...(requestBody &&
      media && {
        requestBody: {
          ...requestBody,
          content: { "application/json": { ...media, example: BODIES[operationId] } },
        },
      }),
    responses: { ...Object.fromEntries(successes), ...errors.of(operation) },
  };
}

const mapped = <Value, Result>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Record<string, Result> =>
  Object.fromEntries(
    Object.entries(record)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => [name, change(value)]),
  );

/** The local API's OpenAPI 3.1 document, built from tsoa's 3.0 document. */
export function openApiFrom(written: unknown): OpenApi {
  const document = upgrade(written, "3.1") as unknown as OpenApi;
  const errors = new ErrorAnswers();
  const paths = mapped(document.paths, (item) => mapped(item, (operation) => completed(operation, errors)));
  return {
    openapi: "3.1.1",
    info: { title: "Hearth local API", version: "0.0.0", description: DESCRIPTION },
    servers: [{ url: "/", description: "The app on this machine" }],
    tags: TAGS,
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "64 hexadecimal characters",
          description: "The `token` of a login at this API",
        },
      },
      headers: { ...HEADERS },
      responses: mapped(errors.components, (each) => each),
      schemas: { ...mapped(document.components.schemas, opened), Problem: opened(problemSchema) },
    },
  };
}
