import type { DeviceBan, DeviceRoom, NewMessage } from "@hearth/device";
import type { DeviceWriter } from "@hearth/store";

export const NOW = 1_790_000_000_000;
export const SERVER = "https://chat.example.org";
export const ROOM = "0198c3a2-5e90-7b11-a3c4-9d8e7f6a5b10";
export const EMPTY_ROOM = "0198c3a2-5e90-7b11-a3c4-9d8e7f6a5b11";
export const ME = "0198c3a0-7c1e-7d3a-9b52-3f1c6d2e8a41";
export const BO = "0198c3a1-02b4-7e0f-8a6d-5b9c0e7f1d23";
/** Prefixes for message ids, so that their order differs from that of their times. */
export const messageId = (n: number): string =>
  `0198c3a4-93d1-7a06-8c2b-${String((n * 7919) % 1_000_003).padStart(12, "0")}`;

const room = (id: string, name: string): DeviceRoom => ({
  id,
  kind: "server",
  name,
  description: "",
  signalServerUrl: SERVER,
  actorUserId: ME,
  iconHash: null,
  tags: [],
  visibility: "public",
  ownerId: ME,
  peerUserId: null,
  role: "owner",
  channels: [{ id: "general", name: "general", kind: "text", position: 0 }],
  muted: false,
  lastReadMessageId: null,
  lastReadAt: null,
  createdAt: NOW,
  joinedAt: NOW,
  updatedAt: NOW,
});

/** Three messages share each time, so that the id decides. */
export const messageOf = (n: number): NewMessage => ({
  id: messageId(n),
  roomId: ROOM,
  channelId: null,
  senderId: BO,
  senderDisplayName: "Bo",
  content: `Message ${n} "quoted" \u2028 \u{1f600}`,
  replyToId: null,
  mentions: n % 2 === 0 ? [ME] : [],
  timestamp: NOW + Math.floor(n / 3),
  delivery: "sent",
  clientInstanceId: null,
});

const ban = (userId: string, expiresAt: number | null): DeviceBan => ({
  roomId: ROOM,
  userId,
  bannedBy: ME,
  reason: null,
  createdAt: NOW,
  expiresAt,
});

/** The path of the sample's attachment; no response may contain it. */
export const LOCAL_PATH = "/home/mira/hearth/attachments/chart.png";
export const ATTACHMENT = "0198c3a5-20c8-7f4e-9a11-6d5c4b3a2918";

/** Two rooms, one with this many messages, and a few of everything else. */
export async function fillSample(writer: DeviceWriter, messages = 7): Promise<void> {
  const picture = { avatarHash: null, avatarMime: null };
  await writer.saveProfile({
    id: ME,
    username: "mira",
    displayName: "Mira",
    homeSignalServerUrl: SERVER,
    ...picture,
    cardText: "",
    updatedAt: NOW,
  });
  await writer.saveRooms([room(EMPTY_ROOM, "Attic"), room(ROOM, "The lighthouse")]);
  const bo = { id: BO, username: null, displayName: "Bo", signalServerUrl: SERVER, cardText: "" };
  await writer.saveUsers([{ ...bo, ...picture, updatedAt: NOW }]);
  await writer.saveRoomUsers([{ roomId: ROOM, userId: BO, role: "member", joinedAt: NOW, lastSeenAt: null }]);
  await writer.saveMessages(Array.from({ length: messages }, (_, n) => messageOf(n)));
  const place = { messageId: messageId(0), roomId: ROOM };
  await writer.changeReactions([{ ...place, emoji: "⛵", userId: ME, present: true, at: NOW }]);
  const file = { filename: "chart.png", size: 3_000_000_000, mime: "image/png", hash: "9f".repeat(32) };
  await writer.saveAttachments([
    { id: ATTACHMENT, ...place, ...file, createdAt: NOW, localPath: LOCAL_PATH },
  ]);
  await writer.saveBans([ban(BO, null), ban(ME, NOW - 1)]);
  const view = { pluginId: "map", key: "view" };
  await writer.savePluginData([
    { ...view, scope: "local", serverId: null, value: { zoom: 3 } },
    { ...view, scope: "server", serverId: ROOM, value: null },
  ]);
  await writer.setMeta("app_currentUserId", ME);
}
