import * as contracts from "@hearth/contracts";
import type { RouteContract } from "@hearth/contracts";
import { z } from "zod";
import { problemSchema } from "./problem.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/** What answers carry, by the name it has in the document. */
const ANSWERS: Readonly<Record<string, z.ZodType>> = {
  AccessRequest: contracts.accessRequestSchema,
  Account: contracts.accountSchema,
  AccountExport: contracts.accountExportSchema,
  Ban: contracts.banSchema,
  Block: contracts.blockSchema,
  Channel: contracts.channelSchema,
  Credential: contracts.credentialSchema,
  DeviceToken: contracts.deviceTokenSchema,
  Health: contracts.healthSchema,
  Invite: contracts.inviteSchema,
  InvitePreview: contracts.invitePreviewSchema,
  JoinedServer: contracts.joinedServerSchema,
  JoinedServerSummary: contracts.joinedServerSummarySchema,
  Member: contracts.memberSchema,
  PluginSupport: contracts.pluginSupportSchema,
  Problem: problemSchema,
  Registration: contracts.registrationSchema,
  Server: contracts.serverSchema,
  ServerSummary: contracts.serverSummarySchema,
  SessionInfo: contracts.sessionInfoSchema,
};

const COMPONENTS = "#/components/schemas/";
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const isSafeBound = (value: unknown): boolean =>
  typeof value === "number" && Math.abs(value) === Number.MAX_SAFE_INTEGER;

interface Rendered {
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}

/** Patterns of a number's spelling in a query tell a reader nothing. */
function tidyInput({ jsonSchema }: Rendered): void {
  if (jsonSchema.type === "integer") delete jsonSchema.pattern;
}

/** Nor do bounds that only say "an integer", where we are the ones who write it. */
function tidyOutput({ jsonSchema }: Rendered): void {
  if (isSafeBound(jsonSchema.minimum)) delete jsonSchema.minimum;
  if (isSafeBound(jsonSchema.maximum)) delete jsonSchema.maximum;
}

const TIDY = { input: tidyInput, output: tidyOutput } as const;

type Direction = keyof typeof TIDY;

export const jsonSchemaOf = (schema: z.ZodType, io: Direction): JsonObject => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, override: TIDY[io] });
  return rest;
};

type Names = z.core.$ZodRegistry<{ id: string }>;

function render(names: Names, io: Direction): Record<string, JsonObject> {
  const uri = (id: string): string => COMPONENTS + id;
  const { schemas } = z.toJSONSchema(names, { io, uri, override: TIDY[io] });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema]),
  );
}

/** `ServerPage` for a page of servers, `SessionInfoList` for an array, else after the operation. */
function answerName(schema: z.ZodType, names: Names, route: RouteContract): string {
  if (schema instanceof z.ZodArray)
    return `${nameOf(schema.element, names) ?? capital(route.operationId)}List`;
  const items = schema instanceof z.ZodObject ? (schema.shape as z.ZodRawShape)["items"] : undefined;
  const item = items instanceof z.ZodArray ? nameOf(items.element, names) : undefined;
  return item === undefined ? `${capital(route.operationId)}Result` : `${item}Page`;
}

const nameOf = (schema: z.core.$ZodType, names: Names): string | undefined => names.get(schema)?.id;

/** The schemas of the document, and where each route's own are found in it. */
export interface Schemas {
  readonly components: Readonly<Record<string, JsonObject>>;
  body(route: RouteContract): JsonObject | undefined;
  answer(route: RouteContract): JsonObject | undefined;
  /** The component's name, under which its example is found. */
  nameOfBody(route: RouteContract): string | undefined;
  nameOfAnswer(route: RouteContract): string | undefined;
}

export function collectSchemas(routes: readonly RouteContract[]): Schemas {
  const bodies: Names = z.registry();
  const answers: Names = z.registry();
  for (const [id, schema] of Object.entries(ANSWERS)) answers.add(schema, { id });
  for (const route of routes) {
    const { body, success } = route;
    if (body && !bodies.has(body)) bodies.add(body, { id: `${capital(route.operationId)}Body` });
    if (success.schema && !answers.has(success.schema)) {
      answers.add(success.schema, { id: answerName(success.schema, answers, route) });
    }
  }
  const reference = (name: string | undefined): JsonObject | undefined =>
    name === undefined ? undefined : { $ref: COMPONENTS + name };
  const nameOfBody = ({ body }: RouteContract) => body && nameOf(body, bodies);
  const nameOfAnswer = ({ success }: RouteContract) => success.schema && nameOf(success.schema, answers);
  const rendered = { ...render(answers, "output"), ...render(bodies, "input") };
  return {
    components: Object.fromEntries(
      Object.entries(rendered).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ),
    body: (route) => reference(nameOfBody(route)),
    answer: (route) => reference(nameOfAnswer(route)),
    nameOfBody,
    nameOfAnswer,
  };
}
