import { BLANK_MESSAGE } from "@hearth/device";
import { positionText } from "../src/pages.ts";
import type { LocalLogin } from "../src/access/local-access.ts";
import type {
  DeviceAttachment,
  DeviceBan,
  DeviceMessage,
  DeviceProfile,
  DeviceReaction,
  DeviceRoom,
  DeviceRoomUser,
  DeviceUser,
} from "@hearth/device";

export const EXAMPLE_REQUEST_ID = "5f0c1c1e-8f0b-4b0e-9a55-1d2f9b3f7c11";

const at = 1_790_000_000_000;
const signalServerUrl = "https://chat.example.org";
const userId = "0198c3a0-7c1e-7d3a-9b52-3f1c6d2e8a41";
const otherUserId = "0198c3a1-02b4-7e0f-8a6d-5b9c0e7f1d23";
const roomId = "0198c3a2-5e90-7b11-a3c4-9d8e7f6a5b10";
const channelId = "0198c3a3-1f77-7c52-b0de-2a4c6e8f0b35";
const messageId = "0198c3a4-93d1-7a06-8c2b-e1f0d9c8b7a6";
const attachmentId = "0198c3a5-20c8-7f4e-9a11-6d5c4b3a2918";
const clientInstanceId = "5b0e6a52-3f0d-4c59-8a55-0c1f7f6f2a10";
const hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

const profile: DeviceProfile = {
  id: userId,
  username: "mira",
  displayName: "Mira",
  homeSignalServerUrl: signalServerUrl,
  avatarHash: hash,
  avatarMime: "image/png",
  cardText: "Sails on weekends.",
  updatedAt: at,
};

const room: DeviceRoom = {
  id: roomId,
  kind: "server",
  name: "The lighthouse",
  description: "Sailors, weather and tea.",
  signalServerUrl,
  actorUserId: userId,
  iconHash: null,
  tags: ["sailing", "weather"],
  visibility: "public",
  ownerId: userId,
  peerUserId: null,
  role: "owner",
  channels: [{ id: channelId, name: "general", kind: "text", position: 0 }],
  muted: false,
  lastReadMessageId: messageId,
  lastReadAt: at,
  createdAt: at,
  joinedAt: at,
  updatedAt: at,
};

const user: DeviceUser = {
  id: otherUserId,
  username: "bo",
  displayName: "Bo",
  signalServerUrl,
  avatarHash: null,
  avatarMime: null,
  cardText: "",
  isFriend: true,
  updatedAt: at,
};

const member: DeviceRoomUser = { ...user, roomId, role: "member", joinedAt: at, lastSeenAt: at };

const message: DeviceMessage = {
  ...BLANK_MESSAGE,
  id: messageId,
  roomId,
  channelId,
  senderId: otherUserId,
  senderDisplayName: "Bo",
  content: "Wind from the **west** tomorrow, 4 to 5.",
  timestamp: at,
  revision: 1,
  editedAt: at + 60_000,
  deletedAt: null,
  delivery: "sent",
  clientInstanceId,
  updatedAt: at + 60_000,
};

const reaction: DeviceReaction = { messageId, emoji: "⛵", userId, createdAt: at };

const attachment: DeviceAttachment = {
  id: attachmentId,
  messageId,
  roomId,
  filename: "chart.png",
  size: 48_211,
  mime: "image/png",
  hash,
  isLocal: true,
  createdAt: at,
};

const ban: DeviceBan = {
  roomId,
  userId: otherUserId,
  bannedBy: userId,
  reason: "Spam",
  createdAt: at,
  expiresAt: null,
};

const login: LocalLogin = {
  token: "3f9a6c1d7e5b48020d9c1b7a6e5f4d3c2b1a09f8e7d6c5b4a39281706f5e4d3c",
  expiresAt: at,
  user: { id: userId, username: "mira", displayName: "Mira" },
};

/** An example response for every operation with a body. */
export const ANSWERS: Readonly<Record<string, unknown>> = {
  getHealth: { status: "ok", version: "0.1.0", timestamp: at, exposeOnLan: false },
  getOpenApiDocument: {
    openapi: "3.1.1",
    info: { title: "Hearth local API", version: "0.1.0" },
    paths: {},
    components: {},
  },
  login,
  getProfile: profile,
  listRooms: [room],
  getRoom: room,
  listRoomUsers: [member],
  listRoomMessages: [message],
  listRoomMessagesSince: [message],
  listBans: [ban],
  getBan: { isBanned: true },
  getMessage: message,
  listReactions: [reaction],
  listMessageAttachments: [attachment],
  getUser: user,
  listAttachments: [attachment],
  getPluginValue: { value: { units: "metric" } },
  getMeta: { key: "app_currentUserId", value: userId },
};

export const BODIES: Readonly<Record<string, unknown>> = {
  login: { username: "mira", password: "correct horse battery staple", serverUrl: signalServerUrl },
};

/** Parameters by name, for all operations. */
export const PARAMETERS: Readonly<
  Record<string, { readonly description?: string; readonly example: unknown }>
> = {
  roomId: { description: "The room's id.", example: roomId },
  userId: { description: "The user's id.", example: otherUserId },
  messageId: { description: "The message's id.", example: messageId },
  limit: { example: 100 },
  offset: { example: 0 },
  after: { example: positionText({ timestamp: at, id: messageId }) },
  sinceTimestamp: { example: at },
  pluginId: { description: "The plugin's id.", example: "weather-map" },
  key: { description: "The key.", example: "app_currentUserId" },
  scope: { description: "Whether the value belongs to the device or to one server.", example: "local" },
  serverId: { example: roomId },
  "If-None-Match": { description: "An `ETag` of an earlier answer.", example: '"3f1c6d2e8a410198"' },
};
