const at = 1_790_000_000_000;
const userId = "0198c3a0-7c1e-7d3a-9b52-3f1c6d2e8a41";
const otherUserId = "0198c3a1-02b4-7e0f-8a6d-5b9c0e7f1d23";
const serverId = "0198c3a2-5e90-7b11-a3c4-9d8e7f6a5b10";
const id = "0198c3a3-1f77-7c52-b0de-2a4c6e8f0b35";

export const EXAMPLE_REQUEST_ID = "5f0c1c1e-8f0b-4b0e-9a55-1d2f9b3f7c11";

const channel = { id, name: "general", kind: "text", position: 0 };
const server = {
  id: serverId,
  name: "The lighthouse",
  description: "Sailors, weather and tea.",
  iconHash: null,
  tags: ["sailing", "weather"],
  visibility: "public",
  ownerId: userId,
  memberCount: 12,
  onlineCount: 3,
  featured: false,
  channels: [channel],
  createdAt: at,
  updatedAt: at,
  version: 1,
};
const { channels: _, ...serverSummary } = server;
const joinedServer = { ...server, role: "owner", joinedAt: at };
const member = { userId: otherUserId, username: "bo", displayName: "Bo", role: "member", joinedAt: at };
const ban = { userId: otherUserId, bannedBy: userId, reason: "Spam", createdAt: at, expiresAt: null };
const request = {
  id,
  serverId,
  userId: otherUserId,
  username: "bo",
  displayName: "Bo",
  message: "I sail, too.",
  status: "pending",
  createdAt: at,
  decidedAt: null,
  decidedBy: null,
};
const plugin = {
  pluginId: "weather-map",
  version: "1.4.0",
  required: "recommended",
  config: { units: "metric" },
  updatedAt: at,
  updatedBy: userId,
};
const session = {
  id,
  current: true,
  createdAt: at,
  lastUsedAt: at,
  expiresAt: at + 315_360_000_000,
  ip: "203.0.113.7",
  userAgent: "Mozilla/5.0",
  deviceName: "Laptop",
};
const deviceToken = {
  deviceId: "phone-1",
  platform: "android",
  token: "fcm-registration-token",
  updatedAt: at,
};
const { name, description, iconHash, memberCount, onlineCount } = server;
const invite = {
  code: "q7Xk2mPa",
  serverId,
  createdBy: userId,
  createdAt: at,
  expiresAt: null,
  maxUses: 10,
  uses: 2,
};

const pageOf = (item: unknown) => ({ items: [item], nextCursor: null });

/** Examples by the name of their component. Tests check each one against its schema. */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
  AccessRequest: request,
  AccessRequestPage: pageOf(request),
  Account: { id: userId, username: "ada", displayName: "Ada", createdAt: at },
  AccountExport: {
    exportedAt: at,
    account: { id: userId, username: "ada", displayName: "Ada", createdAt: at },
    discovery: { memberships: [] },
  },
  BanPage: pageOf(ban),
  Ban: ban,
  Block: { userId: otherUserId, createdAt: at },
  BlockPage: { items: [{ userId: otherUserId, createdAt: at }] },
  Credential: {
    id: userId,
    username: "ada",
    displayName: "Ada",
    token: "3f9c1e7a5b2d8046".repeat(4),
    expiresAt: at + 315_360_000_000,
  },
  DeviceToken: deviceToken,
  DeviceTokenList: [deviceToken],
  Health: {
    status: "ok",
    version: "0.1.0",
    timestamp: at,
    services: { auth: "ready", presence: "ready", discovery: "ready", sync: "ready" },
  },
  Invite: invite,
  InvitePage: pageOf(invite),
  InvitePreview: {
    code: invite.code,
    expiresAt: null,
    server: { id: serverId, name, description, iconHash, memberCount, onlineCount },
  },
  JoinedServer: joinedServer,
  JoinedServerSummary: { ...serverSummary, role: "owner", joinedAt: at },
  JoinedServerSummaryPage: pageOf({ ...serverSummary, role: "owner", joinedAt: at }),
  Member: member,
  MemberPage: pageOf(member),
  PluginSupport: plugin,
  PluginSupportList: [plugin],
  Registration: { mode: "open" },
  Server: server,
  ServerSummary: serverSummary,
  ServerSummaryPage: pageOf(serverSummary),
  SessionInfoList: [session],
  RegisterBody: { username: "ada", password: "a long passphrase", displayName: "Ada", deviceName: "Laptop" },
  LoginBody: { username: "ada", password: "a long passphrase", deviceName: "Laptop" },
  UpdateAccountBody: { displayName: "Ada L." },
  ChangePasswordBody: { currentPassword: "a long passphrase", newPassword: "a longer passphrase" },
  ResetPasswordBody: { code: "n5Zr0mWf8aQk3tYv", newPassword: "a longer passphrase" },
  DeleteAccountBody: { currentPassword: "a long passphrase", ownedServers: "transfer" },
  ReportUserBody: { userId: otherUserId, reason: "spam", quotedText: "Cheap sails!" },
  EndOtherSessionsBody: { currentPassword: "a long passphrase" },
  PutDeviceTokenBody: { platform: "android", token: "fcm-registration-token" },
  CreateServerBody: {
    name,
    description,
    tags: server.tags,
    visibility: "public",
    channels: [{ name: "general" }],
  },
  UpdateServerBody: { description: "Sailors, weather, tea and cake.", version: 1 },
  JoinServerBody: { inviteCode: invite.code },
  TransferServerBody: { userId: otherUserId },
  SetRoleBody: { role: "moderator" },
  BanUserBody: { reason: "Spam" },
  CreateInviteBody: { maxUses: 10 },
  CreateRequestBody: { message: "I sail, too." },
  DecideRequestBody: { status: "approved" },
  PutPluginBody: { version: "1.4.0", required: "recommended", config: { units: "metric" } },
};

interface ParameterText {
  readonly description: string;
  readonly example?: unknown;
}

/** Descriptions and examples of parameters, by name. */
export const PARAMETERS: Readonly<Record<string, ParameterText>> = {
  id: { description: "The id of the record", example: serverId },
  userId: { description: "A user's id", example: userId },
  deviceId: { description: "The name a device goes by", example: deviceToken.deviceId },
  pluginId: { description: "The plugin's id", example: plugin.pluginId },
  code: { description: "An invite code", example: invite.code },
  limit: {
    description: "How many items a page has; 50 unless given. Any whole number, clamped to 1..100",
    example: 50,
  },
  cursor: { description: "The `nextCursor` of the page before; one of another list is `NOT_FOUND`" },
  tag: { description: "Only servers with this tag", example: "sailing" },
  q: { description: "What to look for", example: "lighthouse" },
};
