import { afterEach, describe, expect, it } from "@jest/globals";
import { seededRandom, permutations } from "@hearth/store/testing";
import { befriend, edit, leave, react, remove, ROOM, save, unfriend, write } from "./testing/user-actions.ts";
import type { UserAction } from "./testing/user-actions.ts";
import { storeContents } from "./testing/store-contents.ts";
import { step, perform } from "./testing/story.ts";
import { SyncWorld } from "./testing/sync-world.ts";
import type { Sibling } from "./testing/sync-world.ts";
import { fc } from "@hearth/device/testing";

/** Brings everybody online, long enough to sync everything. */
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
  const roll = seededRandom(seed);
  const world = new SyncWorld({ random: () => roll(1_000_000) / 1_000_000, duplicates: 0.2 });
  worlds.push(world);
  for (let count = 0; count < devices; count += 1) await world.open();
  const [first] = world.siblings;
  await first?.store.saveRooms([ROOM]);
  if (hasTab) await first?.openTab();
  return world;
}

async function answers(world: SyncWorld): Promise<readonly unknown[]> {
  return Promise.all(world.siblings.map(async ({ store }) => storeContents(store)));
}

describe("account sync on several devices", () => {
  it("AS4 ends with the same records on every device, whatever happened on the way", async () => {
    const story = fc.array(step, { minLength: 5, maxLength: 40 });
    const property = fc.asyncProperty(
      fc.integer({ min: 2, max: 4 }),
      fc.nat(),
      fc.boolean(),
      story,
      async (devices, seed, hasTab, steps) => {
        const world = await openWorld(devices, seed, hasTab);
        for (const chosen of steps) await perform(world, chosen);
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

  const concurrent: readonly (readonly [string, readonly UserAction[]])[] = [
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
