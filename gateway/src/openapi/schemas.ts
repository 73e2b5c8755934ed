import * as contracts from "@hearth/contracts";
import type { RouteContract } from "@hearth/contracts";
import { z } from "zod";
import { problemSchema } from "./problem.ts";

/** Schemas of answers that other answers contain, by their names in the document. */
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

/** The schemas that become components of the document, and their names. */
export type SchemaNames = ReadonlyMap<z.ZodType, string>;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `ServerPage` for a page of servers, `SessionInfoList` for an array, otherwise after the operation. */
function answerName(schema: z.ZodType, names: SchemaNames, { operationId }: RouteContract): string {
  if (schema instanceof z.ZodArray)
    return `${names.get(schema.element as z.ZodType) ?? capital(operationId)}List`;
  const items = schema instanceof z.ZodObject ? (schema.shape as z.ZodRawShape)["items"] : undefined;
  const item = items instanceof z.ZodArray ? names.get(items.element as z.ZodType) : undefined;
  return item === undefined ? `${capital(operationId)}Result` : `${item}Page`;
}

export function nameSchemas(routes: readonly RouteContract[]): SchemaNames {
  const names = new Map(Object.entries(ANSWERS).map(([name, schema]) => [schema, name]));
  for (const route of routes) {
    const { body, success, operationId } = route;
    if (body && !names.has(body)) names.set(body, `${capital(operationId)}Body`);
    if (success.schema && !names.has(success.schema))
      names.set(success.schema, answerName(success.schema, names, route));
  }
  return names;
}
