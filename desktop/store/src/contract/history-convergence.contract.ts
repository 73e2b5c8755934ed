import { expect, it } from "@jest/globals";
import { manualClock } from "@hearth/runtime/testing";
import { ROOM, T0, aMessage, aReaction, aRoom, anEdit } from "./device-records.contract.ts";
import type { DeviceWriter } from "../device-store.ts";
import type { FullMessage } from "../history.ts";
import { allFullMessages } from "./history-records.contract.ts";
import type { HistoryUnderTest, OpenHistory } from "./history-records.contract.ts";
import { fc } from "@hearth/device/testing";

type Change = (writer: DeviceWriter) => Promise<void>;

const id = fc.constantFrom("a", "b", "c", "\u{FFFD}", "\u{1F331}");
const at = fc.integer({ min: T0, max: T0 + 3 });
const text = fc.constantFrom("x", "y", "\u{FFFD}", "\u{1F331}", "\uD83C");

const saving = fc.tuple(id, fc.constantFrom("pending", "failed", "sent")).map(
  ([messageId, delivery]): Change =>
    (to) =>
      to.saveMessages([aMessage(messageId, { delivery })]),
);
const editing = fc.tuple(id, fc.integer({ min: 1, max: 2 }), at, text).map(
  ([messageId, revision, editedAt, content]): Change =>
    (to) =>
      to.editMessages([anEdit(messageId, revision, { editedAt, content })]),
);
const reacting = fc.tuple(id, at, text, fc.boolean(), fc.constantFrom("user-1", "user-2")).map(
  ([messageId, time, emoji, present, userId]): Change =>
    (to) =>
      to.changeReactions([aReaction(messageId, { at: time, emoji, present, userId })]),
);
const removing = fc.tuple(id, at).map(
  ([messageId, deletedAt]): Change =>
    (to) =>
      to.removeMessages([{ messageId, roomId: ROOM, deletedAt }]),
);

/** Random changes of a few messages. Times and texts are few, so that many are equal. */
const change = fc.oneof(
  { weight: 4, arbitrary: saving },
  { weight: 4, arbitrary: editing },
  { weight: 4, arbitrary: reacting },
  { weight: 1, arbitrary: removing },
);
const changes = fc.array(change, { maxLength: 25 });
/** Few, so that no message repeats what another one lost. */
const fewChanges = fc.array(change, { maxLength: 5 });
const limit = fc.integer({ min: 1, max: 6 });

/** The changes of a full message, as a device would write them. */
const wordsOf = ({ message, edits, deletedAt, reactions }: FullMessage): Change[] => [
  (to) => to.saveMessages([message]),
  (to) => to.editMessages(edits),
  (to) => to.changeReactions(reactions),
  ...(deletedAt === null
    ? []
    : [(to: DeviceWriter) => to.removeMessages([{ messageId: message.id, roomId: ROOM, deletedAt }])]),
];

/** Everything that can be read about the room, without the device's own times of change. */
async function records({ reader, history }: HistoryUnderTest): Promise<unknown> {
  const page = await reader.messages(ROOM, { limit: 500, from: { offset: 0 } });
  const messages = page?.messages.map(({ updatedAt: _, ...message }) => message) ?? [];
  return Promise.all(
    messages.map(async (message) => [
      message,
      await reader.messageEdits(message.id),
      await reader.reactions(message.id),
      await history.unread(message, { after: null, userId: "user-2" }),
    ]),
  );
}

async function withStores(use: (stores: HistoryUnderTest[]) => Promise<void>): Promise<void> {
  const stores: HistoryUnderTest[] = [];
  try {
    await use(stores);
  } finally {
    for (const store of stores) store.close();
  }
}

export function historyConvergenceSuite(open: OpenHistory): void {
  const opened = async (stores: HistoryUnderTest[], clock = manualClock()): Promise<HistoryUnderTest> => {
    const store = await open(clock);
    stores.push(store);
    await store.writer.saveRooms([aRoom()]);
    return store;
  };

  it("AS4 lets a new device end with the same records, in any order", async () => {
    const shuffle = fc.infiniteStream(fc.nat());
    await fc.assert(
      fc.asyncProperty(changes, limit, shuffle, (all, size, order) =>
        withStores(async (stores) => {
          const [one, other] = [await opened(stores), await opened(stores)];
          for (const apply of all) await apply(one.writer);
          const words = (await allFullMessages(one.history, { updatedAt: 0 }, size)).flatMap(wordsOf);
          const keyed = words.map((word) => ({ word, key: Number(order.next().value) }));
          for (const { word } of keyed.toSorted((a, b) => a.key - b.key)) await word(other.writer);
          expect(await records(other)).toEqual(await records(one));
        }),
      ),
      { numRuns: 60 },
    );
  });

  it("AS4 lets a device catch up, and learns nothing new itself", async () => {
    const pause = fc.integer({ min: 1, max: 50 });
    await fc.assert(
      fc.asyncProperty(changes, fewChanges, limit, pause, (before, meanwhile, size, ms) =>
        withStores(async (stores) => {
          const clock = manualClock();
          const [one, other] = [await opened(stores, clock), await opened(stores)];
          const tell = async (after: number, to: HistoryUnderTest): Promise<void> => {
            const told = await allFullMessages(one.history, { updatedAt: after }, size);
            for (const word of told.flatMap(wordsOf)) await word(to.writer);
          };
          for (const apply of before) await apply(one.writer);
          await tell(0, other);
          const then = clock.now();
          clock.advance(ms);
          for (const apply of meanwhile) await apply(one.writer);
          await tell(then, other);
          const end = await records(one);
          expect(await records(other)).toEqual(end);
          await tell(0, one);
          expect(await records(one)).toEqual(end);
        }),
      ),
      { numRuns: 60 },
    );
  });
}
