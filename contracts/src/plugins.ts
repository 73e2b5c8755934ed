import { z } from "zod";
import { anyText, epochMs, uuid } from "./text.ts";

/** DI5: a plugin that a server requests from its members' clients. */
export interface PluginSupport {
  readonly pluginId: string;
  readonly version: string;
  readonly required: "required" | "recommended" | "optional";
  readonly config: Readonly<Record<string, unknown>> | null;
  readonly updatedAt: number;
  readonly updatedBy: string;
}

const requirement = z.enum(["required", "recommended", "optional"]);

export const pluginSupportSchema = z.object({
  pluginId: z.string(),
  version: z.string(),
  required: requirement,
  config: z.record(z.string(), z.unknown()).nullable(),
  updatedAt: epochMs,
  updatedBy: uuid,
}) satisfies z.ZodType<PluginSupport>;

export const putPluginBody = z.object({
  version: anyText(1, 64),
  required: requirement,
  config: z.record(z.string(), z.unknown()).optional(),
});

export const pluginId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/, "is not a plugin id");
