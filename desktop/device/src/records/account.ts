import { z } from "zod";
import { hashSchema, idSchema, mimeSchema, nameSchema, timeSchema, urlSchema } from "./kinds.ts";

/** Bytes of an emoji, and characters of a plugin's value or of a meta record. */
export const MAX_VALUE_SIZE = 4 * 1_024 * 1_024;

/** A custom emoji of the account. */
export interface DeviceEmoji {
  readonly id: string;
  readonly shortcode: string;
  readonly mime: string;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  readonly bytes: Uint8Array;
  readonly updatedAt: number;
}

export const emojiSchema = z.object({
  id: idSchema,
  shortcode: nameSchema,
  mime: mimeSchema,
  hash: hashSchema,
  bytes: z.instanceof(Uint8Array).refine(({ byteLength }) => byteLength <= MAX_VALUE_SIZE),
  updatedAt: timeSchema,
}) satisfies z.ZodType<DeviceEmoji>;

/** A plugin's value, for the device alone or for one server. */
export interface PluginDatum {
  readonly pluginId: string;
  readonly key: string;
  readonly scope: "local" | "server";
  /** The server; `null` in the scope `local`. */
  readonly serverId: string | null;
  /** Any JSON value. */
  readonly value: unknown;
}

export const pluginKeySchema = z.object({
  pluginId: idSchema,
  key: nameSchema,
  scope: z.enum(["local", "server"]),
  serverId: idSchema.nullable(),
}) satisfies z.ZodType<Omit<PluginDatum, "value">>;

/** An account that the device holds on a signaling server; its token and secret are kept elsewhere (interface 2.7). */
export interface DeviceCredential {
  readonly signalServerUrl: string;
  readonly userId: string;
  readonly username: string;
  readonly displayName: string;
  readonly expiresAt: number;
  readonly autoProvisioned: boolean;
  readonly isHome: boolean;
}

export const credentialSchema = z.object({
  signalServerUrl: urlSchema,
  userId: idSchema,
  username: nameSchema,
  displayName: nameSchema,
  expiresAt: timeSchema,
  autoProvisioned: z.boolean(),
  isHome: z.boolean(),
}) satisfies z.ZodType<DeviceCredential>;
