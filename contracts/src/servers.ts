import { z } from "zod";
import { LIMITS } from "./limits.ts";
import { anyText, epochMs, textBlock, uuid, visibleName } from "./text.ts";

export const VISIBILITIES = ["public", "unlisted", "private"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

export const CHANNEL_KINDS = ["text", "voice"] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

export const ROLES = ["owner", "moderator", "member"] as const;

/** What a member of a server may do: the owner everything, a moderator more than a member. */
export type Role = (typeof ROLES)[number];

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly kind: ChannelKind;
  readonly position: number;
}

/** DI1. `version` grows with every write; a `PUT` with an older version is refused (rule DI8). */
export interface Server {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly iconHash: string | null;
  readonly tags: readonly string[];
  readonly visibility: Visibility;
  readonly ownerId: string;
  readonly memberCount: number;
  readonly onlineCount: number;
  readonly featured: boolean;
  readonly channels: readonly Channel[];
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly version: number;
}

export const visibilitySchema = z.enum(VISIBILITIES);
export const channelKindSchema = z.enum(CHANNEL_KINDS);
export const roleSchema = z.enum(ROLES);

export const channelSchema = z.object({
  id: uuid,
  name: z.string(),
  kind: channelKindSchema,
  position: z.int(),
}) satisfies z.ZodType<Channel>;

export const serverSchema = z.object({
  id: uuid,
  name: z.string(),
  description: z.string(),
  iconHash: z.string().nullable(),
  tags: z.array(z.string()),
  visibility: visibilitySchema,
  ownerId: uuid,
  memberCount: z.int(),
  onlineCount: z.int(),
  featured: z.boolean(),
  channels: z.array(channelSchema),
  createdAt: epochMs,
  updatedAt: epochMs,
  version: z.int(),
}) satisfies z.ZodType<Server>;

/** A server as its members see it in `GET /api/servers/mine` and after a join. */
export interface JoinedServer extends Server {
  readonly role: Role;
  readonly joinedAt: number;
}

export const joinedServerSchema = serverSchema.extend({
  role: roleSchema,
  joinedAt: epochMs,
}) satisfies z.ZodType<JoinedServer>;

/** AB3: a server in a list. `GET /api/servers/:id`, a join and `server_joined` include the channels. */
export type ServerSummary = Omit<Server, "channels">;
export const serverSummarySchema = serverSchema.omit({ channels: true }) satisfies z.ZodType<ServerSummary>;

export type JoinedServerSummary = Omit<JoinedServer, "channels">;
export const joinedServerSummarySchema = joinedServerSchema.omit({
  channels: true,
}) satisfies z.ZodType<JoinedServerSummary>;

/** A page of a list. Pass `nextCursor` as `cursor` for the next page; it is `null` on the last one. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() });

/**
 * Letters, marks and digits of every script in the basic plane, as ranges that every regex dialect understands.
 */
const TAG_LETTERS = [
  "0-9A-Z_a-z\\u00AA\\u00B5\\u00B7\\u00BA\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u034E\\u0350-\\u037D\\u037F-\\u061B",
  "\\u061D-\\u115E\\u1161-\\u180A\\u1810-\\u1FEE\\u1FF0-\\u1FFC\\u2C00-\\u2DFF\\u3005-\\u3007\\u3021-\\u3029\\u3031-\\u3035",
  "\\u3038-\\u303C\\u3041-\\u3163\\u3165-\\uD7FB\\uF900-\\uFDCF\\uFE70-\\uFEFC\\uFF10-\\uFF19\\uFF21-\\uFF3A\\uFF41-\\uFF5A",
  "\\uFF66-\\uFF9F\\uFFA1-\\uFFDC",
].join("");
const TAG = `^[${TAG_LETTERS}-]+$`;

const tag = anyText(1, 32)
  .toLowerCase()
  .regex(new RegExp(TAG, "u"), "may contain letters, digits, and _ -")
  .meta({ minLength: 1, maxLength: 32, pattern: TAG });

/**
 * A channel in a client's request. A channel without `id` is created; an existing channel that the list does not
 * contain is deleted. Without `kind` an existing channel keeps its kind and a new one is a text channel.
 */
const channelInput = z.object({
  id: uuid.optional(),
  name: visibleName(64),
  kind: channelKindSchema.optional(),
});

/** A channel of a new server, which cannot have an id yet. */
const newChannel = channelInput.extend({ id: z.never().optional() });

const serverFields = {
  name: visibleName(100),
  description: textBlock(2000),
  iconHash: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,128}$/)
    .nullable(),
  tags: z.array(tag).max(10),
  visibility: visibilitySchema,
  /** The maximum exceeds the default quota, so that the quota answers `QUOTA_EXCEEDED` (rule AB4). */
  channels: z.array(channelInput).min(1).max(500),
};

export const createServerBody = z.object({
  name: serverFields.name,
  description: serverFields.description.default(""),
  iconHash: serverFields.iconHash.default(null),
  tags: serverFields.tags.default([]),
  visibility: serverFields.visibility.default("public"),
  channels: z.array(newChannel).min(1).max(500).optional(),
});

/** `version` is the version that the client read; without it the update overwrites any version (rule DI8). */
export const updateServerBody = z.object(serverFields).partial().extend({ version: z.int().optional() });

/** A limit from a query string, clamped to `1..max` (rule DI2). Refuses anything but a whole number. */
const clampedLimit = z
  .string()
  .regex(/^-?\d+$/, "must be a whole number")
  .transform((text) => Math.min(LIMITS.page.max, Math.max(1, Number(text))))
  .optional()
  .transform((limit) => limit ?? LIMITS.page.default)
  .meta({ type: "integer" });

/** The format of a cursor. The service checks whether it belongs to the list (`NOT_FOUND`). */
export const cursor = z
  .string()
  .max(512)
  .regex(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{16}$/, "is not a cursor");
const page = { limit: clampedLimit, cursor: cursor.optional() };

export const pageQuery = z.object(page);
export const listServersQuery = z.object({ ...page, tag: tag.optional() });
export const searchServersQuery = z.object({ ...page, q: anyText(1, 200) });

export const inviteCode = z.string().regex(/^[A-Za-z0-9]{6,32}$/, "is not an invite code");
export const joinServerBody = z.object({ inviteCode: inviteCode.optional() });

/** Absent from servers of earlier versions. */
const username = z.string().nullable().default(null);

export interface Member {
  readonly userId: string;
  /** AB8: `null` when the server does not know it. */
  readonly username: string | null;
  readonly displayName: string;
  readonly role: Role;
  readonly joinedAt: number;
}

export const memberSchema = z.object({
  userId: uuid,
  username,
  displayName: z.string(),
  role: roleSchema,
  joinedAt: epochMs,
}) satisfies z.ZodType<Member>;

export const setRoleBody = z.object({ role: roleSchema.exclude(["owner"]) });
export const transferBody = z.object({ userId: uuid });

/** A ban. With `expiresAt` `null` it lasts until it is lifted. */
export interface Ban {
  readonly userId: string;
  readonly bannedBy: string;
  readonly reason: string | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

export const banSchema = z.object({
  userId: uuid,
  bannedBy: uuid,
  reason: z.string().nullable(),
  createdAt: epochMs,
  expiresAt: epochMs.nullable(),
}) satisfies z.ZodType<Ban>;

export const banBody = z.object({ reason: textBlock(500).optional(), expiresAt: epochMs.optional() });

export interface Invite {
  readonly code: string;
  readonly serverId: string;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly maxUses: number | null;
  readonly uses: number;
}

export const inviteSchema = z.object({
  code: z.string(),
  serverId: uuid,
  createdBy: uuid,
  createdAt: epochMs,
  expiresAt: epochMs.nullable(),
  maxUses: z.int().nullable(),
  uses: z.int(),
}) satisfies z.ZodType<Invite>;

export const createInviteBody = z.object({
  expiresAt: epochMs.optional(),
  maxUses: z.int().min(1).max(1_000_000).optional(),
});

/** The information that an invite code reveals before joining. */
export interface InvitePreview {
  readonly code: string;
  readonly expiresAt: number | null;
  readonly server: Pick<Server, "id" | "name" | "description" | "iconHash" | "memberCount" | "onlineCount">;
}

export const invitePreviewSchema = z.object({
  code: z.string(),
  expiresAt: epochMs.nullable(),
  server: serverSchema.pick({
    id: true,
    name: true,
    description: true,
    iconHash: true,
    memberCount: true,
    onlineCount: true,
  }),
}) satisfies z.ZodType<InvitePreview>;

export const REQUEST_STATUSES = ["pending", "approved", "rejected"] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

const requestStatus = z.enum(REQUEST_STATUSES);

/** DI4: a user's request to enter a private server. */
export interface AccessRequest {
  readonly id: string;
  readonly serverId: string;
  readonly userId: string;
  /** AB8: `null` when the server does not know it. */
  readonly username: string | null;
  readonly displayName: string;
  readonly message: string | null;
  readonly status: RequestStatus;
  readonly createdAt: number;
  readonly decidedAt: number | null;
  readonly decidedBy: string | null;
}

export const accessRequestSchema = z.object({
  id: uuid,
  serverId: uuid,
  userId: uuid,
  username,
  displayName: z.string(),
  message: z.string().nullable(),
  status: requestStatus,
  createdAt: epochMs,
  decidedAt: epochMs.nullable(),
  decidedBy: uuid.nullable(),
}) satisfies z.ZodType<AccessRequest>;

export const createRequestBody = z.object({ message: textBlock(500).optional() });
export const decideRequestBody = z.object({ status: requestStatus.exclude(["pending"]) });
