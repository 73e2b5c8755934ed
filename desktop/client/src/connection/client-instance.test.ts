import { describe, expect, it } from "@jest/globals";
import { createFakeDevice } from "../testing/fake-device.ts";
import { createFakePlatform } from "../testing/fake-platform.ts";
import type { FakePlatform } from "../testing/fake-platform.ts";
import { createClientInstance } from "./client-instance.ts";
import type { ClientInstance } from "./connection.ts";

const KEY = "app.clientInstanceId";
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

async function open(...platforms: FakePlatform[]): Promise<ClientInstance[]> {
  const opening = Promise.all(platforms.map((platform) => createClientInstance(platform)));
  await platforms[0]?.clock.advance(1_000);
  return opening;
}

const one = async (platform: FakePlatform): Promise<ClientInstance> => {
  const [instance] = await open(platform);
  if (instance === undefined) throw new Error("No instance");
  return instance;
};

describe("the id of a tab", () => {
  it("CL4 is a UUID in session storage", async () => {
    const platform = createFakePlatform();
    const { id } = await one(platform);
    expect(id).toMatch(UUID);
    expect(platform.session.get(KEY)).toBe(id);
    expect(platform.local.entries.size).toBe(0);
  });

  it("CL4 survives a reload", async () => {
    const platform = createFakePlatform();
    const { id } = await one(platform);
    const again = platform.reload();
    expect((await one(again)).id).toBe(id);
    expect((await one(again.reload())).id).toBe(id);
  });

  it("CL4 is replaced in a duplicated tab; the original keeps it", async () => {
    const platform = createFakePlatform();
    const original = await one(platform);
    const { id } = original;
    const copy = platform.duplicate();
    const duplicate = await one(copy);
    expect(duplicate.id).toMatch(UUID);
    expect([original.id, duplicate.id === id]).toEqual([id, false]);
    expect([platform.session.get(KEY), copy.session.get(KEY)]).toEqual([id, duplicate.id]);
    expect((await one(copy.reload())).id).toBe(duplicate.id);
  });

  it.each([2, 3, 8])("CL4 is kept by exactly one of %i simultaneous duplicates", async (count) => {
    for (let round = 0; round < 20; round += 1) {
      const first = createFakePlatform();
      const { id } = await one(first);
      first.leave();
      const tabs = Array.from({ length: count }, () => first.duplicate());
      const ids = (await open(...tabs)).map((instance) => instance.id);
      expect(ids.filter((it) => it === id)).toHaveLength(1);
      expect(new Set(ids).size).toBe(count);
    }
  });

  it.each([1, 50, 149, 150, 151])("CL4 is kept by exactly one of two that are %i ms apart", async (apart) => {
    for (let round = 0; round < 20; round += 1) {
      const first = createFakePlatform();
      const { id } = await one(first);
      first.leave();
      const [a, b] = [first.duplicate(), first.duplicate()];
      const opening = [createClientInstance(a)];
      await a.clock.advance(apart);
      opening.push(createClientInstance(b));
      await a.clock.advance(1_000);
      const ids = (await Promise.all(opening)).map((instance) => instance.id);
      expect(ids.filter((it) => it === id)).toHaveLength(1);
      expect(new Set(ids).size).toBe(2);
    }
  });

  it("CL4 ignores tabs of other browsers", async () => {
    const platform = createFakePlatform();
    const { id } = await one(platform);
    const elsewhere = createFakePlatform({ session: platform.session.entries });
    expect((await one(elsewhere)).id).toBe(id);
  });

  it("CL4 tells the tabs of this browser from others", async () => {
    const device = createFakeDevice();
    const [a, b] = [createFakePlatform({ device }), createFakePlatform({ device })];
    const [mine, other] = [await one(a), await one(b)];
    const asked = Promise.all([mine.id, other.id, "somewhere else"].map((id) => mine.isHere(id)));
    await a.clock.advance(1_000);
    expect(await asked).toEqual([true, true, false]);
    b.leave();
    const again = mine.isHere(other.id);
    await a.clock.advance(1_000);
    expect(await again).toBe(false);
    expect(a.clock.waiting).toBe(0);
  });

  it.each(["", "x", "01900000", "{}"])("is replaced if damaged: %j", async (text) => {
    const platform = createFakePlatform({ session: new Map([[KEY, text]]) });
    expect((await one(platform)).id).toMatch(UUID);
  });

  it("exists even if nothing can be stored", async () => {
    const platform = createFakePlatform();
    platform.session.isFull = true;
    expect((await one(platform)).id).toMatch(UUID);
  });

  it("ignores malformed messages", async () => {
    const device = createFakeDevice();
    const other = createFakePlatform({ device });
    const platform = createFakePlatform({ device });
    const { id } = await one(platform);
    for (const message of [null, 7, "x", {}, { type: "instance-taken" }, { type: 5, id, page: 1 }])
      other.tabs.post(message);
    other.tabs.post({ type: "instance-taken", id, page: "another" });
    await platform.clock.advance(1_000);
    expect(platform.session.get(KEY)).toBe(id);
  });
});
