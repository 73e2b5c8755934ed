import { expect, it } from "@jest/globals";
import { manualClock } from "@hearth/runtime/testing";
import type { OpenStore, StoreUnderTest } from "./device-records.contract.ts";
import {
  ROOM,
  T0,
  aBan,
  aMembership,
  aMessage,
  aProfile,
  aReaction,
  aRoom,
  aUser,
  anAttachment,
  anEdit,
  anEmoji,
  seededRandom,
  shuffled,
} from "./device-records.contract.ts";
import type { DeviceWriter } from "../device-store.ts";

type Step = (writer: DeviceWriter) => Promise<void>;

const IDS = ["x-1", "x-2", "x-3"];

/** Random operations on a few records with shared ids. Times are few, so that many are equal. */
function story(seed: number): Step[] {
  const roll = seededRandom(seed);
  const at = (): number => T0 + roll(4);
  const id = (): string => IDS[roll(IDS.length)] ?? "x-1";
  const text = (): string => ["a", "b", "\u{FFFD}", "\u{1F331}", "\uD83C"][roll(5)] ?? "";
  const kinds: (() => Step)[] = [
    () =>
      (
        (messageId, revision, content, editedAt) => (writer) =>
          writer.editMessages([anEdit(messageId, revision, { content, editedAt })])
      )(id(), roll(3), text(), at()),
    () =>
      (
        (messageId, deletedAt) => (writer) =>
          writer.removeMessages([{ messageId, roomId: ROOM, deletedAt }])
      )(`${id()}-removed`, at()),
    () =>
      (
        (messageId) => (writer) =>
          writer.editMessages([anEdit(messageId, 1)])
      )(`${id()}-removed`),
    () =>
      (
        (change) => (writer) =>
          writer.changeReactions([change])
      )(aReaction(id(), { at: at(), present: roll(2) === 0, emoji: text() })),
    () =>
      (
        (attachment, localPath) => (writer) =>
          writer.saveAttachments([{ ...attachment, localPath }])
      )(anAttachment(id(), { messageId: "x-1" }), roll(2) === 0 ? "/leaf" : null),
    () =>
      (
        (user) => (writer) =>
          writer.saveUsers([user])
      )(aUser(id(), { updatedAt: at(), cardText: text() })),
    () =>
      (
        (profile) => (writer) =>
          writer.saveProfile(profile)
      )(aProfile({ updatedAt: at(), cardText: text() })),
    () =>
      (
        (room) => (writer) =>
          writer.saveRooms([room])
      )(
        aRoom({
          id: id(),
          joinedAt: at(),
          updatedAt: at(),
          name: text(),
          lastReadAt: roll(3),
          lastReadMessageId: text(),
        }),
      ),
    () =>
      (
        (roomId, time) => (writer) =>
          writer.removeRoom(roomId, time)
      )(id(), at()),
    () =>
      (
        (userId, addedAt) => (writer) =>
          writer.saveFriends([{ userId, addedAt }])
      )(id(), at()),
    () =>
      (
        (userId, time) => (writer) =>
          writer.removeFriend(userId, time)
      )(id(), at()),
    () =>
      (
        (ban) => (writer) =>
          writer.saveBans([ban])
      )(aBan(id(), { createdAt: at(), reason: text() })),
    () =>
      (
        (userId, time) => (writer) =>
          writer.removeBan(ROOM, userId, time)
      )(id(), at()),
    () =>
      (
        (member) => (writer) =>
          writer.saveRoomUsers([member])
      )(aMembership(id(), { joinedAt: at(), lastSeenAt: roll(3) === 0 ? null : at() })),
    () =>
      (
        (userId, time) => (writer) =>
          writer.removeRoomUser(ROOM, userId, time)
      )(id(), at()),
    () =>
      (
        (emoji) => (writer) =>
          writer.saveEmoji([emoji])
      )(anEmoji(id(), { updatedAt: at(), shortcode: text() })),
    () =>
      (
        (emojiId, time) => (writer) =>
          writer.removeEmoji(emojiId, time)
      )(id(), at()),
  ];
  const beginnings: Step[] = [
    (writer) => writer.saveRooms([aRoom()]),
    (writer) => writer.saveUsers(IDS.map((userId) => aUser(userId))),
    ...IDS.map(
      (messageId): Step =>
        (writer) =>
          writer.saveMessages([aMessage(messageId), aMessage(`${messageId}-removed`)]),
    ),
  ];
  return [...beginnings, ...kinds.flatMap((kind) => Array.from({ length: 5 }, kind))];
}

/** Everything that can be read, without the device's own times of change. */
async function everything({ reader }: StoreUnderTest): Promise<unknown> {
  const page = await reader.messages(ROOM, { limit: 500, from: { offset: 0 } });
  const messages = page?.messages.map(({ updatedAt: _, ...message }) => message) ?? [];
  const rooms = await reader.rooms();
  return {
    messages,
    rooms,
    profile: await reader.profile(),
    friends: await reader.friends(),
    emoji: await reader.emoji(),
    attachments: await reader.attachments(),
    bans: await reader.bans(ROOM, T0),
    roomUsers: await reader.roomUsers(ROOM),
    users: await Promise.all(IDS.map((userId) => reader.user(userId))),
    extras: await Promise.all(
      messages.map(async ({ id }) => [await reader.messageEdits(id), await reader.reactions(id)]),
    ),
  };
}

export function convergenceSuite(open: OpenStore): void {
  const seeds = Array.from({ length: 12 }, (_, seed) => seed + 1);

  it.each(seeds)(
    "AS4 X16 ends with the same records in any order and however often: seed %i",
    async (seed) => {
      const steps = story(seed);
      const ends: unknown[] = [];
      for (const order of [1, 2, 3]) {
        const clock = manualClock();
        const roll = seededRandom(seed * 100 + order);
        const repeated = steps.filter(() => roll(3) === 0);
        const store = await open(clock);
        for (const step of shuffled([...steps, ...repeated], roll)) {
          clock.advance(roll(9) - 4);
          await step(store.writer);
        }
        ends.push(await everything(store));
        store.close();
      }
      expect(ends[1]).toEqual(ends[0]);
      expect(ends[2]).toEqual(ends[0]);
    },
  );
}
