import { z } from "zod";
import type { LocalServerState } from "./local-api.ts";
import type { LocalApiSettings } from "@hearth/device";
import type { LocalTokenInfo } from "./local-api.ts";
import type {
  DeepLink,
  LocalApiView,
  LocalDocument,
  NotificationTarget,
  SecretLevel,
  SettingsChange,
} from "./bridge.ts";
import { CALL } from "./channel-names.ts";
import type { CallName } from "./channel-names.ts";
import { storeRead, storeWrite } from "./store-calls.ts";

const nothing = z.undefined();
const short = z.string().min(1).max(256);
const url = z.string().min(1).max(2_048);
const secretName = z
  .string()
  .max(512)
  .regex(/^[\w.:/@-]+$/);

/** Checks the shape only; the settings validate each value. */
const settingsChange = z.strictObject({
  enabled: z.boolean().exactOptional(),
  port: z.union([z.number(), z.nan()]).exactOptional(),
  exposeOnLan: z.boolean().exactOptional(),
  referenceDocsEnabled: z.boolean().exactOptional(),
  staticDocsEnabled: z.boolean().exactOptional(),
  allowedSignalingServers: z.array(z.string().max(2_048)).max(100).readonly().exactOptional(),
}) satisfies z.ZodType<Partial<LocalApiSettings>>;

const target: z.ZodType<NotificationTarget> = z.strictObject({
  signalServerUrl: url,
  roomId: short,
  messageId: short,
});

const settings: z.ZodType<LocalApiSettings> = z.object({
  enabled: z.boolean(),
  port: z.number(),
  exposeOnLan: z.boolean(),
  referenceDocsEnabled: z.boolean(),
  staticDocsEnabled: z.boolean(),
  allowedSignalingServers: z.array(z.string()),
});

const state: z.ZodType<LocalServerState> = z.object({
  status: z.enum(["stopped", "starting", "listening", "failed"]),
  urls: z.array(z.string()),
  lastError: z.string().nullable(),
});

const token: z.ZodType<LocalTokenInfo> = z.object({
  id: z.string(),
  userId: z.string(),
  username: z.string(),
  serverUrl: z.string(),
  createdAt: z.number(),
  lastUsedAt: z.number().nullable(),
  expiresAt: z.number(),
  remoteAddress: z.string(),
  userAgent: z.string().nullable(),
});

/** Drops all fields that the page is not meant to get. */
export const localApiView: z.ZodType<LocalApiView> = z.object({
  settings,
  state,
  tokens: z.array(token),
});

const changed: z.ZodType<SettingsChange> = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), view: localApiView }),
  z.object({ ok: z.literal(false), issues: z.array(z.object({ path: z.string(), message: z.string() })) }),
]);

const level: z.ZodType<SecretLevel> = z.enum(["protected", "session"]);

const link: z.ZodType<DeepLink> = z.discriminatedUnion("page", [
  z.object({ page: z.literal("home") }),
  z.object({ page: z.literal("local-api") }),
  z.object({ page: z.literal("invite"), signalServerUrl: z.string(), inviteId: z.string() }),
]);

const channel = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output });

/** The input and output of every call. */
export const CALLS = {
  [CALL.viewLocalApi]: channel(nothing, localApiView),
  [CALL.changeLocalApi]: channel(settingsChange, changed),
  [CALL.revokeToken]: channel(short, localApiView),
  [CALL.revokeAllTokens]: channel(nothing, localApiView),
  [CALL.openDocument]: channel(
    z.enum(["reference", "static-docs"]) satisfies z.ZodType<LocalDocument>,
    localApiView,
  ),
  [CALL.secretLevel]: channel(nothing, level),
  [CALL.getSecret]: channel(secretName, z.string().nullable()),
  [CALL.setSecret]: channel(z.strictObject({ name: secretName, value: z.string().max(16_384) }), level),
  [CALL.removeSecret]: channel(secretName, nothing),
  [CALL.showNotification]: channel(
    z.strictObject({ title: z.string().min(1).max(200), body: z.string().max(1_000), target }),
    nothing,
  ),
  [CALL.takeActivations]: channel(nothing, z.array(target)),
  [CALL.takeLinks]: channel(nothing, z.array(link)),
  [CALL.getAutoStart]: channel(nothing, z.boolean()),
  [CALL.setAutoStart]: channel(z.boolean(), z.boolean()),
  // The store returns only its own records.
  [CALL.readStore]: channel(storeRead, z.unknown()),
  [CALL.writeStore]: channel(storeWrite, nothing),
} as const satisfies Record<CallName, { input: z.ZodType; output: z.ZodType }>;

export type CallInput<N extends CallName> = z.output<(typeof CALLS)[N]["input"]>;
export type CallOutput<N extends CallName> = z.output<(typeof CALLS)[N]["output"]>;

/** One function per call of the page. */
export type CallHandlers = {
  readonly [N in CallName]: (input: CallInput<N>) => CallOutput<N> | Promise<CallOutput<N>>;
};

/** How a result crosses: an error keeps only its code and sentence. */
export type Answer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } };
