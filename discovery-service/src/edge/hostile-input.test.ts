import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { newId } from "@hearth/runtime";
import { startDiscovery } from "../testing/service.ts";
import type { TestDiscovery } from "../testing/service.ts";

describe("hostile input", () => {
  let discovery: TestDiscovery;
  beforeAll(async () => {
    discovery = await startDiscovery();
  });
  afterAll(() => discovery.stop());

  const invalid = { status: 400, body: { code: "INVALID_REQUEST" } };

  /** Sends the path unchanged: `fetch` would normalise it. */
  const raw = (path: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const outgoing = request(discovery.url, { path, agent: false }, (answer) => {
        answer.resume();
        answer.on("end", () => resolve(answer.statusCode ?? 0));
      });
      outgoing.on("error", reject).end();
    });

  it.each([
    [{ name: { $ne: null } }],
    [{ name: "x", description: { $gt: "" } }],
    [{ name: "x", tags: { $in: [] } }],
    [{ name: "x", tags: [{ $regex: ".*" }] }],
    [{ name: "x", visibility: { $ne: "private" } }],
    [{ name: ["x"] }],
    [{ name: 7 }],
    [{ name: "" }],
    [{ name: "   " }],
    [{ name: "a\u0000b" }],
    [{ name: "a\u202Eb" }],
    [{ name: "\uD800" }],
    [{ name: "x".repeat(101) }],
    [{ name: "x", tags: Array.from({ length: 11 }, (_, index) => `t${index}`) }],
    [{ name: "x", tags: ["two words"] }],
    [{ name: "x", channels: [] }],
    [{ name: "x", channels: [{ name: "c", kind: "video" }] }],
    [{ name: "x", iconHash: "../../etc" }],
    [{}],
  ])("R9 R10 refuses to create a server from %j", async (body) => {
    expect(await discovery.user().send("POST", "/api/servers", body)).toMatchObject(invalid);
  });

  it.each([
    ["PUT", "", { version: { $gt: 0 } }],
    ["PUT", "", { version: "1" }],
    ["POST", "/join", { inviteCode: { $ne: null } }],
    ["POST", "/join", { inviteCode: "' OR 1=1 --" }],
    ["POST", "/transfer", { userId: { $ne: null } }],
    ["PUT", `/members/${newId()}`, { role: { $ne: "member" } }],
    ["PUT", `/bans/${newId()}`, { reason: { $gt: "" } }],
    ["PUT", `/bans/${newId()}`, { expiresAt: { $gt: 0 } }],
    ["POST", "/invites", { maxUses: { $gt: 0 } }],
    ["POST", "/requests", { message: { $gt: "" } }],
  ])("R10 refuses %s %s with %j, and runs no query with it", async (method, path, body) => {
    const owner = discovery.user();
    const server = await owner.create();
    expect(await owner.send(method, `/api/servers/${server.id}${path}`, body)).toMatchObject(invalid);
    expect(await owner.see(server.id)).toMatchObject({ version: 1, memberCount: 1 });
  });

  it.each([
    ["?limit[$gt]=1", 200],
    ["?tag[$regex]=.*", 200],
    ["?tag=$where", 400],
    ["?tag=a.b", 400],
    ["?tag=x&tag=y", 400],
    ["?limit=1&limit=2", 400],
    ["/search?q[$ne]=1", 400],
    ["/search?q=", 400],
    ["/search", 400],
    [`/search?q=${"x".repeat(201)}`, 400],
    ["/search?q=%00'%22;DROP%20TABLE%20servers--", 200],
    ["/search?q=__proto__", 200],
    ["/search?q=constructor", 200],
    [`?cursor=${"x".repeat(513)}`, 400],
  ])("R11 R12 takes %s for text and nothing else", async (query, status) => {
    await discovery.user().create({ name: "anything" });
    expect((await discovery.anybody("GET", `/api/servers${query}`)).status).toBe(status);
    expect((await discovery.anybody("GET", "/api/servers")).status).toBe(200);
  });

  it("R13 takes the actor only from the token", async () => {
    const owner = discovery.user("Olga");
    const mallory = discovery.user("Mallory");
    const server = await owner.create();
    const forged = { userId: owner.userId, authUserId: owner.userId, displayName: "Olga", role: "owner" };
    const joined = await mallory.send("POST", `/api/servers/${server.id}/join`, { ...forged, joinedAt: 1 });
    expect(joined.body).toMatchObject({ role: "member", joinedAt: discovery.clock.now() });
    const made = await mallory.send("POST", "/api/servers", {
      name: "Mine",
      ...forged,
      ownerId: owner.userId,
    });
    expect(made.body).toMatchObject({ ownerId: mallory.userId });
    const edited = await owner.send("PUT", `/api/servers/${server.id}`, {
      description: "d",
      id: newId(),
      ownerId: mallory.userId,
      memberCount: 9,
      createdAt: 1,
      featured: true,
    });
    const { id, ownerId, createdAt } = server;
    expect(edited.body).toMatchObject({ id, ownerId, createdAt, memberCount: 2, featured: false });
  });

  it("R14 keeps prototypes as they are, whatever a body calls its fields", async () => {
    const owner = discovery.user();
    const pollution = JSON.parse(
      '{"name":"x","__proto__":{"admin":true},"constructor":{"prototype":{"a":1}}}',
    ) as object;
    const answer = await owner.send("POST", "/api/servers", pollution);
    expect(answer.status).toBe(201);
    expect(answer.body).not.toHaveProperty("admin");
    const { id } = answer.body as { id: string };
    const plugin = JSON.parse(
      '{"version":"1","required":"optional","config":{"__proto__":{"admin":true},"a":1}}',
    ) as object;
    await owner.send("PUT", `/api/servers/${id}/plugins/polls`, plugin);
    const [stored] = await discovery.store.plugins.list(id);
    expect(stored?.config).toEqual({ a: 1 });
    expect((stored?.config as { admin?: unknown }).admin).toBeUndefined();
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });

  it.each([
    "../x",
    "%2e%2e",
    "%2e%2e%2fmine",
    "%00",
    "%E0%A4%A",
    "__proto__",
    "1",
    "'--",
    "x".repeat(10_000),
  ])("R25 answers 400 or 404 to the id %j, never another route", async (id) => {
    for (const path of [`/api/servers/${id}`, `/api/servers/${id}/plugins`, `/api/invites/${id}`]) {
      expect([400, 404]).toContain(await raw(path));
    }
  });

  it("R25 does not take the name of a list for an id, nor an id for a name", async () => {
    for (const name of ["featured", "trending"]) expect(await raw(`/api/servers/${name}`)).toBe(200);
    expect(await raw("/api/servers/mine")).toBe(401);
    expect(await raw("/api/servers/Featured")).toBe(400);
  });

  it("S9 writes no message of a request and no token into the log", async () => {
    const owner = discovery.user();
    const server = await owner.create({ visibility: "private" });
    const user = discovery.user();
    const message = "marker-message-7f3a";
    await user.send("POST", `/api/servers/${server.id}/requests`, { message });
    await user.send("POST", `/api/servers/${server.id}/join`, { inviteCode: "markerCode" });
    expect(discovery.log.lines.join("\n")).not.toMatch(/marker-message-7f3a|markerCode|Bearer|eyJ/);
    expect(discovery.log.lines.length).toBeGreaterThan(0);
  });
});
