import { allRoutes } from "@hearth/contracts";
import type { RouteContract } from "@hearth/contracts";
import { z } from "zod";
import { createDocument } from "zod-openapi";
import type { ZodOpenApiOperationObject, ZodOpenApiOverride, ZodOpenApiPathsObject } from "zod-openapi";
import { EXAMPLES, PARAMETERS } from "./examples.ts";
import { HEADER_COMPONENTS, createErrorResponses, successResponse } from "./responses.ts";
import type { ErrorResponses } from "./responses.ts";
import { nameSchemas } from "./schemas.ts";
import type { SchemaNames } from "./schemas.ts";

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

/** The parameters with their descriptions and examples. */
function described(schema: z.ZodType | undefined): z.ZodObject | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined;
  const shape = schema.shape as z.ZodRawShape;
  const parameters = Object.entries(shape).map(([name, each]) => {
    const param = { required: false, ...PARAMETERS[name] };
    return [name, (each as z.ZodType).meta({ param })] as const;
  });
  return z.object(Object.fromEntries(parameters));
}

function requestBody(
  { body }: RouteContract,
  names: SchemaNames,
): Pick<ZodOpenApiOperationObject, "requestBody"> {
  if (!body) return {};
  const media = { schema: body, example: EXAMPLES[names.get(body) ?? ""] };
  return { requestBody: { required: !body.safeParse({}).success, content: { "application/json": media } } };
}

const SECURITY: Readonly<Record<RouteContract["auth"], Record<string, string[]>[]>> = {
  none: [],
  optional: [{}, { bearer: [] }],
  bearer: [{ bearer: [] }],
};

function operation(
  route: RouteContract,
  names: SchemaNames,
  errors: ErrorResponses,
): ZodOpenApiOperationObject {
  const path = described(route.params);
  const query = described(route.query);
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    security: SECURITY[route.auth],
    parameters: [],
    requestParams: { ...(path && { path }), ...(query && { query }) },
    ...requestBody(route, names),
    responses: { [route.success.status]: successResponse(route, names), ...errors(route) },
  };
}

/** `/api/servers/:id` as OpenAPI writes it. */
export const templateOf = (path: string): string => path.replace(/:(\w+)/g, "{$1}");

const isSafeBound = (value: unknown): boolean =>
  typeof value === "number" && Math.abs(value) === Number.MAX_SAFE_INTEGER;

/** Removes what tells a reader nothing: the pattern of a number's spelling in a query, bounds of any integer. */
const override: ZodOpenApiOverride = ({ jsonSchema, io }) => {
  if (io === "input" && jsonSchema.type === "integer") delete jsonSchema.pattern;
  if (io === "output" && isSafeBound(jsonSchema.minimum)) delete jsonSchema.minimum;
  if (io === "output" && isSafeBound(jsonSchema.maximum)) delete jsonSchema.maximum;
};

/** The OpenAPI 3.1 document of the REST routes, from the schemas that validate their requests. */
export function openApiDocument(version: string, routes: readonly RouteContract[] = allRoutes): object {
  const names = nameSchemas(routes);
  // Where zod-openapi looks for the names of components.
  for (const [schema, id] of names) z.globalRegistry.add(schema, { id });
  const errors = createErrorResponses();
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    const path = templateOf(route.path);
    paths[path] = { ...paths[path], [route.method]: operation(route, names, errors) };
  }
  return createDocument(
    {
      openapi: "3.1.1",
      info: { title: "Hearth signaling server", version, description: DESCRIPTION },
      servers: [{ url: "/", description: "This server" }],
      tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({
        name,
        description: TAGS[name] ?? name,
      })),
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
      },
    },
    { override },
  );
}
