import { expect, it } from "@jest/globals";
import {
  AMPLE_QUOTAS,
  aMember,
  aServer,
  anEnding,
  anEntry,
  storedMember,
  storedServer,
  ownerOf,
  T0,
} from "../testing/records.ts";
import type { ListedServer, ServerRecord } from "../domain/records.ts";
import type { Slice, Store } from "../domain/store.ts";
import { COLD, heated } from "../domain/trending.ts";

const named = (servers: readonly ListedServer[]): string[] => servers.map(({ name }) => name);

async function allPages<Row, Position>(
  list: (slice: Slice<Position>) => Promise<Row[]>,
  position: (row: Row) => Position,
): Promise<Row[]> {
  const rows: Row[] = [];
  let after: Position | null = null;
  for (;;) {
    const page: Row[] = await list({ after, limit: 2 });
    rows.push(...page);
    const last = page.at(-1);
    if (last === undefined) return rows;
    after = position(last);
  }
}

export function serversSuite(store: () => Store): void {
  const updated = (server: ServerRecord, fields: Partial<ServerRecord>): ServerRecord => ({
    ...server,
    ...fields,
    version: server.version + 1,
  });

  it("DI1 keeps a server as it was created, with its owner as the one member", async () => {
    const fields = { tags: ["a", "b"], iconHash: "x", description: "Line\nbreak 🎈" };
    const { server, owner } = await storedServer(store(), fields);
    expect(await store().servers.find(server.id)).toEqual(server);
    expect(await store().members.serverAndMember(server.id, owner.userId)).toEqual({ server, member: owner });
    expect(await store().servers.find(aServer().id)).toBeNull();
  });

  it("finds many at once, and passes over those that are not there", async () => {
    const one = await storedServer(store());
    const two = await storedServer(store());
    const found = await store().servers.findMany([one.server.id, aServer().id, two.server.id]);
    expect(new Set(found.map(({ id }) => id))).toEqual(new Set([one.server.id, two.server.id]));
    expect(await store().servers.findMany([])).toEqual([]);
  });

  it("DI8 updates only the version that was read", async () => {
    const { server, owner } = await storedServer(store());
    const first = updated(server, { name: "First", updatedAt: T0 + 1 });
    expect(await store().servers.update(owner, first)).toBe(true);
    expect(await store().servers.update(owner, updated(server, { name: "Second" }))).toBe(false);
    expect(await store().servers.find(server.id)).toEqual(first);
  });

  it("DI8 updates only by an actor who still has the role that was read", async () => {
    const { server, owner } = await storedServer(store());
    const moderator = await storedMember(store(), owner, { role: "moderator" });
    await store().members.setRole(moderator, "member", owner);
    expect(await store().servers.update(moderator, updated(server, { name: "Mine" }))).toBe(false);
    expect((await store().servers.find(server.id))?.name).toBe("A server");
  });

  it("does not write back the member count that came with the server", async () => {
    const { server, owner } = await storedServer(store());
    await storedMember(store(), owner);
    expect(await store().servers.update(owner, updated(server, { memberCount: 1 }))).toBe(true);
    expect((await store().servers.find(server.id))?.memberCount).toBe(2);
  });

  it("DI8 deletes a server with everything in it, once, and only by its owner", async () => {
    const { server, owner } = await storedServer(store(), { tags: ["gone"] });
    const member = await storedMember(store(), owner);
    const ending = {
      id: anEnding(server.id, "").id,
      serverId: server.id,
      userId: null,
      reason: "deleted",
    } as const;
    expect(await store().servers.remove({ ...member, role: "owner" }, ending)).toBe(false);
    expect(await store().endings.list()).toEqual([]);
    expect(await store().servers.remove(owner, ending)).toBe(true);
    expect(await store().servers.remove(owner, ending)).toBe(false);
    expect(await store().endings.list()).toEqual([ending]);
    expect(await store().servers.find(server.id)).toBeNull();
    expect(await store().members.serverAndMember(server.id, member.userId)).toBeNull();
    expect(await store().members.listOf(member.userId, { after: null, limit: 9 })).toEqual([]);
    expect(await store().servers.listPublic({ after: null, limit: 9 }, "gone")).toEqual([]);
  });

  it("DI3 transfers in one step, and there is one owner at any time", async () => {
    const { server, owner } = await storedServer(store());
    const heir = await storedMember(store(), owner);
    const after = await store().servers.transfer(owner, heir, T0 + 5, AMPLE_QUOTAS);
    expect(after).toMatchObject({ ownerId: heir.userId, version: 2, updatedAt: T0 + 5, memberCount: 2 });
    expect(await store().servers.find(server.id)).toEqual(after);
    const role = async (userId: string) =>
      (await store().members.serverAndMember(server.id, userId))?.member?.role;
    expect([await role(owner.userId), await role(heir.userId)]).toEqual(["moderator", "owner"]);
  });

  it("DI8 transfers neither by one who is no owner any more nor to one whose membership changed", async () => {
    const { owner } = await storedServer(store());
    const heir = await storedMember(store(), owner);
    const other = await storedMember(store(), owner);
    await store().members.remove(other, null, anEnding(other.serverId, other.userId));
    expect(await store().servers.transfer(owner, other, T0, AMPLE_QUOTAS)).toBeNull();
    expect(
      await store().servers.transfer(owner, { ...heir, role: "moderator" }, T0, AMPLE_QUOTAS),
    ).toBeNull();
    expect(await store().servers.transfer(owner, heir, T0, AMPLE_QUOTAS)).not.toBeNull();
    expect(await store().servers.transfer(owner, heir, T0, AMPLE_QUOTAS)).toBeNull();
  });

  it("DI2 lists public servers newest first, in pages, those of one moment too", async () => {
    for (const [name, createdAt] of [
      ["a", 1],
      ["b", 2],
      ["c", 2],
      ["d", 2],
      ["e", 3],
    ] as const) {
      await storedServer(store(), { name, createdAt });
    }
    await storedServer(store(), { visibility: "unlisted" });
    await storedServer(store(), { visibility: "private" });
    const list = (slice: Slice<[number, string]>) => store().servers.listPublic(slice);
    const rows = await allPages(list, ({ createdAt, id }): [number, string] => [createdAt, id]);
    expect(named(rows)).toEqual(["e", "d", "c", "b", "a"]);
  });

  it("DI2 lists by tag only what is public and carries it now", async () => {
    const { server, owner } = await storedServer(store(), { name: "a", tags: ["x", "y"], createdAt: 1 });
    await storedServer(store(), { name: "b", tags: ["x"], createdAt: 2 });
    await storedServer(store(), { name: "c", tags: ["x"], visibility: "unlisted" });
    const tagged = async (tag: string) =>
      named(await store().servers.listPublic({ after: null, limit: 9 }, tag));
    expect(await tagged("x")).toEqual(["b", "a"]);
    const other = updated(server, { tags: ["y", "z"] });
    await store().servers.update(owner, other);
    expect([await tagged("x"), await tagged("y"), await tagged("z")]).toEqual([["b"], ["a"], ["a"]]);
    await store().servers.update(owner, updated(other, { visibility: "private" }));
    expect([await tagged("y"), await tagged("z")]).toEqual([[], []]);
  });

  it("DI2 lists the hottest first, in pages, and only what is public", async () => {
    const at = T0 + 1_000;
    const points = { a: 3, b: 50, c: 7, d: 0 };
    const ids = new Map<string, string>();
    for (const name of Object.keys(points)) ids.set((await storedServer(store(), { name })).server.id, name);
    const secret = await storedServer(store(), { visibility: "private" });
    const items = [...ids].map(([serverId, name]) => ({ serverId, points: points[name as "a"] }));
    await store().servers.addHeat([...items, { serverId: secret.server.id, points: 99 }], at);
    await store().servers.addHeat([{ serverId: aServer().id, points: 1 }], at);
    const rows = await allPages(
      (slice: Slice<readonly [number, string]>) => store().servers.listTrending(slice),
      ({ heat, server }) => [heat, server.id] as const,
    );
    expect(rows.map(({ server }) => server.name)).toEqual(["b", "c", "a", "d"]);
    expect(rows[0]?.heat).toBeCloseTo(heated(COLD, 50, at), 9);
  });

  it("DI2 warms a server with each new member", async () => {
    const { server } = await storedServer(store());
    const member = aMember(server.id);
    await store().members.add(anEntry(member, { points: 5 }));
    const [first] = await store().servers.listTrending({ after: null, limit: 1 });
    expect(first?.heat).toBeCloseTo(heated(COLD, 5, member.joinedAt), 9);
    expect(ownerOf(server).role).toBe("owner");
  });
}
