import { allRoutes } from "@hearth/contracts";
import type { RouteContract } from "@hearth/contracts";
import type { z } from "zod";
import { EXAMPLES, PARAMETERS } from "./examples.ts";
import { ErrorResponses, HEADER_COMPONENTS, successResponse } from "./responses.ts";
import { collectSchemas, jsonSchemaOf } from "./schemas.ts";
import type { JsonObject, Schemas } from "./schemas.ts";

const DESCRIPTION = [
  "Accounts, servers and sessions of a Hearth signaling server. Errors are RFC 9457 problems with a stable `code`.",
  "",
  "Log in or register, then send the answer's `token` as `Authorization: Bearer <token>`.",
  "",
  "Chat, presence and account sync travel over the socket: plain WebSocket with one JSON object per frame on `/ws`,",
  "or Socket.IO (WebSocket transport) on `/socket.io/`.",
].join("\n");

const TAGS: Readonly<Record<string, string>> = {
  Operations: "How the server is.",
  Accounts: "Who you are: registering, the profile, the password, the account's end.",
  Sessions: "Where an account is signed in.",
  "Device tokens": "Where push notifications of an account go.",
  People: "Whom an account blocks, and what it reports to the operator.",
  Discovery: "Servers of chat that anybody may find.",
  Servers: "Servers of chat and their members.",
  Moderation: "Bans.",
  Invites: "Codes that let people into a server.",
  "Access requests": "Asking to be let into a private server.",
  Plugins: "Which plugins a server works with.",
};

function parametersIn(place: "path" | "query", schema: z.ZodType | undefined): JsonObject[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchemaOf(schema, "input") as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    ...PARAMETERS[name],
    schema: property,
  }));
}

function requestBody(route: RouteContract, schemas: Schemas): JsonObject {
  const schema = schemas.body(route);
  if (!schema) return {};
  const example = EXAMPLES[schemas.nameOfBody(route) ?? ""];
  return {
    requestBody: {
      required: !route.body?.safeParse({}).success,
      content: { "application/json": { schema, example } },
    },
  };
}

const SECURITY: Readonly<Record<RouteContract["auth"], readonly JsonObject[]>> = {
  none: [],
  optional: [{}, { bearer: [] }],
  bearer: [{ bearer: [] }],
};

function operation(route: RouteContract, schemas: Schemas, errors: ErrorResponses): JsonObject {
  const example = EXAMPLES[schemas.nameOfAnswer(route) ?? ""];
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    security: SECURITY[route.auth],
    parameters: [...parametersIn("path", route.params), ...parametersIn("query", route.query)],
    ...requestBody(route, schemas),
    responses: {
      [route.success.status]: successResponse(route, schemas, example),
      ...errors.of(route),
    },
  };
}

/** `/api/servers/:id` as OpenAPI writes it. */
export const templateOf = (path: string): string => path.replace(/:(\w+)/g, "{$1}");

/** The OpenAPI 3.1 document of the REST routes, from the schemas that validate their requests. */
export function openApiDocument(version: string, routes: readonly RouteContract[] = allRoutes): JsonObject {
  const schemas = collectSchemas(routes);
  const errors = new ErrorResponses();
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const route of routes) {
    const item = (paths[templateOf(route.path)] ??= {});
    item[route.method] = operation(route, schemas, errors);
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Hearth signaling server",
      version,
      description: DESCRIPTION,
    },
    servers: [{ url: "/", description: "This server" }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name, description: TAGS[name] })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "64 hexadecimal characters",
          description: "The `token` of a login or register answer",
        },
      },
      headers: HEADER_COMPONENTS,
      schemas: schemas.components,
      responses: errors.components,
    },
  };
}
