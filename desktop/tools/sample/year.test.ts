import { describe, expect, it } from "@jest/globals";
import { homeServer, otherServer, sampleRooms } from "./sample-rooms.ts";
import { sampleYear } from "./year.ts";

const END = Date.UTC(2026, 10, 20, 14);
const DAY_MS = 86_400_000;
const year = sampleYear(1, END);

const roomNamed = (name: string) => {
  const room = year.rooms.find((candidate) => candidate.name === name);
  if (!room) throw new Error(`no room ${name}`);
  return room;
};

describe("a sample year", () => {
  it("is the same from the same seed, to the last id, and different from another", () => {
    expect(sampleYear(1, END)).toEqual(year);
    expect(sampleYear(2, END).messages[0]?.id).not.toBe(year.messages[0]?.id);
  });

  it.each([1, 2, 3, 4, 5].map((seed) => [seed, END - seed * 57 * DAY_MS] as const))(
    "can be told from seed %i, whenever the year ends",
    (seed, end) => {
      const { messages, edits, removals } = sampleYear(seed, end);
      expect(messages.length).toBeGreaterThan(3_000);
      expect(messages.length).toBeLessThan(6_000);
      expect(messages.every(({ timestamp }) => timestamp < end && timestamp >= end - 366 * DAY_MS)).toBe(
        true,
      );
      const changes = [
        ...edits.map(({ editedAt }) => editedAt),
        ...removals.map(({ deletedAt }) => deletedAt),
      ];
      expect(changes.every((at) => at < end)).toBe(true);
    },
  );

  it("has no unfilled slots or script notes in its texts", () => {
    for (const { content, senderDisplayName } of year.messages) {
      expect(content).not.toMatch(/[{}[\]]|undefined|\s{2}/);
      expect(content.trim()).toBe(content);
      expect(content).not.toBe("");
      expect(senderDisplayName).not.toBe("me");
    }
  });

  it("refers only to existing records", () => {
    const users = new Set(year.users.map(({ id }) => id));
    const rooms = new Map(year.rooms.map((room) => [room.id, room]));
    const messages = new Map(year.messages.map((message) => [message.id, message]));
    for (const message of year.messages) {
      const room = rooms.get(message.roomId);
      expect(users.has(message.senderId)).toBe(true);
      if (room?.kind === "server") expect(room.channels.map(({ id }) => id)).toContain(message.channelId);
      else expect(message.channelId).toBeNull();
      if (message.replyToId === null) continue;
      expect(messages.get(message.replyToId)?.timestamp).toBeLessThan(message.timestamp);
    }
    for (const { messageId, roomId } of [...year.edits, ...year.removals, ...year.files])
      expect(messages.get(messageId)?.roomId).toBe(roomId);
    for (const { messageId, userId } of year.reactions)
      expect([messages.has(messageId), users.has(userId)]).toEqual([true, true]);
    for (const { userId } of [...year.friends, ...year.bans, ...year.memberships])
      expect(users.has(userId)).toBe(true);
  });

  it("has everything that a year of chat has", () => {
    const counts = {
      edits: year.edits.length,
      removals: year.removals.length,
      replies: year.messages.filter(({ replyToId }) => replyToId !== null).length,
      mentions: year.messages.filter(({ mentions }) => mentions.length > 0).length,
      files: year.files.length,
      kept: year.files.filter(({ text }) => text !== null).length,
      emoji: year.emoji.length,
      pluginData: year.pluginData.length,
      pending: year.messages.filter(({ delivery }) => delivery === "pending").length,
    };
    for (const [what, count] of Object.entries(counts)) expect([what, count > 0]).toEqual([what, true]);
    expect(year.reactions.length).toBeGreaterThan(500);
    expect(year.meta["app_currentUserId"]).toBe(year.profile.id);
    expect(year.bans.filter(({ expiresAt }) => expiresAt === null || expiresAt > END)).toHaveLength(2);
  });

  it("uses two instances, where the same person is a different user", () => {
    expect([...new Set(year.rooms.map((room) => room.signalServerUrl))]).toEqual([homeServer, otherServer]);
    expect(year.credentials.map(({ signalServerUrl, isHome }) => [signalServerUrl, isHome])).toEqual([
      [homeServer, true],
      [otherServer, false],
    ]);
    expect(new Set(year.credentials.map(({ userId }) => userId)).size).toBe(2);
    const noras = year.users.filter(({ displayName }) => displayName === "Nora");
    expect(noras.map(({ signalServerUrl }) => signalServerUrl)).toEqual([homeServer, otherServer]);
  });

  it("follows the week: climbers talk on Tuesdays", () => {
    const { id } = roomNamed("Tuesday Climbers");
    const days = year.messages
      .filter(({ roomId }) => roomId === id)
      .map(({ timestamp }) => new Date(timestamp).getUTCDay());
    const on = (day: number): number => days.filter((one) => one === day).length;
    expect(on(2)).toBeGreaterThan(2 * on(4));
  });

  it("has messages in every room", () => {
    const said = new Set(year.messages.map(({ roomId }) => roomId));
    expect(said.size).toBe(sampleRooms.length);
  });
});
