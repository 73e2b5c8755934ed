import { afterEach, describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import {
  aMessage,
  anAttachment,
  anEdit,
  anEmoji,
  aProfile,
  aReaction,
  aRoom,
  dice,
  permutations,
  T0,
} from "../../store/device-records.contract.ts";
import { advanceReadRecord } from "../chat/read-record.ts";
import type { SyncPayloads } from "../wire.ts";
import { toBase64 } from "./base64.ts";
import { sha256Hex } from "./digest.ts";
import { everything } from "./testing/everything.ts";
import { HOME, ME } from "./testing/relay.ts";
import { SyncWorld } from "./testing/sync-world.ts";
import type { Sibling } from "./testing/sync-world.ts";

const ROOM = aRoom({ signalServerUrl: HOME, actorUserId: ME });
const MESSAGES = ["m-1", "m-2", "m-3"];
const OTHERS = ["x-1", "x-2"];

/** What a person does on one device: stored there, told to the others, as the rest of the client does it. */
type Deed = (sibling: Sibling) => Promise<void>;

const told = async (sibling: Sibling, stored: Promise<unknown>, payload: SyncPayloads): Promise<void> => {
  await stored;
  sibling.sync.tell(payload);
};

/** Nobody changes a message that their device does not show. */
const where =
  (messageId: string, deed: Deed): Deed =>
  async (sibling) => {
    if (await sibling.store.message(messageId)) await deed(sibling);
  };

const write =
  (id: string): Deed =>
  async (sibling) => {
    const { delivery: _, ...message } = aMessage(id, { senderId: ME });
    return told(sibling, sibling.store.saveMessages([{ ...message, delivery: "sent" }]), {
      type: "chat-message",
      message,
    });
  };

const edit = (id: string, revision: number, content: string): Deed =>
  where(id, async (sibling) => {
    const change = anEdit(id, revision, { content });
    return told(sibling, sibling.store.editMessages([change]), {
      type: "message-revision",
      roomId: ROOM.id,
      messageId: id,
      revision: change,
    });
  });

const remove = (messageId: string, at: number): Deed =>
  where(messageId, async (sibling) => {
    const removal = { messageId, roomId: ROOM.id, deletedAt: T0 + at };
    return told(sibling, sibling.store.removeMessages([removal]), { type: "message-delete", ...removal });
  });

const react = (id: string, emoji: string, present: boolean, at: number): Deed =>
  where(id, async (sibling) => {
    const change = aReaction(id, { emoji, present, at: T0 + at, userId: ME });
    const payload: SyncPayloads = { type: "message-reaction", roomId: ROOM.id, change };
    return told(sibling, sibling.store.changeReactions([change]), payload);
  });

const save =
  (id: string, at: number, name: string): Deed =>
  async (sibling) => {
    const room = { ...ROOM, id, name, joinedAt: T0 + at, updatedAt: T0 + at };
    return told(sibling, sibling.store.saveRooms([room]), { type: "saved-room-sync", room });
  };

const leave =
  (roomId: string, at: number): Deed =>
  async (sibling) =>
    told(sibling, sibling.store.removeRoom(roomId, T0 + at), {
      type: "saved-room-remove",
      roomId,
      at: T0 + at,
    });

const befriend =
  (userId: string, at: number): Deed =>
  async (sibling) => {
    const friend = { userId, addedAt: T0 + at };
    return told(sibling, sibling.store.saveFriends([friend]), { type: "friend-added", friend });
  };

const unfriend =
  (userId: string, at: number): Deed =>
  async (sibling) =>
    told(sibling, sibling.store.removeFriend(userId, T0 + at), {
      type: "friend-removed",
      userId,
      at: T0 + at,
    });

const draw =
  (id: string, at: number, picture: number): Deed =>
  async (sibling) => {
    const bytes = Uint8Array.of(1, 2, picture);
    const emoji = anEmoji(id, { bytes, hash: sha256Hex(bytes), updatedAt: T0 + at });
    const { bytes: _, ...rest } = emoji;
    return told(sibling, sibling.store.saveEmoji([emoji]), {
      type: "custom-emoji-full",
      emoji: [{ ...rest, data: toBase64(bytes) }],
    });
  };

const erase =
  (id: string, at: number): Deed =>
  async (sibling) =>
    told(sibling, sibling.store.removeEmoji(id, T0 + at), { type: "custom-emoji-removed", id, at: T0 + at });

const read =
  (id: string, at: number): Deed =>
  async (sibling) => {
    const place = { roomId: ROOM.id, channelId: "channel-1" };
    const tabs = sibling.platform.tabs;
    const stored = advanceReadRecord({ store: sibling.store, tabs }, place, { timestamp: T0 + at, id });
    return told(sibling, stored, { type: "read-position", ...place, messageId: id, timestamp: T0 + at });
  };

const rename =
  (displayName: string, at: number): Deed =>
  async (sibling) => {
    const profile = aProfile({ id: ME, homeSignalServerUrl: HOME, displayName, updatedAt: T0 + at });
    const { id: _, homeSignalServerUrl: __, ...card } = { ...profile, avatarHash: null, avatarMime: null };
    const stored = sibling.store.saveProfile({ ...profile, avatarHash: null, avatarMime: null });
    return told(sibling, stored, { type: "user-avatar-full", avatar: null, card });
  };

/** What somebody else does reaches the devices that are online, and nobody tells anybody of it. */
type Event = (online: readonly Sibling[]) => Promise<void>;

const othersWrite =
  (id: string): Event =>
  async (online) => {
    for (const { store } of online) {
      await store.saveMessages([aMessage(id)]);
      await store.saveAttachments([anAttachment(`file-of-${id}`, { messageId: id })]);
    }
  };

const othersReact =
  (id: string, present: boolean, at: number): Event =>
  async (online) => {
    for (const { store } of online) await store.changeReactions([aReaction(id, { present, at: T0 + at })]);
  };

type Step =
  | { readonly who: number; readonly deed: Deed }
  | { readonly event: Event }
  | { readonly who: number; readonly turn: "connect" | "disconnect" | "restart" }
  | { readonly handOver: number }
  | { readonly pass: number };

const who = fc.nat({ max: 4 });
const at = fc.nat({ max: 4 });
const anyMessage = fc.constantFrom(...MESSAGES, ...OTHERS);
const two = fc.constantFrom("a", "b");
const text = fc.constantFrom("first", "second", "\u{1F331}");

/** Shows in a counterexample what was done. */
const named = <Args extends readonly unknown[], Made extends object>(
  name: string,
  args: fc.Arbitrary<Args>,
  make: (...args: Args) => Made,
): fc.Arbitrary<Made> =>
  args.map((chosen) =>
    Object.assign(make(...chosen), { [fc.toStringMethod]: () => `${name}(${chosen.join(", ")})` }),
  );

const revision = fc.integer({ min: 1, max: 3 });
const deeds: fc.Arbitrary<Deed>[] = [
  named("write", fc.tuple(fc.constantFrom(...MESSAGES)), write),
  named("edit", fc.tuple(anyMessage, revision, text), edit),
  named("remove", fc.tuple(anyMessage, at), remove),
  named("react", fc.tuple(anyMessage, two, fc.boolean(), at), react),
  named("save", fc.tuple(two, at, text), save),
  named("leave", fc.tuple(two, at), leave),
  named("befriend", fc.tuple(two, at), befriend),
  named("unfriend", fc.tuple(two, at), unfriend),
  named("draw", fc.tuple(two, at, fc.nat({ max: 2 })), draw),
  named("erase", fc.tuple(two, at), erase),
  named("read", fc.tuple(anyMessage, at), read),
  named("rename", fc.tuple(text, at), rename),
];
const events: fc.Arbitrary<Event>[] = [
  named("othersWrite", fc.tuple(fc.constantFrom(...OTHERS)), othersWrite),
  named("othersReact", fc.tuple(anyMessage, fc.boolean(), at), othersReact),
];
const turn = fc.constantFrom("connect", "connect", "disconnect", "restart" as const);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ who, deed: fc.oneof(...deeds) }) },
  { weight: 3, arbitrary: fc.record({ event: fc.oneof(...events) }) },
  { weight: 5, arbitrary: fc.record({ who, turn }) },
  {
    weight: 5,
    arbitrary: fc.record({ handOver: fc.integer({ min: 1, max: 20 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ pass: fc.constantFrom(10, 1_000, 90_000) }),
  },
);

const take = async (world: SyncWorld, chosen: Step): Promise<void> => {
  if ("handOver" in chosen) {
    for (let count = 0; count < chosen.handOver; count += 1) {
      world.relay.step();
      await world.clock.advance(1);
    }
  } else if ("pass" in chosen) await world.clock.advance(chosen.pass);
  else if ("event" in chosen) await chosen.event(world.siblings.filter(({ client }) => client.isOnline));
  else {
    const sibling = world.siblings[chosen.who % world.siblings.length];
    if (!sibling) return;
    if ("deed" in chosen) await chosen.deed(sibling);
    else if (chosen.turn === "restart") await sibling.restart();
    else sibling.client[chosen.turn]();
  }
};

/** Everybody comes online, one after another, as long as it takes to tell each other everything. */
const meet = async (world: SyncWorld): Promise<void> => {
  for (const { client } of world.siblings) client.disconnect();
  for (const { client } of world.siblings) {
    client.connect();
    await world.settle();
  }
};

const worlds: SyncWorld[] = [];
afterEach(() => worlds.splice(0).forEach((world) => world.close()));

async function openWorld(devices: number, seed: number, hasTab = false): Promise<SyncWorld> {
  const roll = dice(seed);
  const world = new SyncWorld({ random: () => roll(1_000_000) / 1_000_000, duplicates: 0.2 });
  worlds.push(world);
  for (let count = 0; count < devices; count += 1) await world.open();
  const [first] = world.siblings;
  await first?.store.saveRooms([ROOM]);
  if (hasTab) await first?.openTab();
  return world;
}

async function answers(world: SyncWorld): Promise<readonly unknown[]> {
  return Promise.all(world.siblings.map(async ({ store }) => everything(store)));
}

describe("account sync on several devices", () => {
  it("AS4 ends with the same records on all of them, whatever happened on the way", async () => {
    const story = fc.array(step, { minLength: 5, maxLength: 40 });
    const property = fc.asyncProperty(
      fc.integer({ min: 2, max: 4 }),
      fc.nat(),
      fc.boolean(),
      story,
      async (devices, seed, hasTab, steps) => {
        const world = await openWorld(devices, seed, hasTab);
        for (const chosen of steps) await take(world, chosen);
        await meet(world);
        const [first, ...others] = await answers(world);
        for (const other of others) expect(other).toEqual(first);
        expect(world.siblings.map(({ sync }) => sync.state.getState().queued)).toEqual(
          world.siblings.map(() => 0),
        );
        world.close();
      },
    );
    await fc.assert(property, { numRuns: 20, endOnFailure: true });
  }, 300_000);

  const concurrent: readonly (readonly [string, readonly Deed[]])[] = [
    ["edits of one revision", [edit("m-1", 1, "a"), edit("m-1", 1, "b"), edit("m-1", 2, "a")]],
    ["an edit and a removal", [edit("m-1", 1, "a"), remove("m-1", 2), remove("m-1", 1)]],
    ["reactions", [react("m-1", "a", true, 1), react("m-1", "a", false, 1), react("m-1", "a", true, 0)]],
    ["a room", [save("a", 1, "x"), leave("a", 1), save("a", 2, "y")]],
    ["a friend", [befriend("a", 1), unfriend("a", 1), befriend("a", 0)]],
  ];
  it.each(concurrent)(
    "AS4 agrees on %s made at the same time, in every order",
    async (_, deeds) => {
      const ends: unknown[] = [];
      for (const order of permutations(deeds)) {
        const world = await openWorld(3, 7);
        for (const sibling of world.siblings) await write("m-1")(sibling);
        for (const [index, deed] of order.entries()) await deed(world.siblings[index] as Sibling);
        await meet(world);
        ends.push(...(await answers(world)));
        world.close();
      }
      for (const end of ends) expect(end).toEqual(ends[0]);
    },
    60_000,
  );
});
