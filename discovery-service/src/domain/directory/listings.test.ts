import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { presenceSubjects, serverSummarySchema } from "@hearth/contracts";
import { newId } from "@hearth/runtime";
import { z } from "zod";
import { COLD } from "../trending.ts";
import { AMPLE_QUOTAS, aServer, storedServer, ownerOf } from "../../testing/records.ts";
import { startDiscovery } from "../../testing/service.ts";
import type { Send, TestDiscovery } from "../../testing/service.ts";

const page = z.object({ items: z.array(serverSummarySchema), nextCursor: z.string().nullable() });
const PUBLIC_LISTS = ["", "/featured", "/trending", "/search?q=findme"] as const;

describe("finding servers", () => {
  let discovery: TestDiscovery;
  const featured = [newId(), newId(), newId(), newId()];

  beforeEach(async () => {
    discovery = await startDiscovery({ featuredServers: featured });
  });
  afterEach(() => discovery.stop());

  const list = async (path: string, send: Send = discovery.anybody) => {
    const answer = await send("GET", `/api/servers${path}`);
    expect(answer.status).toBe(200);
    return page.parse(answer.body);
  };
  const names = async (path: string, send?: Send) => (await list(path, send)).items.map(({ name }) => name);

  /** All pages, with something happening between any two of them. */
  async function walk(path: string, limit: number, between: () => Promise<unknown>, send?: Send) {
    const found: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query: string = `${path.includes("?") ? "&" : "?"}limit=${limit}${cursor && `&cursor=${cursor}`}`;
      const { items, nextCursor } = await list(path + query, send);
      found.push(...items.map(({ name }) => name));
      cursor = nextCursor;
      if (cursor !== null) await between();
    }
    return found;
  }

  const secretAndUnlisted = async () => {
    const owner = discovery.user();
    const secret = await owner.create({ name: "findme secret", visibility: "private", tags: ["t"] });
    const unlisted = await owner.create({ name: "findme unlisted", visibility: "unlisted", tags: ["t"] });
    return { owner, secret, unlisted };
  };

  it("DI2 shows neither private nor unlisted servers in any list, not even to their owner", async () => {
    const { owner } = await secretAndUnlisted();
    await owner.create({ name: "findme public", tags: ["t"] });
    for (const path of [...PUBLIC_LISTS, "?tag=t"]) {
      const expected = path === "/featured" ? [] : ["findme public"];
      expect(await names(path)).toEqual(expected);
      expect(await names(path, owner.send)).toEqual(expected);
    }
  });

  it("DI2 hides a server from every list as soon as it is made private, and shows it when it is public", async () => {
    const owner = discovery.user();
    const { id } = await owner.create({ name: "findme", tags: ["t"] });
    expect(await names("/search?q=findme")).toEqual(["findme"]);
    await owner.send("PUT", `/api/servers/${id}`, { visibility: "private" });
    for (const path of PUBLIC_LISTS) expect(await names(path)).toEqual([]);
    expect(await names("?tag=t")).toEqual([]);
    await owner.send("PUT", `/api/servers/${id}`, { visibility: "public" });
    expect(await names("/search?q=findme")).toEqual(["findme"]);
  });

  it("DI2 does not find a server that has just become private, even with a stale index", async () => {
    const owner = discovery.user();
    const { id } = await owner.create({ name: "findme" });
    expect(await names("/search?q=findme")).toEqual(["findme"]);
    const record = await discovery.store.servers.find(id);
    if (!record) throw new Error("the server is gone");
    const next = { ...record, visibility: "private", version: 2 } as const;
    expect(await discovery.store.servers.update(ownerOf(record), next)).toBe(true);
    expect(await names("/search?q=findme")).toEqual([]);
  });

  it("DI2 shows an unlisted server by its id, and a private one to its members alone, as if it were not there", async () => {
    const { owner, secret, unlisted } = await secretAndUnlisted();
    const stranger = discovery.user();
    const byId = (id: string) => `/api/servers/${id}`;
    for (const send of [discovery.anybody, stranger.send, owner.send]) {
      expect((await send("GET", byId(unlisted.id))).status).toBe(200);
    }
    expect((await owner.send("GET", byId(secret.id))).status).toBe(200);
    const missing = await stranger.send("GET", byId(newId()));
    for (const send of [discovery.anybody, stranger.send]) {
      const { status, body } = await send("GET", byId(secret.id));
      const { requestId: _own, ...hidden } = body as { requestId: string };
      const { requestId: _other, ...absent } = missing.body as { requestId: string };
      expect([status, hidden]).toEqual([404, absent]);
    }
  });

  it("DI2 shows all of one's own servers as one's own, and needs a token for it", async () => {
    const { owner } = await secretAndUnlisted();
    discovery.clock.advance(1);
    const { id } = await discovery.user().create({ name: "joined" });
    await owner.send("POST", `/api/servers/${id}/join`);
    const answer = await owner.send("GET", "/api/servers/mine");
    expect(answer.body).toMatchObject({
      items: [
        { name: "findme secret", role: "owner" },
        { name: "findme unlisted", role: "owner" },
        { name: "joined", role: "member", joinedAt: discovery.clock.now() },
      ],
      nextCursor: null,
    });
    expect(await discovery.anybody("GET", "/api/servers/mine")).toMatchObject({ status: 401 });
  });

  it("DI2 pages through the newest; new servers meanwhile neither repeat nor hide others", async () => {
    const owner = discovery.user();
    const make = async (name: string) => {
      discovery.clock.advance(1);
      await owner.create({ name, tags: ["t"] });
    };
    for (const name of ["a", "b", "c", "d", "e"]) await make(name);
    let extra = 0;
    const between = () => make(`new ${(extra += 1)}`);
    expect(await walk("", 2, between)).toEqual(["e", "d", "c", "b", "a"]);
    expect(await walk("?tag=t", 3, between)).toEqual(["new 2", "new 1", "e", "d", "c", "b", "a"]);
  });

  it("DI2 pages through the trending ones, by joins and messages that decay", async () => {
    const owner = discovery.user();
    const ids: Record<string, string> = {};
    for (const name of ["quiet", "joined", "chatty", "past"]) ids[name] = (await owner.create({ name })).id;
    const activity = async (name: string, messages: number) => {
      await discovery.bus.publish(presenceSubjects.activity, {
        items: [{ serverId: ids[name] ?? "", messages }],
      });
      await discovery.events();
    };
    await activity("past", 30);
    discovery.clock.advance(14 * 24 * 60 * 60_000);
    await activity("chatty", 20);
    for (let joins = 0; joins < 3; joins += 1) {
      await discovery.user().send("POST", `/api/servers/${ids["joined"]}/join`);
    }
    expect(await names("/trending")).toEqual(["chatty", "joined", "past", "quiet"]);
    const overtake = async () => {
      ids["new"] = (await owner.create({ name: "new" })).id;
      await activity("new", 100);
      await activity("chatty", 1);
    };
    expect(await walk("/trending", 1, overtake)).toEqual(["chatty", "joined", "past", "quiet"]);
  });

  it("DI2 shows the featured servers in the operator's order, and only those that are public", async () => {
    const [a = "", b = "", c = "", d = ""] = featured;
    await storedServer(discovery.store, { id: c, name: "third" });
    await storedServer(discovery.store, { id: a, name: "first" });
    await storedServer(discovery.store, { id: b, name: "hidden", visibility: "private" });
    await storedServer(discovery.store, { id: d, name: "fourth" });
    const { items } = await list("/featured");
    expect(items.map(({ name, featured: shown }) => [name, shown])).toEqual([
      ["first", true],
      ["third", true],
      ["fourth", true],
    ]);
    const nothing = async () => undefined;
    expect(await walk("/featured", 1, nothing)).toEqual(["first", "third", "fourth"]);
    expect(await walk("/featured", 2, nothing)).toEqual(["first", "third", "fourth"]);
  });

  it("DI2 pages through a search with a typing error", async () => {
    const owner = discovery.user();
    for (let index = 0; index < 7; index += 1) await owner.create({ name: `Astronomy ${index}` });
    const between = () => owner.create({ name: "Astronomy astronomy" });
    const found = await walk("/search?q=astronmy", 2, between);
    const first = found.filter((name) => name !== "Astronomy astronomy");
    expect([...first].sort()).toEqual(Array.from({ length: 7 }, (_, index) => `Astronomy ${index}`));
    expect(new Set(first).size).toBe(first.length);
  });

  it("DI2 clamps the limit to 1..100 and uses 50 by default", async () => {
    const owner = { userId: newId() };
    for (let index = 0; index < 101; index += 1) {
      const server = aServer({ ownerId: owner.userId, createdAt: index });
      await discovery.store.servers.create(server, ownerOf(server), COLD, AMPLE_QUOTAS);
    }
    const count = async (query: string) => (await list(query)).items.length;
    expect([
      await count(""),
      await count("?limit=0"),
      await count("?limit=-7"),
      await count("?limit=3"),
      await count(`?limit=${"9".repeat(400)}`),
    ]).toEqual([50, 1, 1, 3, 100]);
    expect([await count("?limit=100"), await count("?limit=101"), await count("?limit=999999")]).toEqual([
      100, 100, 100,
    ]);
    for (const limit of ["x", "1.5", "", "1e3", "-"]) {
      const answer = await discovery.anybody("GET", `/api/servers?limit=${limit}`);
      expect(answer).toMatchObject({ status: 400, body: { code: "INVALID_REQUEST" } });
    }
  });

  it("DI2 refuses a cursor that is damaged, forged, of another list, or none at all", async () => {
    const owner = discovery.user();
    for (const name of ["a", "b", "c"]) await owner.create({ name, tags: ["t"] });
    const { nextCursor } = await list("?limit=1");
    const cursor = nextCursor ?? "";
    const damaged = `${cursor.slice(0, 3)}${cursor[3] === "A" ? "B" : "A"}${cursor.slice(4)}`;
    for (const path of [
      `?cursor=${damaged}`,
      `?tag=t&cursor=${cursor}`,
      `/trending?cursor=${cursor}`,
      `/featured?cursor=${cursor}`,
      `/search?q=a&cursor=${cursor}`,
    ]) {
      expect(await discovery.anybody("GET", `/api/servers${path}`)).toMatchObject({
        status: 404,
        body: { code: "NOT_FOUND", errors: [{ path: "cursor" }] },
      });
    }
    for (const malformed of ["e30", `${cursor}.z`, ".AAAAAAAAAAAAAAAA", ""]) {
      expect(await discovery.anybody("GET", `/api/servers?cursor=${malformed}`)).toMatchObject({
        status: 400,
        body: { code: "INVALID_REQUEST", errors: [{ path: "cursor" }] },
      });
    }
  });

  it("DI1 shows presence's online counts, with one request per page", async () => {
    const owner = discovery.user();
    const one = await owner.create({ name: "one" });
    discovery.clock.advance(10_000);
    await owner.create({ name: "two" });
    discovery.clock.advance(10_000);
    const asked: string[][] = [];
    discovery.bus.answer(presenceSubjects.online, async ({ serverIds }) => {
      asked.push(serverIds);
      return { counts: { [one.id]: 7 } };
    });
    const { items } = await list("");
    expect(items.map(({ name, onlineCount }) => [name, onlineCount])).toEqual([
      ["two", 0],
      ["one", 7],
    ]);
    expect(asked).toHaveLength(1);
  });

  it("ER6 shows the last known count, else 0, while presence does not answer", async () => {
    const owner = discovery.user();
    const one = await owner.create({ name: "one" });
    discovery.clock.advance(10_000);
    const presence = discovery.bus.answer(presenceSubjects.online, async () => ({ counts: { [one.id]: 7 } }));
    await list("");
    presence.close();
    discovery.bus.answer(presenceSubjects.online, () => new Promise(() => undefined));
    discovery.clock.advance(10_000);
    expect((await list("")).items).toMatchObject([{ onlineCount: 7 }]);
  });

  it("DI2 counts searches by whether they found something", async () => {
    await discovery.user().create({ name: "findme" });
    await list("/search?q=findme");
    await list("/search?q=nowhere");
    const text = await discovery.metrics.text();
    expect(text).toContain('hearth_discovery_searches_total{found="true"} 1');
    expect(text).toContain('hearth_discovery_searches_total{found="false"} 1');
  });
});
