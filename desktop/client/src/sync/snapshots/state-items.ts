import type { DeviceEmoji } from "@hearth/device";
import type { DeviceProfile, DeviceRoom } from "@hearth/device";
import type { ClientStore, Removal } from "@hearth/store";
import { parseReadRecord, READ_PREFIX } from "../../chat/reading/read-record.ts";
import type { SyncPayloads } from "../../wire.ts";
import { readAvatar } from "../payloads/avatar-record.ts";
import { toBase64 } from "../base64.ts";
import { digestOf } from "../digest.ts";

/** A record of the account besides messages, as a payload. */
export interface StateItem {
  /** Equal on every device that has the same record. */
  readonly digest: string;
  readonly payload: () => SyncPayloads;
}

const item = (content: unknown, payload: () => SyncPayloads): StateItem => ({
  digest: digestOf(content),
  payload,
});

const removalPayload = ({ kind, id, at }: Removal): SyncPayloads => {
  if (kind === "room") return { type: "saved-room-remove", roomId: id, at };
  if (kind === "friend") return { type: "friend-removed", userId: id, at };
  return { type: "custom-emoji-removed", id, at };
};

/** Without the actor, which may differ between devices. */
const roomItem = (room: DeviceRoom): StateItem => {
  const { actorUserId: _, ...shared } = room;
  const sorted = Object.entries(shared).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return item(["room", sorted], () => ({ type: "saved-room-sync", room }));
};

async function readItems(store: ClientStore): Promise<readonly StateItem[]> {
  return (await store.metaEntries(READ_PREFIX)).flatMap(({ key, value }) => {
    const position = parseReadRecord(value);
    const [roomId, channel, ...rest] = key.slice(READ_PREFIX.length).split("/");
    if (!position || !roomId || channel === undefined || rest.length > 0) return [];
    const { timestamp, id: messageId } = position;
    const ids = { roomId, channelId: channel === "" ? null : channel };
    return [
      item(["read", ids, timestamp, messageId], () => ({
        type: "read-position",
        ...ids,
        messageId,
        timestamp,
      })),
    ];
  });
}

async function profileItem(store: ClientStore, profile: DeviceProfile): Promise<StateItem> {
  const { username, displayName, cardText, avatarHash, avatarMime, updatedAt } = profile;
  const card = { username, displayName, cardText, avatarHash, avatarMime, updatedAt };
  const avatar = avatarHash === null ? null : await readAvatar(store, avatarHash);
  return item(["profile", card, avatar !== null], () => ({ type: "user-avatar-full", avatar, card }));
}

const emojiItem = ({ id, shortcode, mime, hash, bytes, updatedAt }: DeviceEmoji): StateItem =>
  item(["emoji", id, shortcode, mime, hash, updatedAt], () => ({
    type: "custom-emoji-full",
    emoji: [{ id, shortcode, mime, hash, data: toBase64(bytes), updatedAt }],
  }));

async function friendItems(store: ClientStore): Promise<readonly StateItem[]> {
  const home = (await store.profile())?.homeSignalServerUrl;
  const items = (await store.friends()).map(async ({ userId, addedAt }) => {
    const displayName = (await store.user(userId, home))?.displayName;
    const friend = { userId, addedAt, ...(displayName && { displayName }) };
    return item(["friend", userId, addedAt], () => ({ type: "friend-added" as const, friend }));
  });
  return Promise.all(items);
}

/** All records of the account besides messages, in sending order: removals first. */
export async function stateItems(store: ClientStore): Promise<readonly StateItem[]> {
  const removals = (await store.removals()).map((removal) =>
    item(["removed", removal.kind, removal.id, removal.at], () => removalPayload(removal)),
  );
  const rooms = (await store.rooms()).map(roomItem);
  const reads = await readItems(store);
  const profile = await store.profile();
  const friends = await friendItems(store);
  const emoji = (await store.emoji()).map(emojiItem);
  const own = profile ? [await profileItem(store, profile)] : [];
  return [...removals, ...rooms, ...reads, ...own, ...friends, ...emoji];
}
