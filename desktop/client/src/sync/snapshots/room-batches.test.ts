import { beforeEach, describe, expect, it } from "@jest/globals";
import { aMessage, anAttachment, anEdit, aReaction, aRoom, ROOM, T0 } from "@hearth/store/testing";
import type { ClientStore } from "@hearth/store";
import { openFakeStore } from "@hearth/store/testing";
import { jsonBytes } from "./chunks.ts";
import { attachmentsByMessage, roomBatches } from "./room-batches.ts";
import type { Batch } from "./room-batches.ts";
import { messageDigest } from "./synced-messages.ts";

describe("a room's batches", () => {
  let store: ClientStore;
  let now: number;
  beforeEach(async () => {
    now = T0;
    store = await openFakeStore(() => now);
    await store.saveRooms([aRoom()]);
  });

  const batches = async (since = 0, isKnown = (_: string) => false): Promise<Batch[]> => {
    const attachments = attachmentsByMessage(await store.attachments());
    const all: Batch[] = [];
    for await (const batch of roomBatches({ store, roomId: ROOM, since, attachments, isKnown }))
      all.push(batch);
    return all;
  };
  const idsOf = (all: readonly Batch[]) => all.flatMap(({ messages }) => messages.map(({ id }) => id));

  it("do not exist for an empty room", async () => {
    expect(await batches()).toEqual([]);
  });

  it("contain at most 200 messages and 256 KiB, and the last one is final", async () => {
    const short = Array.from({ length: 450 }, (_, n) => aMessage(`s-${n}`, { timestamp: T0 + n }));
    const long = Array.from({ length: 9 }, (_, n) =>
      aMessage(`l-${n}`, { content: "\u{1F331}".repeat(16_000) }),
    );
    await store.saveMessages([...short, ...long]);
    const all = await batches();
    expect(new Set(idsOf(all)).size).toBe(459);
    for (const batch of all) {
      expect(batch.messages.length).toBeLessThanOrEqual(200);
      expect(jsonBytes(batch)).toBeLessThan(257 * 1024);
    }
    expect(all.map(({ final }) => final)).toEqual(all.map((_, index) => index === all.length - 1));
  });

  it("split a message whose edits do not fit", async () => {
    await store.saveMessages([aMessage("m-1")]);
    const edits = Array.from({ length: 30 }, (_, n) =>
      anEdit("m-1", n + 1, { content: `${n}`.repeat(20_000) }),
    );
    await store.editMessages(edits);
    await store.changeReactions(
      Array.from({ length: 1_200 }, (_, n) => aReaction("m-1", { userId: `user-${n}` })),
    );
    const all = await batches();
    for (const batch of all) expect(jsonBytes(batch)).toBeLessThan(257 * 1024);
    const pieces = all.flatMap(({ messages }) => messages);
    expect(pieces.flatMap((piece) => piece.edits)).toHaveLength(30);
    expect(pieces.flatMap((piece) => piece.reactions)).toHaveLength(1_200);
  });

  it("contain changes since a time, reactions included", async () => {
    await store.saveMessages([aMessage("m-1"), aMessage("m-2"), aMessage("m-3")]);
    now += 60_000;
    await store.changeReactions([aReaction("m-2")]);
    expect(idsOf(await batches(T0 + 30_000))).toEqual(["m-2"]);
  });

  it("omit unsent messages, and those that the receiver knows", async () => {
    await store.saveMessages([aMessage("m-1"), aMessage("m-2", { delivery: "pending" }), aMessage("m-3")]);
    const [batch] = await batches();
    expect(idsOf(batch ? [batch] : [])).toEqual(["m-1", "m-3"]);
    const received = new Set(batch?.messages.slice(0, 1).map((message) => messageDigest(message)));
    expect(idsOf(await batches(0, (digest) => received.has(digest)))).toEqual(["m-3"]);
  });

  it("AS2 contain attachments, but no local paths", async () => {
    await store.saveMessages([aMessage("m-1"), aMessage("m-2")]);
    await store.saveAttachments([anAttachment("a-1", { messageId: "m-1", localPath: "/home/ada/leaf.png" })]);
    const [batch] = await batches();
    expect(Object.keys(batch?.attachments ?? {})).toEqual(["m-1"]);
    expect(batch?.attachments["m-1"]).toMatchObject([{ id: "a-1", filename: "leaf.png" }]);
    expect(JSON.stringify(batch)).not.toMatch(/\/home|isLocal/);
  });
});
