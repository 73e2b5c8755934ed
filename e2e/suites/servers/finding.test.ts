import type { Credential, JoinedServer, Server } from "@hearth/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { until } from "@hearth/runtime/testing/until";
import { type ServerPage, discoveryOf } from "../../src/client/discovery.ts";
import {
  call,
  createServer,
  dialPlain,
  join,
  openDevice,
  register,
  settled,
} from "../../src/client/index.ts";
import { expectProblem } from "../../src/expectations/problem.ts";
import { type RunningServer, startServer } from "../../src/server/process.ts";

let server: RunningServer;
let owner: Credential;
let member: Credential;
let stranger: Credential;
let featured: JoinedServer;

beforeAll(async () => {
  const first = await startServer({ isShared: false });
  [owner, member, stranger] = (await Promise.all(
    ["owner", "member", "stranger"].map((name) => register(first.url, name)),
  )) as [Credential, Credential, Credential];
  featured = await createServer(first.url, owner, { name: "Recommended" });
  const hidden = await createServer(first.url, owner, {
    name: "Recommended but private",
    visibility: "private",
  });
  await first.stop();
  const unknown = crypto.randomUUID();
  server = await startServer({
    dataDir: first.dataDir,
    env: { FEATURED_SERVERS: `${hidden.id}, ${unknown}, ${featured.id}` },
  });
}, 120_000);

afterAll(async () => {
  await server.stop();
  await server.cleanUp();
});

const { as, enter, make, publicly } = discoveryOf(() => ({ url: server.url, owner }));
const search = async (q: string): Promise<string[]> =>
  (await publicly<ServerPage>(`/api/servers/search?q=${encodeURIComponent(q)}`)).items.map(
    ({ name }) => name,
  );

describe("finding servers", () => {
  it("DI1 DI3 a new server has its owner, two channels and all requested fields", async () => {
    const created = await make({
      name: "Teahouse",
      description: "Green,\nblack",
      tags: ["Tea", "quiet", "tea"],
      channels: [{ name: "leaves" }, { name: "kettle", kind: "voice" }],
    });
    expect(created).toMatchObject({
      name: "Teahouse",
      description: "Green,\nblack",
      tags: ["tea", "quiet"],
      visibility: "public",
      iconHash: null,
      ownerId: owner.id,
      memberCount: 1,
      onlineCount: 0,
      featured: false,
      role: "owner",
      channels: [
        { name: "leaves", kind: "text", position: 0 },
        { name: "kettle", kind: "voice", position: 1 },
      ],
    });
    const { role: _, joinedAt: __, ...shown } = created;
    expect(await publicly(`/api/servers/${created.id}`)).toEqual(shown);
  });

  it("DI2 lists are newest first, in pages without gaps, and limits are clamped", async () => {
    const names = Array.from({ length: 7 }, (_, n) => `Paged ${n}`);
    for (const name of names) await make({ name, tags: ["paged"] });
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const query: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
      const page: ServerPage = await publicly(`/api/servers?tag=paged&limit=3${query}`);
      seen.push(...page.items.map(({ name }) => name));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(names.toReversed());
    expect((await publicly<ServerPage>("/api/servers?tag=paged&limit=0")).items).toHaveLength(1);
    expect((await publicly<ServerPage>("/api/servers?tag=paged&limit=-5")).items).toHaveLength(1);
    expect((await publicly<ServerPage>("/api/servers?tag=paged&limit=100000")).items).toHaveLength(7);
  });

  it("DI2 featured servers are the operator's choice without private and deleted ones", async () => {
    const { items } = await publicly<ServerPage>("/api/servers/featured");
    expect(items.map(({ id, featured: flag }) => [id, flag])).toEqual([[featured.id, true]]);
  });

  it("DI2 search matches prefixes, tags, descriptions and accents, and tolerates typing errors", async () => {
    await make({ name: "The Reading Room", description: "One book a month", tags: ["literature"] });
    await make({ name: "Café Zürich", description: "Kaffee und Gespräche" });
    for (const q of [
      "reading",
      "READ",
      "rea",
      "readnig",
      "raeding",
      "reeding",
      "literature",
      "book",
      "room reading",
    ]) {
      expect([q, await search(q)]).toEqual([q, expect.arrayContaining(["The Reading Room"])]);
    }
    for (const q of ["cafe", "zurich", "CAFÉ", "zuerich", "gesprache"]) {
      expect([q, await search(q)]).toEqual([q, expect.arrayContaining(["Café Zürich"])]);
    }
    expect(await search("xylophone")).toEqual([]);
    expect((await search("reading"))[0]).toBe("The Reading Room");
  });

  it("DI2 search reflects that a server is renamed, hidden or deleted", async () => {
    const { id } = await make({ name: "Chrysanthemum" });
    expect(await search("chrysanthemum")).toHaveLength(1);
    await as(owner).put(`/api/servers/${id}`, { name: "Rhododendron" });
    expect([await search("chrysanthemum"), await search("rhododendron")]).toEqual([[], ["Rhododendron"]]);
    await as(owner).put(`/api/servers/${id}`, { visibility: "unlisted" });
    expect(await search("rhododendron")).toEqual([]);
    await as(owner).put(`/api/servers/${id}`, { visibility: "public" });
    expect(await search("rhododendron")).toHaveLength(1);
    await as(owner).delete(`/api/servers/${id}`);
    expect(await search("rhododendron")).toEqual([]);
  });

  it("DI2 a private server is visible to its members only, an unlisted one only by its id", async () => {
    const secret = await make({ name: "Secret garden", visibility: "private", tags: ["garden"] });
    const unlisted = await make({ name: "Unlisted garden", visibility: "unlisted", tags: ["garden"] });
    const lists = ["?tag=garden", "", "/trending", "/featured", "/search?q=garden"];
    for (const list of lists) {
      const page = await publicly<ServerPage>(`/api/servers${list}`);
      expect(page.items.filter(({ id }) => id === secret.id || id === unlisted.id)).toEqual([]);
    }
    expectProblem(await call(server.url, "GET", `/api/servers/${secret.id}`), "NOT_FOUND");
    expectProblem(await as(stranger).get(`/api/servers/${secret.id}`), "NOT_FOUND");
    expect((await as(owner).get(`/api/servers/${secret.id}`)).status).toBe(200);
    expect(await publicly(`/api/servers/${unlisted.id}`)).toMatchObject({ visibility: "unlisted" });
    const mine = await as(owner).get<ServerPage>("/api/servers/mine?limit=100");
    expect(mine.body.items.map(({ id }) => id)).toEqual(expect.arrayContaining([secret.id, unlisted.id]));
  });
});

describe("activity in servers", () => {
  it("DI1 DI2 chat makes a server trend, and joined users count as online", async () => {
    const [quiet, loud] = [await make({ name: "Quiet" }, stranger), await make({ name: "Loud" }, stranger)];
    const positions = async (): Promise<number[]> => {
      const { items } = await publicly<ServerPage>("/api/servers/trending?limit=100");
      return [loud, quiet].map(({ id }) => items.findIndex((item) => item.id === id));
    };
    await enter(quiet, member);
    const [loudBefore, quietBefore] = await positions();
    expect(quietBefore).toBeLessThan(loudBefore ?? -1);
    const speaker = await openDevice(dialPlain, server.url, stranger);
    await join(speaker, loud.id);
    for (let sent = 0; sent < 50; sent += 1) {
      speaker.send({ type: "chat_message", serverId: loud.id, message: { id: `${sent}`, content: "hey" } });
    }
    await settled(speaker);
    await until(async () => {
      const [loudNow = -1, quietNow = -1] = await positions();
      return loudNow < quietNow;
    }, 10_000);
    const online = async (): Promise<number> =>
      (await publicly<Server>(`/api/servers/${loud.id}`)).onlineCount;
    await until(async () => (await online()) === 1, 7_000);
    await speaker.close();
  }, 120_000);
});
