import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { memberSchema, pageOf } from "@hearth/contracts";
import { newId } from "@hearth/runtime";
import { startDiscovery } from "../../testing/service.ts";
import type { TestDiscovery, TestUser } from "../../testing/service.ts";

const members = pageOf(memberSchema);

describe("moderation", () => {
  let discovery: TestDiscovery;
  beforeEach(async () => {
    discovery = await startDiscovery();
  });
  afterEach(() => discovery.stop());

  /** A server with an owner, two moderators and two members. */
  async function community() {
    const [owner, max, mia, ann, bob] = ["Olga", "Max", "Mia", "Ann", "Bob"].map((name) =>
      discovery.user(name),
    );
    if (!owner || !max || !mia || !ann || !bob) throw new Error("somebody is missing");
    const server = await owner.create();
    const path = `/api/servers/${server.id}`;
    const memberPath = ({ userId }: Pick<TestUser, "userId">) => `${path}/members/${userId}`;
    const banPath = ({ userId }: Pick<TestUser, "userId">) => `${path}/bans/${userId}`;
    for (const user of [max, mia, ann, bob]) {
      discovery.clock.advance(1);
      await user.send("POST", `${path}/join`);
    }
    for (const user of [max, mia]) await owner.send("PUT", memberPath(user), { role: "moderator" });
    await discovery.events();
    const roles = async () => {
      const { items } = members.parse((await owner.send("GET", `${path}/members`)).body);
      return Object.fromEntries(items.map(({ displayName, role }) => [displayName, role]));
    };
    const ended = ({ userId }: TestUser, reason: string) => ({
      subject: "discovery.membership.ended",
      payload: { serverId: server.id, userId, reason },
    });
    return { owner, max, mia, ann, bob, server, path, memberPath, banPath, roles, ended };
  }

  it("DI3 lists the members only for members, in the order of joining and in pages", async () => {
    const { ann, path } = await community();
    const one = members.parse((await ann.send("GET", `${path}/members?limit=3`)).body);
    const two = members.parse(
      (await ann.send("GET", `${path}/members?limit=3&cursor=${one.nextCursor}`)).body,
    );
    const shown = [...one.items, ...two.items].map(({ displayName, role }) => `${displayName} ${role}`);
    expect(shown).toEqual(["Olga owner", "Max moderator", "Mia moderator", "Ann member", "Bob member"]);
    expect(two.nextCursor).toBeNull();
    expect((await discovery.user().send("GET", `${path}/members`)).status).toBe(403);
    expect((await discovery.anybody("GET", `${path}/members`)).status).toBe(401);
  });

  it("DI3 lets only the owner make moderators, and make them members again", async () => {
    const { owner, max, ann, server, memberPath, roles } = await community();
    expect((await max.send("PUT", memberPath(ann), { role: "moderator" })).status).toBe(403);
    const answer = await owner.send("PUT", memberPath(ann), { role: "moderator" });
    expect(answer).toMatchObject({ status: 200, body: { userId: ann.userId, role: "moderator" } });
    expect((await owner.send("PUT", memberPath(max), { role: "member" })).status).toBe(200);
    expect(await roles()).toMatchObject({ Ann: "moderator", Max: "member" });
    const updated = (user: TestUser, role: string) => ({
      subject: "discovery.member.updated",
      payload: { serverId: server.id, userId: user.userId, displayName: user.displayName, role },
    });
    expect(await discovery.events()).toEqual([updated(ann, "moderator"), updated(max, "member")]);
    expect((await owner.send("PUT", memberPath(max), { role: "member" })).status).toBe(200);
    expect(await discovery.events()).toEqual([]);
  });

  it("DI3 changes the owner's role only by a transfer, and nobody can be made an owner", async () => {
    const { owner, ann, memberPath, roles } = await community();
    expect((await owner.send("PUT", memberPath(owner), { role: "member" })).status).toBe(409);
    expect((await owner.send("PUT", memberPath(ann), { role: "owner" })).status).toBe(400);
    expect((await owner.send("PUT", memberPath({ userId: newId() }), { role: "member" })).status).toBe(404);
    expect(await roles()).toMatchObject({ Olga: "owner", Ann: "member" });
  });

  it("DI3 DI7 removes members of a lower role, and announces it", async () => {
    const { owner, max, ann, bob, memberPath, roles, ended } = await community();
    expect((await max.send("DELETE", memberPath(ann))).status).toBe(204);
    expect((await owner.send("DELETE", memberPath(max))).status).toBe(204);
    expect(await discovery.events()).toEqual([ended(ann, "removed"), ended(max, "removed")]);
    expect(await roles()).toEqual({ Olga: "owner", Mia: "moderator", Bob: "member" });
    expect((await owner.send("DELETE", memberPath(ann))).status).toBe(404);
    expect((await max.send("DELETE", memberPath(bob))).status).toBe(403);
  });

  it("DI3 removes nobody of the same or a higher role, nor oneself", async () => {
    const { owner, max, mia, ann, bob, memberPath, roles } = await community();
    for (const [actor, target] of [
      [max, owner],
      [max, mia],
      [max, max],
      [owner, owner],
      [ann, bob],
      [ann, ann],
      [ann, owner],
    ] as const) {
      expect((await actor.send("DELETE", memberPath(target))).status).toBe(403);
    }
    expect(Object.keys(await roles())).toHaveLength(5);
    expect(await discovery.events()).toEqual([]);
  });

  it("DI3 DI7 bans: ends the membership, announces it, and refuses every way back", async () => {
    const { owner, max, ann, server, path, banPath, ended } = await community();
    const { code } = (await ann.send("POST", `${path}/invites`, {})).body as { code: string };
    const ban = await max.send("PUT", banPath(ann), { reason: "spam" });
    expect(ban).toMatchObject({
      status: 200,
      body: { userId: ann.userId, bannedBy: max.userId, reason: "spam", expiresAt: null },
    });
    expect(await discovery.events()).toEqual([ended(ann, "banned")]);
    expect((await owner.see(server.id)).memberCount).toBe(4);
    for (const body of [{}, { inviteCode: code }]) {
      expect(await ann.send("POST", `${path}/join`, body)).toMatchObject({
        status: 403,
        body: { code: "BANNED" },
      });
    }
    expect((await discovery.anybody("GET", `/api/invites/${code}`)).status).toBe(404);
    const bans = await max.send("GET", `${path}/bans`);
    expect(bans.body).toEqual({ items: [ban.body], nextCursor: null });
  });

  it("DI3 bans until the ban expires or is lifted", async () => {
    const { max, ann, bob, path, banPath } = await community();
    const expiresAt = discovery.clock.now() + 60_000;
    await max.send("PUT", banPath(ann), { expiresAt });
    await max.send("PUT", banPath(bob), {});
    discovery.clock.advance(59_999);
    expect((await ann.send("POST", `${path}/join`)).status).toBe(403);
    discovery.clock.advance(1);
    expect((await ann.send("POST", `${path}/join`)).status).toBe(200);
    expect((await max.send("DELETE", banPath(ann))).status).toBe(404);
    expect((await max.send("GET", `${path}/bans`)).body).toMatchObject({ items: [{ userId: bob.userId }] });
    expect((await max.send("DELETE", banPath(bob))).status).toBe(204);
    expect((await bob.send("POST", `${path}/join`)).status).toBe(200);
    expect((await max.send("DELETE", banPath(bob))).status).toBe(404);
  });

  it("DI3 refuses a ban that ends before it begins", async () => {
    const { max, ann, banPath, roles } = await community();
    const answer = await max.send("PUT", banPath(ann), { expiresAt: discovery.clock.now() });
    expect(answer).toMatchObject({ status: 409, body: { errors: [{ path: "expiresAt" }] } });
    expect(await roles()).toMatchObject({ Ann: "member" });
  });

  it("DI3 bans a user who is not a member yet, by an id in capitals too", async () => {
    const { max, path, banPath } = await community();
    const stranger = discovery.user();
    const answer = await max.send("PUT", banPath({ userId: stranger.userId.toUpperCase() }), {});
    expect(answer.status).toBe(200);
    expect((await stranger.send("POST", `${path}/join`)).status).toBe(403);
  });

  it("DI3 replaces a ban by a later one", async () => {
    const { max, mia, ann, path, banPath } = await community();
    await max.send("PUT", banPath(ann), { reason: "one" });
    await mia.send("PUT", banPath(ann), { reason: "two" });
    expect((await mia.send("GET", `${path}/bans`)).body).toMatchObject({
      items: [{ reason: "two", bannedBy: mia.userId }],
    });
  });

  it("DI3 bans nobody of the same or a higher role, nor oneself", async () => {
    const { owner, max, mia, ann, bob, banPath, roles } = await community();
    for (const [actor, target] of [
      [max, owner],
      [max, mia],
      [max, max],
      [owner, owner],
      [ann, bob],
      [ann, discovery.user()],
    ] as const) {
      expect((await actor.send("PUT", banPath(target), {})).status).toBe(403);
    }
    expect(Object.keys(await roles())).toHaveLength(5);
  });

  it("DI3 keeps bans from everybody but the owner and the moderators", async () => {
    const { owner, max, ann, bob, path, banPath } = await community();
    await owner.send("PUT", banPath(bob), {});
    for (const user of [ann, bob, discovery.user()]) {
      expect((await user.send("GET", `${path}/bans`)).status).toBe(403);
      expect((await user.send("DELETE", banPath(bob))).status).toBe(403);
    }
    expect((await max.send("GET", `${path}/bans`)).status).toBe(200);
  });

  it("DI3 lists bans in pages", async () => {
    const { owner, path, banPath } = await community();
    const banned: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const user = discovery.user();
      discovery.clock.advance(1);
      await owner.send("PUT", banPath(user), {});
      banned.unshift(user.userId);
    }
    const seen: string[] = [];
    let cursor = "";
    do {
      const { body } = await owner.send("GET", `${path}/bans?limit=2${cursor && `&cursor=${cursor}`}`);
      const page = body as { items: { userId: string }[]; nextCursor: string | null };
      seen.push(...page.items.map(({ userId }) => userId));
      cursor = page.nextCursor ?? "";
    } while (cursor !== "");
    expect(seen).toEqual(banned);
  });
});
