import type { Message } from "./device.ts";
import { CHANNEL, SERVER } from "./ids.ts";

const room = { serverId: SERVER, channelId: CHANNEL };

export const CHAT: Message = {
  ...{ type: "chat_message", ...room },
  message: { id: "m1", content: "hello", reply: { to: "m0" } },
};

export const ROOM_MESSAGES: readonly Message[] = [
  CHAT,
  { type: "message_revision", ...room, messageId: "m1", revision: { content: "changed" } },
  { type: "message_delete", ...room, messageId: "m1" },
  { type: "reaction", ...room, messageId: "m1", emoji: "🔥", action: "remove" },
  { type: "user_typing", ...room, isTyping: false },
  { type: "status_update", serverId: SERVER, status: "away", statusText: "tea" },
];

/** These and the following go to a user; `toUserId` is for the test to fill in. */
export const DIRECT_MESSAGES: readonly Message[] = [
  { type: "direct_message", message: { id: "m1", content: "psst" } },
  { type: "direct_message_revision", messageId: "m1", revision: { content: "shh" } },
  { type: "direct_typing", isTyping: true },
  { type: "direct_call", call: { id: "c1", action: "ring" } },
];

export const SIGNALS: readonly Message[] = [
  { type: "offer", sdp: "v=0" },
  { type: "answer", sdp: "v=0" },
  { type: "ice_candidate", candidate: { candidate: "candidate:1", sdpMid: "0" } },
];

export const ICONS: readonly Message[] = [
  { type: "server_icon_request", serverId: SERVER },
  { type: "server_icon_full", serverId: SERVER, icon: "data" },
  { type: "server_icon_chunk", serverId: SERVER, index: 0, total: 2, data: "AA" },
];

export const SPEAK: Message = { type: "voice_state", ...room };
export const SILENCE: Message = { ...SPEAK, channelId: null };
export const TAKEOVER: Message = { type: "voice_client_takeover" };
