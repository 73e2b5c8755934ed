import { expect, it } from "@jest/globals";
import type { ManualClock } from "@hearth/runtime/testing";
import { MAX_EDITS } from "@hearth/device";
import type { DeviceMessage } from "@hearth/device";
import type { StoreUnderTest } from "./device-records.contract.ts";
import {
  ROOM,
  T0,
  aMessage,
  aReaction,
  aRoom,
  anAttachment,
  anEdit,
  parsed,
  permutations,
} from "./device-records.contract.ts";

const awkward = [
  'quotes " and \\ and \n\t',
  "NUL \u0000 and \u0001 and \u007f and \u2028",
  'a false start {"id":"x"} ]}',
  "👩‍🌾 ﷽ \u{10FFFF}",
  "",
];

export function messagesSuite(store: () => StoreUnderTest, clock: () => ManualClock): void {
  const writer = () => store().writer;
  const reader = () => store().reader;
  const shown = async (id: string): Promise<DeviceMessage> => {
    const message = await reader().message(id);
    if (!message) throw new Error(`no message ${id}`);
    return message;
  };

  it("keeps every field of a message", async () => {
    const plain = aMessage("message-1");
    const full = aMessage("message-2", {
      replyToId: "message-1",
      mentions: ["user-1", "user-2"],
      channelId: null,
      delivery: "pending",
      clientInstanceId: "device-1",
      timestamp: T0 + 5,
    });
    await writer().saveMessages([plain, full]);
    const written = { revision: 0, editedAt: null, deletedAt: null, updatedAt: clock().now() };
    expect(await shown("message-1")).toEqual({ ...plain, ...written });
    expect(await shown("message-2")).toEqual({ ...full, ...written });
    expect(await reader().message("message-3")).toBeUndefined();
  });

  it.each(awkward)("returns a text unchanged: %j", async (content) => {
    await writer().saveRooms([aRoom()]);
    await writer().saveMessages([aMessage("message-1", { content, mentions: [content] })]);
    const page = { limit: 9, from: { offset: 0 } };
    expect((await reader().messages(ROOM, page))?.messages).toMatchObject([{ content, mentions: [content] }]);
    const text = await reader().messagesJson(ROOM, page);
    expect(parsed(text?.json)).toMatchObject([{ content, mentions: [content] }]);
    expect(text?.next).toBeNull();
  });

  it("keeps no lone surrogates, which many JSON readers refuse", async () => {
    const mentions = ["\uD800", "a\uDFFFb", "\u{1F331}", "\\ud800", '\n"'];
    await writer().saveRooms([aRoom()]);
    await writer().saveMessages([aMessage("message-1", { content: "\uD800", mentions })]);
    const kept = { content: "\u{FFFD}", mentions: mentions.map((mention) => mention.toWellFormed()) };
    expect(await shown("message-1")).toMatchObject(kept);
    const page = await reader().messagesJson(ROOM, { limit: 1, from: { offset: 0 } });
    expect(JSON.parse(Buffer.from(page?.json ?? []).toString())).toMatchObject([kept]);
  });

  it("changes only the delivery of a known message, and never back from sent", async () => {
    const deliver = (delivery: DeviceMessage["delivery"]) =>
      writer().saveMessages([aMessage("message-1", { delivery, content: delivery, timestamp: T0 + 9 })]);
    await writer().saveMessages([aMessage("message-1", { delivery: "pending" })]);
    const before = await shown("message-1");
    for (const delivery of ["failed", "pending", "sent"] as const) {
      await deliver(delivery);
      expect(await shown("message-1")).toEqual({ ...before, delivery });
    }
    await deliver("failed");
    expect(await shown("message-1")).toEqual({ ...before, delivery: "sent" });
  });

  it("shows the greatest edit by revision, time and text, and keeps all", async () => {
    const first = anEdit("message-1", 1);
    const late = anEdit("message-1", 2, { editedAt: T0, content: "z" });
    const tied = anEdit("message-1", 2, { editedAt: T0 + 9, content: "\u{FFFD}" });
    const greatest = anEdit("message-1", 2, { editedAt: T0 + 9, content: "\u{1F331}" });
    await writer().saveMessages([aMessage("message-1")]);
    for (const edit of [greatest, first, tied, late, first]) await writer().editMessages([edit]);
    const { content, revision, editedAt } = greatest;
    expect(await shown("message-1")).toMatchObject({ content, revision, editedAt });
    expect(await reader().messageEdits("message-1")).toEqual([
      anEdit("message-1", 0, { content: "text of message-1", editedAt: T0 }),
      first,
      late,
      tied,
      greatest,
    ]);
    await writer().saveMessages([aMessage("unedited")]);
    expect(await reader().messageEdits("unedited")).toEqual([]);
    expect(await reader().messageEdits("message-2")).toBeUndefined();
  });

  it("keeps the last edits of very many, in any order", async () => {
    const edits = Array.from({ length: MAX_EDITS + 5 }, (_, index) => anEdit("message-1", index + 1));
    await writer().saveMessages([aMessage("message-1")]);
    await writer().editMessages([...edits.slice(3).toReversed(), ...edits.slice(0, 3)]);
    const before = await shown("message-1");
    await writer().editMessages(edits.slice(0, 1));
    expect(await shown("message-1")).toEqual(before);
    expect(before).toMatchObject({ revision: MAX_EDITS + 5 });
    expect((await reader().messageEdits("message-1"))?.slice(1)).toEqual(edits.slice(-MAX_EDITS));
  });

  it("X15 ends with the same record for any order of a message, its edits and removals", async () => {
    const steps = [
      (id: string) => writer().saveMessages([aMessage(id)]),
      (id: string) => writer().editMessages([anEdit(id, 1)]),
      (id: string) =>
        writer().editMessages([anEdit(id, 2, { content: "b" }), anEdit(id, 2, { content: "a" })]),
      (id: string) => writer().removeMessages([{ messageId: id, roomId: ROOM, deletedAt: T0 + 7 }]),
      (id: string) => writer().removeMessages([{ messageId: id, roomId: ROOM, deletedAt: T0 + 6 }]),
    ];
    const kept = steps.slice(0, 3);
    for (const [name, orders] of Object.entries({ kept: permutations(kept), removed: permutations(steps) })) {
      for (const [index, order] of orders.entries()) {
        const id = `${name}-${index}`;
        for (const step of [...order, ...order]) await step(id);
        const { updatedAt: _, ...record } = await shown(id);
        const end =
          name === "kept"
            ? { content: "b", revision: 2, editedAt: T0 + 2, deletedAt: null }
            : { content: "", revision: 0, editedAt: null, deletedAt: T0 + 6 };
        expect(record).toEqual({ ...aMessage(id), ...end });
        expect(await reader().messageEdits(id)).toHaveLength(name === "kept" ? 4 : 0);
      }
    }
  });

  it("ignores edits and removals from another room", async () => {
    const elsewhere = { roomId: "room-2" };
    const early = anEdit("message-1", 1, elsewhere);
    const removal = { messageId: "message-1", deletedAt: T0, ...elsewhere };
    await writer().editMessages([early]);
    await writer().removeMessages([removal]);
    await writer().saveMessages([aMessage("message-1")]);
    await writer().editMessages([anEdit("message-1", 2, elsewhere)]);
    await writer().removeMessages([{ ...removal, deletedAt: T0 - 1 }]);
    expect(await shown("message-1")).toMatchObject({
      ...aMessage("message-1"),
      revision: 0,
      deletedAt: null,
    });
  });

  it("shows the latest reaction in any order, and none of a removed message", async () => {
    const words = [
      aReaction("m", { at: T0 }),
      aReaction("m", { at: T0 + 1, present: false }),
      aReaction("m", { at: T0 + 2 }),
      aReaction("m", { at: T0 + 2, emoji: ":leaf:", present: false }),
      aReaction("m", { at: T0 + 2, emoji: ":leaf:" }),
    ];
    for (const [index, order] of permutations(words).entries()) {
      const messageId = `m-${index}`;
      for (const word of order) await writer().changeReactions([{ ...word, messageId }]);
      await writer().saveMessages([aMessage(messageId)]);
      const left = { messageId, emoji: "🌱", userId: "user-2", createdAt: T0 + 2 };
      expect(await reader().reactions(messageId)).toEqual([left]);
    }
    await writer().removeMessages([{ messageId: "m-0", roomId: ROOM, deletedAt: T0 }]);
    expect(await reader().reactions("m-0")).toEqual([]);
    expect(await reader().reactions("nobody's")).toBeUndefined();
  });

  it("keeps attachments that come before their message, and never returns local paths", async () => {
    const local = anAttachment("a-1", { localPath: "/somewhere/leaf.png", createdAt: T0 + 1 });
    await writer().saveAttachments([
      local,
      anAttachment("a-2"),
      anAttachment("a-3", { messageId: "message-2" }),
    ]);
    await writer().saveAttachments([{ ...local, localPath: null }]);
    expect(await reader().messageAttachments("message-1")).toBeUndefined();
    await writer().saveMessages([aMessage("message-1"), aMessage("message-2")]);
    const { localPath: _, ...record } = local;
    const { localPath: __, ...remote } = anAttachment("a-2");
    const of = await reader().messageAttachments("message-1");
    expect(of).toEqual([
      { ...remote, isLocal: false },
      { ...record, isLocal: true },
    ]);
    expect(JSON.stringify(await reader().attachments())).not.toContain("somewhere");
    expect((await reader().attachments()).map(({ id }) => id)).toEqual(["a-2", "a-3", "a-1"]);
    await writer().removeMessages([{ messageId: "message-1", roomId: ROOM, deletedAt: T0 }]);
    expect((await reader().attachments()).map(({ id }) => id)).toEqual(["a-3"]);
    expect(await reader().messageAttachments("message-1")).toEqual([]);
  });

  it("keeps nothing of a call that fails halfway", async () => {
    const broken = { ...aMessage("message-2"), timestamp: "yesterday" as unknown as number };
    await expect(writer().saveMessages([aMessage("message-1"), broken])).rejects.toThrow();
    expect(await reader().message("message-1")).toBeUndefined();
    await writer().saveMessages([aMessage("message-1")]);
    expect(await reader().message("message-1")).toBeDefined();
  });
}
