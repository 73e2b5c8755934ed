import type { DeviceRoom, NewAttachment } from "@hearth/device";
import type { ClientStore } from "@hearth/store";
import type { MessagePosition } from "@hearth/store";
import { laterPosition } from "../../chat/message-position.ts";
import { advanceReadRecord, parseReadRecord, READ_PREFIX } from "../../chat/reading/read-record.ts";
import type { Tabs } from "../../ports.ts";
import type { Applied } from "../account-sync.ts";
import { forgetAvatarsBut, keepAvatar } from "./avatar-record.ts";
import { toBase64 } from "../base64.ts";
import type { CheckedMessage, CheckedPayload } from "./payload-schemas.ts";

export interface ApplyDependencies {
  readonly store: ClientStore;
  readonly tabs: Tabs;
  /** Our account on an instance, if there is one. */
  readonly actorId: (signalServerUrl: string) => string | null;
  /** The home account. */
  readonly me: { readonly id: string; readonly homeUrl: string };
}

type Of<Type extends CheckedPayload["type"]> = Extract<CheckedPayload, { readonly type: Type }>;

const messagesApplied = (roomId: string, messageIds: readonly string[], isLive: boolean): Applied => ({
  kind: "messages",
  roomId,
  messageIds,
  isLive,
});

/** Saves the message before its changes, so that a concurrent reader never sees too much. */
async function saveMessages(store: ClientStore, messages: readonly CheckedMessage[]): Promise<void> {
  if (messages.length === 0) return;
  await store.saveMessages(
    messages.map(({ edits: _, deletedAt: __, reactions: ___, ...message }) => ({
      ...message,
      delivery: "sent",
    })),
  );
  const edits = messages.flatMap(({ id: messageId, roomId, edits: all }) =>
    all.map((edit) => ({ ...edit, messageId, roomId })),
  );
  if (edits.length > 0) await store.editMessages(edits);
  const removals = messages.flatMap(({ id: messageId, roomId, deletedAt }) =>
    deletedAt === null ? [] : [{ messageId, roomId, deletedAt }],
  );
  if (removals.length > 0) await store.removeMessages(removals);
  const reactions = messages.flatMap(({ id: messageId, reactions: all }) =>
    all.map((reaction) => ({ ...reaction, messageId })),
  );
  if (reactions.length > 0) await store.changeReactions(reactions);
}

/** Attachments without local paths; a path that the store knows stays. */
const attachmentsOf = (batch: Of<"chat-sync-batch">): readonly NewAttachment[] =>
  batch.messages.flatMap(({ id: messageId, roomId, timestamp }) =>
    (batch.attachments[messageId] ?? []).map(({ createdAt, ...attachment }) => ({
      ...attachment,
      messageId,
      roomId,
      createdAt: createdAt ?? timestamp,
      localPath: null,
    })),
  );

async function applyBatch(store: ClientStore, payload: Of<"chat-sync-batch">): Promise<readonly Applied[]> {
  const messages = payload.messages.filter(({ roomId }) => roomId === payload.roomId);
  await saveMessages(store, messages);
  const attachments = attachmentsOf({ ...payload, messages });
  if (attachments.length > 0) await store.saveAttachments(attachments);
  if (messages.length === 0) return [];
  const ids = messages.map(({ id }) => id);
  return [messagesApplied(payload.roomId, ids, false)];
}

/** The latest read position of the room, including positions that arrived before the room did. */
async function readOf(store: ClientStore, room: DeviceRoom): Promise<MessagePosition | null> {
  const records = await store.metaEntries(`${READ_PREFIX}${room.id}/`);
  const { lastReadAt: timestamp, lastReadMessageId: id } = room;
  const ofRoom = timestamp === null || id === null ? null : { timestamp, id };
  return records.map(({ value }) => parseReadRecord(value)).reduce(laterPosition, ofRoom);
}

/**
 * If two instances have the same server, one of them lies, also to other devices. The first one wins, and home always
 * does.
 */
async function applyRoom({ store, actorId, me }: ApplyDependencies, room: DeviceRoom): Promise<void> {
  const known = await store.room(room.id);
  const isMoved = known !== undefined && known.signalServerUrl !== room.signalServerUrl;
  if (isMoved && room.signalServerUrl !== me.homeUrl) return;
  const actorUserId = actorId(room.signalServerUrl) ?? room.actorUserId;
  const read = await readOf(store, room);
  const lastRead = { lastReadAt: read?.timestamp ?? null, lastReadMessageId: read?.id ?? null };
  await store.saveRooms([{ ...room, actorUserId, ...lastRead }]);
}

async function applyProfile(
  { store, me }: ApplyDependencies,
  { avatar, card }: Of<"user-avatar-full">,
): Promise<void> {
  const { hash: avatarHash, mime: avatarMime } = avatar ?? { hash: card.avatarHash, mime: card.avatarMime };
  await store.saveProfile({ ...card, id: me.id, homeSignalServerUrl: me.homeUrl, avatarHash, avatarMime });
  const shown = (await store.profile())?.avatarHash ?? null;
  if (avatar && shown === avatar.hash) await keepAvatar(store, { ...avatar, data: toBase64(avatar.data) });
  else await forgetAvatarsBut(store, shown);
}

async function applyFriend(
  { store, me }: ApplyDependencies,
  { userId, addedAt, displayName }: Of<"friend-added">["friend"],
): Promise<void> {
  await store.saveFriends([{ userId, addedAt }]);
  // Friends are users at home.
  if (displayName === undefined || (await store.user(userId, me.homeUrl)) !== undefined) return;
  const unknown = { username: null, avatarHash: null, avatarMime: null, cardText: "" };
  const user = { ...unknown, id: userId, displayName, signalServerUrl: me.homeUrl, updatedAt: 0 };
  await store.saveUsers([user]);
}

async function applyRead(
  { store, tabs }: ApplyDependencies,
  { roomId, channelId, messageId: id, timestamp }: Of<"read-position">,
): Promise<readonly Applied[]> {
  const advanced = await advanceReadRecord({ store, tabs }, { roomId, channelId }, { timestamp, id });
  return advanced ? [{ kind: "read", roomId }] : [];
}

async function applyChange(store: ClientStore, payload: CheckedPayload): Promise<readonly Applied[] | null> {
  switch (payload.type) {
    case "chat-message":
      await saveMessages(store, [payload.message]);
      return [messagesApplied(payload.message.roomId, [payload.message.id], true)];
    case "chat-sync-batch":
      return applyBatch(store, payload);
    case "message-revision": {
      const { roomId, messageId, revision } = payload;
      await store.editMessages([{ ...revision, roomId, messageId }]);
      return [messagesApplied(roomId, [messageId], true)];
    }
    case "message-delete": {
      const { roomId, messageId, deletedAt } = payload;
      await store.removeMessages([{ messageId, roomId, deletedAt }]);
      return [messagesApplied(roomId, [messageId], true)];
    }
    case "message-reaction":
      await store.changeReactions([payload.change]);
      return [messagesApplied(payload.roomId, [payload.change.messageId], true)];
    default:
      return null;
  }
}

async function applyAccountRecord(
  dependencies: ApplyDependencies,
  payload: CheckedPayload,
): Promise<readonly Applied[]> {
  const { store } = dependencies;
  switch (payload.type) {
    case "saved-room-sync":
      await applyRoom(dependencies, payload.room);
      return [{ kind: "rooms" }];
    case "saved-room-remove":
      await store.removeRoom(payload.roomId, payload.at);
      return [{ kind: "rooms" }];
    case "read-position":
      return applyRead(dependencies, payload);
    case "user-avatar-full":
      await applyProfile(dependencies, payload);
      return [{ kind: "profile" }];
    case "friend-added":
      await applyFriend(dependencies, payload.friend);
      return [{ kind: "friends" }];
    case "friend-removed":
      await store.removeFriend(payload.userId, payload.at);
      return [{ kind: "friends" }];
    case "custom-emoji-full":
      await store.saveEmoji(payload.emoji.map(({ data, ...emoji }) => ({ ...emoji, bytes: data })));
      return [{ kind: "emoji" }];
    case "blocks-changed":
      return [{ kind: "blocks", signalServerUrl: payload.signalServerUrl }];
    case "custom-emoji-removed":
      await store.removeEmoji(payload.id, payload.at);
      return [{ kind: "emoji" }];
    default:
      return [];
  }
}

/**
 * Writes a payload of another device into the store by the merge rules, in any order and repeatedly (rule AS4).
 * Rejects as the store does.
 */
export const applyPayload = async (
  dependencies: ApplyDependencies,
  payload: CheckedPayload,
): Promise<readonly Applied[]> =>
  (await applyChange(dependencies.store, payload)) ?? (await applyAccountRecord(dependencies, payload));
