import {
  aMessage,
  anAttachment,
  anEdit,
  anEmoji,
  aProfile,
  aReaction,
  aRoom,
  T0,
} from "@hearth/store/testing";
import { advanceReadRecord } from "../../chat/reading/read-record.ts";
import type { SyncPayloads } from "../../wire.ts";
import { toBase64 } from "../base64.ts";
import { sha256Hex } from "../digest.ts";
import { HOME, ME } from "./relay.ts";
import type { Sibling } from "./sync-world.ts";

export const ROOM = aRoom({ signalServerUrl: HOME, actorUserId: ME });
export const MESSAGES = ["m-1", "m-2", "m-3"];
export const OTHERS = ["x-1", "x-2"];

/** An action of the user on one device: stored and sent to the other devices, like the rest of the client does. */
export type UserAction = (sibling: Sibling) => Promise<void>;

const storeAndSend = async (
  sibling: Sibling,
  stored: Promise<unknown>,
  payload: SyncPayloads,
): Promise<void> => {
  await stored;
  sibling.sync.send(payload);
};

/** Only messages that the device has can be changed. */
const ifStored =
  (messageId: string, action: UserAction): UserAction =>
  async (sibling) => {
    if (await sibling.store.message(messageId)) await action(sibling);
  };

export const write =
  (id: string): UserAction =>
  async (sibling) => {
    const { delivery: _, ...message } = aMessage(id, { senderId: ME });
    return storeAndSend(sibling, sibling.store.saveMessages([{ ...message, delivery: "sent" }]), {
      type: "chat-message",
      message,
    });
  };

export const edit = (id: string, revision: number, content: string): UserAction =>
  ifStored(id, async (sibling) => {
    const change = anEdit(id, revision, { content });
    return storeAndSend(sibling, sibling.store.editMessages([change]), {
      type: "message-revision",
      roomId: ROOM.id,
      messageId: id,
      revision: change,
    });
  });

export const remove = (messageId: string, at: number): UserAction =>
  ifStored(messageId, async (sibling) => {
    const removal = { messageId, roomId: ROOM.id, deletedAt: T0 + at };
    return storeAndSend(sibling, sibling.store.removeMessages([removal]), {
      type: "message-delete",
      ...removal,
    });
  });

export const react = (id: string, emoji: string, present: boolean, at: number): UserAction =>
  ifStored(id, async (sibling) => {
    const change = aReaction(id, { emoji, present, at: T0 + at, userId: ME });
    const payload: SyncPayloads = { type: "message-reaction", roomId: ROOM.id, change };
    return storeAndSend(sibling, sibling.store.changeReactions([change]), payload);
  });

export const save =
  (id: string, at: number, name: string): UserAction =>
  async (sibling) => {
    const room = { ...ROOM, id, name, joinedAt: T0 + at, updatedAt: T0 + at };
    return storeAndSend(sibling, sibling.store.saveRooms([room]), { type: "saved-room-sync", room });
  };

export const leave =
  (roomId: string, at: number): UserAction =>
  async (sibling) =>
    storeAndSend(sibling, sibling.store.removeRoom(roomId, T0 + at), {
      type: "saved-room-remove",
      roomId,
      at: T0 + at,
    });

export const befriend =
  (userId: string, at: number): UserAction =>
  async (sibling) => {
    const friend = { userId, addedAt: T0 + at };
    return storeAndSend(sibling, sibling.store.saveFriends([friend]), { type: "friend-added", friend });
  };

export const unfriend =
  (userId: string, at: number): UserAction =>
  async (sibling) =>
    storeAndSend(sibling, sibling.store.removeFriend(userId, T0 + at), {
      type: "friend-removed",
      userId,
      at: T0 + at,
    });

export const draw =
  (id: string, at: number, picture: number): UserAction =>
  async (sibling) => {
    const bytes = Uint8Array.of(1, 2, picture);
    const emoji = anEmoji(id, { bytes, hash: sha256Hex(bytes), updatedAt: T0 + at });
    const { bytes: _, ...rest } = emoji;
    return storeAndSend(sibling, sibling.store.saveEmoji([emoji]), {
      type: "custom-emoji-full",
      emoji: [{ ...rest, data: toBase64(bytes) }],
    });
  };

export const erase =
  (id: string, at: number): UserAction =>
  async (sibling) =>
    storeAndSend(sibling, sibling.store.removeEmoji(id, T0 + at), {
      type: "custom-emoji-removed",
      id,
      at: T0 + at,
    });

export const read =
  (id: string, at: number): UserAction =>
  async (sibling) => {
    const channel = { roomId: ROOM.id, channelId: "channel-1" };
    const tabs = sibling.platform.tabs;
    const stored = advanceReadRecord({ store: sibling.store, tabs }, channel, { timestamp: T0 + at, id });
    return storeAndSend(sibling, stored, {
      type: "read-position",
      ...channel,
      messageId: id,
      timestamp: T0 + at,
    });
  };

export const rename =
  (displayName: string, at: number): UserAction =>
  async (sibling) => {
    const profile = aProfile({ id: ME, homeSignalServerUrl: HOME, displayName, updatedAt: T0 + at });
    const { id: _, homeSignalServerUrl: __, ...card } = { ...profile, avatarHash: null, avatarMime: null };
    const stored = sibling.store.saveProfile({ ...profile, avatarHash: null, avatarMime: null });
    return storeAndSend(sibling, stored, { type: "user-avatar-full", avatar: null, card });
  };

/** An action of another user reaches the online devices, and is not synced. */
export type Event = (online: readonly Sibling[]) => Promise<void>;

export const othersWrite =
  (id: string): Event =>
  async (online) => {
    for (const { store } of online) {
      await store.saveMessages([aMessage(id)]);
      await store.saveAttachments([anAttachment(`file-of-${id}`, { messageId: id })]);
    }
  };

export const othersReact =
  (id: string, present: boolean, at: number): Event =>
  async (online) => {
    for (const { store } of online) await store.changeReactions([aReaction(id, { present, at: T0 + at })]);
  };
