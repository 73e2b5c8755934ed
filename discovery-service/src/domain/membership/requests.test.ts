import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { accessRequestSchema } from "@hearth/contracts";
import { newId } from "@hearth/runtime";
import { startDiscovery } from "../../testing/service.ts";
import type { TestDiscovery, TestUser } from "../../testing/service.ts";

describe("access requests", () => {
  let discovery: TestDiscovery;
  beforeEach(async () => {
    discovery = await startDiscovery();
  });
  afterEach(() => discovery.stop());

  const ask = (user: TestUser, path: string, body?: unknown) => user.send("POST", `${path}/requests`, body);
  const asked = async (user: TestUser, path: string) =>
    accessRequestSchema.parse((await ask(user, path)).body);
  const decide = (user: TestUser, id: string, status: string) =>
    user.send("PUT", `/api/requests/${id}`, { status });

  /** A private server with a moderator and a member. */
  const setting = async () => {
    const [owner, moderator, member] = [discovery.user("Olga"), discovery.user("Max"), discovery.user("Ann")];
    const server = await owner.create({ visibility: "private" });
    const path = `/api/servers/${server.id}`;
    for (const user of [moderator, member]) await decide(owner, (await asked(user, path)).id, "approved");
    await owner.send("PUT", `${path}/members/${moderator.userId}`, { role: "moderator" });
    await discovery.events();
    const news = async () => {
      const events = await discovery.events();
      return events.map(({ subject, payload }) => {
        const { recipients = [], ...rest } = payload as { recipients?: string[] };
        return { subject, ...rest, recipients: [...recipients].sort() };
      });
    };
    return { owner, moderator, member, server, path, news };
  };
  const ids = (...users: TestUser[]) => users.map(({ userId }) => userId).sort();

  it("DI4 are created once, and announced to those who decide", async () => {
    const { owner, moderator, server, path, news } = await setting();
    const user = discovery.user("Uma");
    const answer = await ask(user, path, { message: "Let me in,\nplease" });
    const request = {
      id: expect.any(String) as unknown,
      serverId: server.id,
      userId: user.userId,
      displayName: "Uma",
      message: "Let me in,\nplease",
      status: "pending",
      createdAt: discovery.clock.now(),
      decidedAt: null,
      decidedBy: null,
    };
    expect(answer).toMatchObject({ status: 201, body: request });
    expect(await news()).toEqual([
      { subject: "discovery.request.updated", request: answer.body, recipients: ids(owner, moderator) },
    ]);
    expect(await ask(user, path)).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
    expect((await moderator.send("GET", `${path}/requests`)).body).toMatchObject({ items: [answer.body] });
  });

  it("DI4 store one of 20 concurrent requests", async () => {
    const { path } = await setting();
    const user = discovery.user();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(user, path)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  });

  it("DI4 make a member when the owner or a moderator approves, and are announced", async () => {
    const { owner, moderator, server, path, news } = await setting();
    const user = discovery.user("Uma");
    const request = await asked(user, path);
    await news();
    discovery.clock.advance(5);
    const decided = {
      ...request,
      status: "approved",
      decidedAt: discovery.clock.now(),
      decidedBy: moderator.userId,
    };
    expect(await decide(moderator, request.id, "approved")).toMatchObject({ status: 200, body: decided });
    const member = { serverId: server.id, userId: user.userId, displayName: "Uma", role: "member" };
    expect(await news()).toEqual([
      { subject: "discovery.member.updated", ...member, recipients: [] },
      { subject: "discovery.request.updated", request: decided, recipients: ids(owner, moderator, user) },
    ]);
    expect((await user.see(server.id)).memberCount).toBe(4);
  });

  it("DI4 make no member when they are rejected; the user may ask again", async () => {
    const { owner, server, path, news } = await setting();
    const user = discovery.user();
    const { id } = await asked(user, path);
    await news();
    expect((await decide(owner, id, "rejected")).status).toBe(200);
    expect((await news()).map(({ subject }) => subject)).toEqual(["discovery.request.updated"]);
    expect((await user.send("GET", path)).status).toBe(404);
    expect((await user.send("POST", `${path}/join`)).status).toBe(403);
    await decide(owner, (await asked(user, path)).id, "approved");
    expect((await user.see(server.id)).memberCount).toBe(4);
  });

  it.each([
    ["approved", "rejected"],
    ["rejected", "approved"],
    ["approved", "approved"],
  ])("DI4 that are %s cannot be %s any more", async (first, second) => {
    const { owner, moderator, server, path } = await setting();
    const { id } = await asked(discovery.user(), path);
    await decide(owner, id, first);
    expect(await decide(moderator, id, second)).toMatchObject({
      status: 409,
      body: { code: "CONFLICT", detail: "This request is decided already" },
    });
    expect(await discovery.store.requests.find(id)).toMatchObject({ status: first, decidedBy: owner.userId });
    expect((await owner.see(server.id)).memberCount).toBe(first === "approved" ? 4 : 3);
  });

  it("DI4 are decided once by 20 concurrent decisions", async () => {
    const { owner, moderator, server, path } = await setting();
    const { id } = await asked(discovery.user(), path);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        decide(index % 2 === 0 ? owner : moderator, id, index % 3 === 0 ? "rejected" : "approved"),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    const approved = (await discovery.store.requests.find(id))?.status === "approved";
    expect((await owner.see(server.id)).memberCount).toBe(approved ? 4 : 3);
  });

  it("DI4 are seen and decided only by the owner and the moderators", async () => {
    const { member, path } = await setting();
    const user = discovery.user();
    const { id } = await asked(user, path);
    expect((await member.send("GET", `${path}/requests`)).status).toBe(403);
    expect((await decide(member, id, "approved")).status).toBe(403);
    for (const outsider of [user, discovery.user()]) {
      expect((await outsider.send("GET", `${path}/requests`)).status).toBe(404);
      expect((await decide(outsider, id, "approved")).status).toBe(404);
    }
    expect(await discovery.store.requests.find(id)).toMatchObject({ status: "pending" });
    expect((await decide(user, newId(), "approved")).status).toBe(404);
  });

  it("DI4 are refused from a member, for an open server, and for one that does not exist", async () => {
    const { member, path } = await setting();
    const open = await discovery.user().create({ visibility: "unlisted" });
    const user = discovery.user();
    expect((await ask(member, path)).status).toBe(409);
    expect((await ask(user, `/api/servers/${open.id}`)).status).toBe(409);
    expect((await ask(user, `/api/servers/${newId()}`)).status).toBe(404);
  });

  it("DI4 are refused from a banned user, and not approved for a user banned since", async () => {
    const { owner, server, path } = await setting();
    const user = discovery.user();
    const { id } = await asked(user, path);
    await owner.send("PUT", `${path}/bans/${user.userId}`, {});
    expect(await ask(user, path)).toMatchObject({ status: 403, body: { code: "BANNED" } });
    expect(await decide(owner, id, "approved")).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
    expect((await owner.see(server.id)).memberCount).toBe(3);
    expect((await decide(owner, id, "rejected")).status).toBe(200);
  });

  it("DI4 do not count towards the joins of DI6", async () => {
    const { owner, path } = await setting();
    const user = discovery.user();
    await decide(owner, (await asked(user, path)).id, "approved");
    const open = await owner.create();
    const joined = await user.send("POST", `/api/servers/${open.id}/join`);
    expect(joined.headers.get("ratelimit")).toMatch(/r=29/);
  });
});
