import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ProblemError, discoverySubjects } from "@hearth/contracts";
import { newId } from "@hearth/runtime";
import { startDiscovery } from "../../testing/service.ts";
import type { TestDiscovery, TestUser } from "../../testing/service.ts";

describe("membership", () => {
  let discovery: TestDiscovery;
  beforeEach(async () => {
    discovery = await startDiscovery();
  });
  afterEach(() => discovery.stop());

  const join = (user: TestUser, serverId: string, body?: unknown) =>
    user.send("POST", `/api/servers/${serverId}/join`, body);
  const leave = (user: TestUser, serverId: string) => user.send("POST", `/api/servers/${serverId}/leave`);
  const bySocket = ({ userId, displayName }: TestUser, serverId: string) =>
    discovery.bus.request(discoverySubjects.join, { userId, displayName, serverId });
  const joined = (serverId: string, { userId, displayName }: TestUser) => ({
    subject: "discovery.member.updated",
    payload: { serverId, userId, displayName, role: "member" },
  });

  it.each(["public", "unlisted"])("DI3 lets anybody join a %s server", async (visibility) => {
    const server = await discovery.user().create({ visibility });
    const user = discovery.user("Uma");
    await discovery.events();
    expect(await join(user, server.id)).toMatchObject({
      status: 200,
      body: { id: server.id, role: "member", memberCount: 2, joinedAt: discovery.clock.now() },
    });
    expect(await discovery.events()).toEqual([joined(server.id, user)]);
  });

  it("DI3 joins once for repeated and concurrent requests", async () => {
    const server = await discovery.user().create();
    const user = discovery.user();
    await discovery.events();
    const answers = await Promise.all(Array.from({ length: 20 }, () => join(user, server.id)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(await user.see(server.id)).toMatchObject({ memberCount: 2 });
    expect(await discovery.events()).toEqual([joined(server.id, user)]);
  });

  it("DI3 refuses a private server without an invite or an approval", async () => {
    const server = await discovery.user().create({ visibility: "private" });
    expect(await join(discovery.user(), server.id)).toMatchObject({
      status: 403,
      body: { code: "ACCESS_DENIED" },
    });
  });

  it("DI3 answers 404 to leaving a server that does not exist", async () => {
    expect((await leave(discovery.user(), newId())).status).toBe(404);
  });

  it("DI3 lets a member leave, and the count follows", async () => {
    const server = await discovery.user().create();
    const user = discovery.user();
    await join(user, server.id);
    await discovery.events();
    expect((await leave(user, server.id)).status).toBe(204);
    expect((await user.see(server.id)).memberCount).toBe(1);
    expect(await discovery.events()).toEqual([
      {
        subject: "discovery.membership.ended",
        payload: { serverId: server.id, userId: user.userId, reason: "left" },
      },
    ]);
    expect(await leave(user, server.id)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect((await join(user, server.id)).status).toBe(200);
  });

  it("DI3 does not let the owner leave: the server is transferred or deleted", async () => {
    const owner = discovery.user();
    const server = await owner.create();
    expect(await leave(owner, server.id)).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
    expect(await owner.see(server.id)).toMatchObject({ memberCount: 1, ownerId: owner.userId });
  });

  it("WS8 joins over the socket by the same function, with the role and the channels", async () => {
    const owner = discovery.user();
    const server = await owner.create();
    const user = discovery.user();
    const { channels } = server;
    expect(await bySocket(user, server.id)).toEqual({ role: "member", becameMember: true, channels });
    expect(await bySocket(user, server.id)).toEqual({ role: "member", becameMember: false, channels });
    expect(await bySocket(owner, server.id)).toEqual({ role: "owner", becameMember: false, channels });
    expect((await owner.see(server.id)).memberCount).toBe(2);
  });

  it("WS8 refuses over the socket with the reasons of REST", async () => {
    const owner = discovery.user();
    const secret = await owner.create({ visibility: "private" });
    const open = await owner.create();
    const user = discovery.user();
    await owner.send("PUT", `/api/servers/${open.id}/bans/${user.userId}`, {});
    await expect(bySocket(user, secret.id)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    await expect(bySocket(user, open.id)).rejects.toMatchObject({ code: "BANNED" });
    await expect(bySocket(user, newId())).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  });

  it("WS8 lets a member return with one read and no write", async () => {
    const server = await discovery.user().create();
    const user = discovery.user();
    await join(user, server.id);
    const calls: string[] = [];
    const note = (method: string) => discovery.before(method, () => calls.push(method));
    for (const part of ["members", "servers", "bans", "invites"] as const) {
      for (const method of Object.keys(discovery.store[part])) note(`${part}.${method}`);
    }
    expect((await bySocket(user, server.id)).becameMember).toBe(false);
    expect(calls).toEqual(["members.serverAndMember"]);
  });

  it("DI6 allows 30 new memberships a minute per user, over REST and the socket together", async () => {
    const owner = discovery.user();
    const user = discovery.user();
    const servers = await Promise.all(Array.from({ length: 32 }, () => owner.create()));
    for (const [index, { id }] of servers.slice(0, 30).entries()) {
      if (index % 2 === 0) expect((await join(user, id)).status).toBe(200);
      else expect((await bySocket(user, id)).becameMember).toBe(true);
    }
    const [last = { id: "" }, other = { id: "" }] = servers.slice(30);
    const refused = await join(user, last.id);
    expect(refused).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.headers.get("ratelimit")).toMatch(/^"server-joins";r=0/);
    await expect(bySocket(user, other.id)).rejects.toMatchObject({ code: "RATE_LIMITED" });
    expect((await owner.see(last.id)).memberCount).toBe(1);
    expect((await join(discovery.user(), last.id)).status).toBe(200);
  });

  it("DI6 lets exactly 30 of 40 concurrent joins through", async () => {
    const owner = discovery.user();
    const user = discovery.user();
    const servers = await Promise.all(Array.from({ length: 40 }, () => owner.create()));
    const answers = await Promise.all(servers.map(({ id }) => join(user, id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
  });

  it("DI6 does not count a member's return", async () => {
    const owner = discovery.user();
    const user = discovery.user();
    const server = await owner.create();
    const first = await join(user, server.id);
    expect(first.headers.get("ratelimit")).toMatch(/r=29/);
    for (let times = 0; times < 40; times += 1) {
      expect((await join(user, server.id)).status).toBe(200);
      expect((await bySocket(user, server.id)).becameMember).toBe(false);
    }
    const next = await join(user, (await owner.create()).id);
    expect(next.headers.get("ratelimit")).toMatch(/r=28/);
  });

  it("DI6 does not count refused joins", async () => {
    const owner = discovery.user();
    const user = discovery.user();
    const secret = await owner.create({ visibility: "private" });
    for (let times = 0; times < 40; times += 1) await join(user, secret.id);
    expect((await join(user, (await owner.create()).id)).headers.get("ratelimit")).toMatch(/r=29/);
  });

  it("DI6 counts joining again, so that a loop of joining and leaving ends", async () => {
    const server = await discovery.user().create();
    const user = discovery.user();
    const statuses: number[] = [];
    for (let times = 0; times < 40; times += 1) {
      statuses.push((await join(user, server.id)).status);
      await leave(user, server.id);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  });

  it("DI6 counts a join once, however often its write is stale", async () => {
    const owner = discovery.user();
    const server = await owner.create();
    const path = `/api/servers/${server.id}`;
    discovery.before("members.add", () => owner.send("PUT", path, { visibility: "unlisted" }));
    const answer = await join(discovery.user(), server.id);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("ratelimit")).toMatch(/r=29/);
  });

  it("DI3 transfers to a member, and the old owner becomes a moderator", async () => {
    const owner = discovery.user("Olga");
    const heir = discovery.user("Hana");
    const server = await owner.create();
    const path = `/api/servers/${server.id}/transfer`;
    await join(heir, server.id);
    await discovery.events();
    const answer = await owner.send("POST", path, { userId: heir.userId });
    expect(answer).toMatchObject({ status: 200, body: { ownerId: heir.userId, version: 2, memberCount: 2 } });
    const member = (user: TestUser, role: string) => ({
      subject: "discovery.member.updated",
      payload: { serverId: server.id, userId: user.userId, displayName: user.displayName, role },
    });
    expect(await discovery.events()).toEqual([
      member(owner, "moderator"),
      member(heir, "owner"),
      { subject: "discovery.server.updated", payload: { server: answer.body } },
    ]);
    expect((await owner.send("POST", path, { userId: heir.userId })).status).toBe(403);
    expect((await owner.send("DELETE", `/api/servers/${server.id}`)).status).toBe(403);
    expect((await leave(owner, server.id)).status).toBe(204);
    expect((await heir.send("DELETE", `/api/servers/${server.id}`)).status).toBe(204);
  });

  it("DI3 transfers neither to a stranger nor to the owner", async () => {
    const owner = discovery.user();
    const server = await owner.create();
    for (const userId of [newId(), owner.userId]) {
      const answer = await owner.send("POST", `/api/servers/${server.id}/transfer`, { userId });
      expect(answer).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
    }
    expect((await owner.see(server.id)).ownerId).toBe(owner.userId);
  });

  it("counts joins by their outcome", async () => {
    const owner = discovery.user();
    const server = await owner.create();
    const secret = await owner.create({ visibility: "private" });
    const user = discovery.user();
    for (const { id } of [server, server, secret]) await join(user, id);
    const text = await discovery.metrics.text();
    for (const outcome of ["joined", "member", "access_denied"]) {
      expect(text).toContain(`hearth_discovery_joins_total{outcome="${outcome}"} 1`);
    }
  });

  it("ER6 answers UNAVAILABLE, not a refusal, while the store is away", async () => {
    const server = await discovery.user().create();
    const away = () => {
      throw new ProblemError("UNAVAILABLE");
    };
    const user = discovery.user();
    discovery.before("members.serverAndMember", away);
    expect(await join(user, server.id)).toMatchObject({ status: 503, body: { code: "UNAVAILABLE" } });
    discovery.before("members.add", away);
    await expect(bySocket(user, server.id)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect((await join(user, server.id)).status).toBe(200);
  });
});
