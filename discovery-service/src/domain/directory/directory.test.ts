import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { newId } from "@hearth/runtime";
import { startDiscovery } from "../../testing/service.ts";
import type { TestDiscovery } from "../../testing/service.ts";

describe("the directory", () => {
  let discovery: TestDiscovery;
  beforeAll(async () => {
    discovery = await startDiscovery();
  });
  afterAll(() => discovery.stop());

  const pair = async (body?: Record<string, unknown>) => {
    const owner = discovery.user("Olga");
    const moderator = discovery.user("Max");
    const server = await owner.create(body);
    await moderator.send("POST", `/api/servers/${server.id}/join`);
    const members = `/api/servers/${server.id}/members/${moderator.userId}`;
    await owner.send("PUT", members, { role: "moderator" });
    return { owner, moderator, server, path: `/api/servers/${server.id}` };
  };

  it("DI1 creates a server with the given fields, owned by its creator", async () => {
    const owner = discovery.user();
    const fields = {
      name: "Night owls",
      description: "For those\nwho are awake",
      iconHash: "abc_123",
      tags: ["Night", "owls", "night"],
      visibility: "unlisted",
      channels: [{ name: "hoot" }, { name: "nest", kind: "voice" }],
    };
    const answer = await owner.send("POST", "/api/servers", { ...fields, ownerId: newId(), memberCount: 99 });
    const now = discovery.clock.now();
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/) as unknown,
      name: "Night owls",
      description: "For those\nwho are awake",
      iconHash: "abc_123",
      tags: ["night", "owls"],
      visibility: "unlisted",
      ownerId: owner.userId,
      memberCount: 1,
      onlineCount: 0,
      featured: false,
      channels: [
        { id: expect.any(String) as unknown, name: "hoot", kind: "text", position: 0 },
        { id: expect.any(String) as unknown, name: "nest", kind: "voice", position: 1 },
      ],
      createdAt: now,
      updatedAt: now,
      version: 1,
      role: "owner",
      joinedAt: now,
    });
  });

  it("DI1 gives a server a text and a voice channel when none are named", async () => {
    const server = await discovery.user().create();
    expect(server.channels.map(({ name, kind }) => [name, kind])).toEqual([
      ["general", "text"],
      ["Lounge", "voice"],
    ]);
    expect(server).toMatchObject({ visibility: "public", description: "", tags: [], iconHash: null });
  });

  it("DI3 lets the owner change everything, and increases the version", async () => {
    const { owner, server, path } = await pair();
    discovery.clock.advance(5);
    const [general, lounge] = server.channels;
    const change = {
      name: "Renamed",
      description: "New",
      iconHash: "new",
      tags: ["x"],
      visibility: "unlisted",
      channels: [{ ...lounge }, { name: "extra" }, { id: general?.id, name: "General" }],
    };
    const answer = await owner.send("PUT", path, change);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      name: "Renamed",
      visibility: "unlisted",
      tags: ["x"],
      version: 2,
      updatedAt: discovery.clock.now(),
      channels: [
        { id: lounge?.id, name: "Lounge", kind: "voice", position: 0 },
        { name: "extra", kind: "text", position: 1 },
        { id: general?.id, name: "General", position: 2 },
      ],
    });
    expect((await owner.see(server.id)).channels).toHaveLength(3);
  });

  it("DI1 clears an icon, and keeps fields that are left out", async () => {
    const { owner, path } = await pair({ iconHash: "old", tags: ["t"] });
    expect((await owner.send("PUT", path, { iconHash: null })).body).toMatchObject({
      iconHash: null,
      tags: ["t"],
    });
  });

  it("DI1 refuses a channel of another server", async () => {
    const { owner, server, path } = await pair();
    const other = await discovery.user().create();
    const answer = await owner.send("PUT", path, {
      channels: [{ name: "mine" }, { id: other.channels[0]?.id, name: "theirs" }],
    });
    expect(answer).toMatchObject({
      status: 409,
      body: { code: "CONFLICT", errors: [{ path: "channels.1.id" }] },
    });
    expect(await owner.see(server.id)).toMatchObject({ version: 1, channels: server.channels });
  });

  it("DI3 lets a moderator change the description, the tags and the channels, and nothing else", async () => {
    const { moderator, server, path } = await pair({ tags: ["t"] });
    for (const change of [{ description: "d" }, { tags: ["u"] }, { channels: [{ name: "only" }] }]) {
      expect((await moderator.send("PUT", path, change)).status).toBe(200);
    }
    for (const change of [{ name: "n" }, { visibility: "private" }, { iconHash: "i" }]) {
      expect(await moderator.send("PUT", path, { ...change, description: "x" })).toMatchObject({
        status: 403,
        body: { code: "FORBIDDEN" },
      });
    }
    expect(await moderator.see(server.id)).toMatchObject({
      name: "A server",
      visibility: "public",
      iconHash: null,
      description: "d",
      version: 4,
    });
  });

  it("DI3 accepts a whole server from a moderator if only the description is new", async () => {
    const { moderator, server, path } = await pair();
    const whole = { name: server.name, visibility: server.visibility, description: "new" };
    expect((await moderator.send("PUT", path, whole)).body).toMatchObject({ description: "new", version: 2 });
  });

  it("DI8 does not count a change that changes nothing", async () => {
    const { owner, server, path } = await pair();
    await discovery.events();
    const answer = await owner.send("PUT", path, { name: server.name, channels: server.channels });
    expect(answer).toMatchObject({ status: 200, body: { version: 1 } });
    expect(await discovery.events()).toEqual([]);
  });

  it("DI8 refuses a change of an old version, and changes nothing", async () => {
    const { owner, moderator, server, path } = await pair();
    const first = await moderator.send("PUT", path, { description: "by Max", version: server.version });
    expect(first).toMatchObject({ status: 200, body: { version: 2 } });
    const second = await owner.send("PUT", path, { description: "by Olga", version: server.version });
    expect(second).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
    expect((await owner.see(server.id)).description).toBe("by Max");
    expect((await owner.send("PUT", path, { description: "by Olga" })).status).toBe(200);
  });

  it("DI3 deletes a server for its owner alone", async () => {
    const { owner, moderator, path } = await pair();
    expect((await moderator.send("DELETE", path)).status).toBe(403);
    expect((await owner.send("DELETE", path)).status).toBe(204);
    expect((await owner.send("GET", path)).status).toBe(404);
    expect((await owner.send("DELETE", path)).status).toBe(404);
    const mine = await moderator.send("GET", "/api/servers/mine");
    expect(mine.body).toEqual({ items: [], nextCursor: null });
  });

  it("DI7 announces a new server, its change and its end, after the write", async () => {
    const owner = discovery.user("Olga");
    await discovery.events();
    const { role, joinedAt, ...server } = await owner.create();
    expect([role, joinedAt]).toEqual(["owner", discovery.clock.now()]);
    const { userId, displayName } = owner;
    expect(await discovery.events()).toEqual([
      { subject: "discovery.server.updated", payload: { server } },
      {
        subject: "discovery.member.updated",
        payload: { serverId: server.id, userId, displayName, role: "owner" },
      },
    ]);
    const { body } = await owner.send("PUT", `/api/servers/${server.id}`, { description: "New" });
    expect(await discovery.events()).toEqual([
      { subject: "discovery.server.updated", payload: { server: body } },
    ]);
    await owner.send("DELETE", `/api/servers/${server.id}`);
    expect(await discovery.events()).toEqual([
      { subject: "discovery.server.deleted", payload: { serverId: server.id } },
    ]);
  });
});
