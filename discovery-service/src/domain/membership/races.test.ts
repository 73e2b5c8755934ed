import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { accessRequestSchema, inviteSchema } from "@hearth/contracts";
import { startDiscovery } from "../../testing/service.ts";
import type { TestDiscovery, TestUser } from "../../testing/service.ts";

describe("DI8 two concurrent requests", () => {
  let discovery: TestDiscovery;
  beforeEach(async () => {
    discovery = await startDiscovery();
  });
  afterEach(() => discovery.stop());

  /** A server with an owner, two moderators and a member. */
  async function community(body: Record<string, unknown> = {}) {
    const [owner, max, mia, ann] = ["Olga", "Max", "Mia", "Ann"].map((name) => discovery.user(name));
    if (!owner || !max || !mia || !ann) throw new Error("somebody is missing");
    const server = await owner.create(body);
    const path = `/api/servers/${server.id}`;
    const invite = inviteSchema.parse((await owner.send("POST", `${path}/invites`, {})).body);
    const role = (user: TestUser, to: string) =>
      owner.send("PUT", `${path}/members/${user.userId}`, { role: to });
    for (const user of [max, mia, ann]) await user.send("POST", `${path}/join`, { inviteCode: invite.code });
    for (const user of [max, mia]) await role(user, "moderator");
    const roleOf = async ({ userId }: TestUser) =>
      (await discovery.store.members.serverAndMember(server.id, userId))?.member?.role ?? null;
    const ban = (by: TestUser, { userId }: TestUser, order: object = {}) =>
      by.send("PUT", `${path}/bans/${userId}`, order);
    return { owner, max, mia, ann, server, path, role, roleOf, ban };
  }
  const refused = (status: number, code: string) => ({ status, body: { code } });

  it("DI8 change different fields of a server: both changes stay", async () => {
    const { owner, max, server, path } = await community();
    discovery.before("servers.update", () => max.send("PUT", path, { tags: ["by-max"] }));
    expect((await owner.send("PUT", path, { name: "By Olga" })).status).toBe(200);
    expect(await owner.see(server.id)).toMatchObject({ name: "By Olga", tags: ["by-max"], version: 3 });
  });

  it("DI8 change the same field over the version they read: the second is refused", async () => {
    const { max, mia, server, path } = await community();
    const change = (user: TestUser, description: string) =>
      user.send("PUT", path, { description, version: server.version });
    discovery.before("servers.update", () => change(mia, "Mia's"));
    expect(await change(max, "Max's")).toMatchObject(refused(409, "CONFLICT"));
    expect((await max.see(server.id)).description).toBe("Mia's");
  });

  it("DI8 change a server and lose the right to: the change is refused", async () => {
    const { max, server, path, role } = await community();
    discovery.before("servers.update", () => role(max, "member"));
    expect(await max.send("PUT", path, { description: "x" })).toMatchObject(refused(403, "FORBIDDEN"));
    expect(await max.see(server.id)).toMatchObject({ description: "", version: 1 });
  });

  it("DI8 are answered CONFLICT when every attempt is stale", async () => {
    const { owner, max, path } = await community();
    let round = 0;
    const overtake = async (): Promise<void> => {
      await max.send("PUT", path, { description: `round ${(round += 1)}` });
      if (round < 3) discovery.before("servers.update", overtake);
    };
    discovery.before("servers.update", overtake);
    expect(await owner.send("PUT", path, { name: "Olga's" })).toMatchObject(refused(409, "CONFLICT"));
  });

  it("DI8 delete and transfer a server: the former owner deletes nothing", async () => {
    const { owner, max, server, path } = await community();
    discovery.before("servers.remove", () => owner.send("POST", `${path}/transfer`, { userId: max.userId }));
    expect(await owner.send("DELETE", path)).toMatchObject(refused(403, "FORBIDDEN"));
    expect((await max.see(server.id)).ownerId).toBe(max.userId);
  });

  it("DI8 transfer a server twice: there is one owner, and the second is refused", async () => {
    const { owner, max, mia, server, path, roleOf } = await community();
    const transfer = ({ userId }: TestUser) => owner.send("POST", `${path}/transfer`, { userId });
    discovery.before("servers.transfer", () => transfer(mia));
    expect(await transfer(max)).toMatchObject(refused(403, "FORBIDDEN"));
    expect([await roleOf(owner), await roleOf(max), await roleOf(mia)]).toEqual([
      "moderator",
      "moderator",
      "owner",
    ]);
    expect((await owner.see(server.id)).ownerId).toBe(mia.userId);
  });

  it("DI8 transfer a server to somebody who leaves", async () => {
    const { owner, ann, path, roleOf } = await community();
    discovery.before("servers.transfer", () => ann.send("POST", `${path}/leave`));
    const answer = await owner.send("POST", `${path}/transfer`, { userId: ann.userId });
    expect(answer).toMatchObject(refused(409, "CONFLICT"));
    expect(await roleOf(owner)).toBe("owner");
  });

  it("DI8 leave a server that one is made the owner of", async () => {
    const { owner, ann, path, roleOf } = await community();
    discovery.before("members.remove", () => owner.send("POST", `${path}/transfer`, { userId: ann.userId }));
    expect(await ann.send("POST", `${path}/leave`)).toMatchObject(refused(409, "CONFLICT"));
    expect(await roleOf(ann)).toBe("owner");
  });

  it("DI8 change the role of somebody who leaves", async () => {
    const { ann, path, role, roleOf } = await community();
    discovery.before("members.setRole", () => ann.send("POST", `${path}/leave`));
    expect(await role(ann, "moderator")).toMatchObject(refused(409, "CONFLICT"));
    expect(await roleOf(ann)).toBeNull();
  });

  it("DI8 remove a member who is made a moderator", async () => {
    const { max, ann, path, role, roleOf } = await community();
    discovery.before("members.remove", () => role(ann, "moderator"));
    const answer = await max.send("DELETE", `${path}/members/${ann.userId}`);
    expect(answer).toMatchObject(refused(403, "FORBIDDEN"));
    expect(await roleOf(ann)).toBe("moderator");
  });

  it("DI8 ban a member who is made a moderator", async () => {
    const { max, ann, ban, role, roleOf } = await community();
    discovery.before("bans.put", () => role(ann, "moderator"));
    expect(await ban(max, ann)).toMatchObject(refused(403, "FORBIDDEN"));
    expect(await roleOf(ann)).toBe("moderator");
  });

  it("DI8 ban the same user: the second is refused, and the first ban stays", async () => {
    const { max, mia, ann, ban, server } = await community();
    discovery.before("bans.put", () => ban(mia, ann, { reason: "Mia's" }));
    const brief = { reason: "Max's", expiresAt: discovery.clock.now() + 1 };
    expect(await ban(max, ann, brief)).toMatchObject(refused(409, "CONFLICT"));
    expect(await discovery.store.bans.find(server.id, ann.userId)).toMatchObject({
      reason: "Mia's",
      expiresAt: null,
    });
  });

  it("DI8 ban a user who leaves: the ban is in force", async () => {
    const { max, ann, ban, path } = await community();
    discovery.before("bans.put", () => ann.send("POST", `${path}/leave`));
    expect((await ban(max, ann)).status).toBe(200);
    expect(await ann.send("POST", `${path}/join`)).toMatchObject(refused(403, "BANNED"));
  });

  it("DI8 lift a ban that is renewed: the renewed one stays", async () => {
    const { max, mia, ann, ban, server, path } = await community();
    await ban(max, ann, { reason: "old" });
    discovery.before("bans.lift", () => ban(mia, ann, { reason: "new" }));
    const answer = await max.send("DELETE", `${path}/bans/${ann.userId}`);
    expect(answer).toMatchObject(refused(409, "CONFLICT"));
    expect(await discovery.store.bans.find(server.id, ann.userId)).toMatchObject({ reason: "new" });
  });

  it("DI8 join and be banned: the ban wins", async () => {
    const { max, ban, path, roleOf } = await community();
    const user = discovery.user();
    discovery.before("members.add", () => ban(max, user));
    expect(await user.send("POST", `${path}/join`)).toMatchObject(refused(403, "BANNED"));
    expect(await roleOf(user)).toBeNull();
  });

  it("DI8 join a server that is made private, or deleted", async () => {
    const { owner, path, roleOf } = await community();
    const user = discovery.user();
    discovery.before("members.add", () => owner.send("PUT", path, { visibility: "private" }));
    expect(await user.send("POST", `${path}/join`)).toMatchObject(refused(403, "ACCESS_DENIED"));
    expect(await roleOf(user)).toBeNull();
    await owner.send("PUT", path, { visibility: "public" });
    discovery.before("members.add", () => owner.send("DELETE", path));
    expect(await user.send("POST", `${path}/join`)).toMatchObject(refused(403, "ACCESS_DENIED"));
  });

  it("DI8 join by an invite that is withdrawn", async () => {
    const { owner, path, roleOf } = await community({ visibility: "private" });
    const { code } = inviteSchema.parse((await owner.send("POST", `${path}/invites`, {})).body);
    const user = discovery.user();
    discovery.before("members.add", () => owner.send("DELETE", `/api/invites/${code}`));
    const answer = await user.send("POST", `${path}/join`, { inviteCode: code });
    expect(answer).toMatchObject(refused(403, "ACCESS_DENIED"));
    expect(await roleOf(user)).toBeNull();
  });

  it("DI8 invite to a private server and lose the right to", async () => {
    const { max, path, role } = await community({ visibility: "private" });
    discovery.before("invites.create", () => role(max, "member"));
    expect(await max.send("POST", `${path}/invites`, {})).toMatchObject(refused(403, "FORBIDDEN"));
  });

  it("DI8 withdraw the same invite", async () => {
    const { owner, max, path } = await community();
    const { code } = inviteSchema.parse((await owner.send("POST", `${path}/invites`, {})).body);
    discovery.before("invites.remove", () => owner.send("DELETE", `/api/invites/${code}`));
    expect(await max.send("DELETE", `/api/invites/${code}`)).toMatchObject(refused(404, "NOT_FOUND"));
  });

  it("DI8 decide the same request: the second is refused, and the first decision stays", async () => {
    const { max, mia, path, roleOf } = await community({ visibility: "private" });
    const user = discovery.user();
    const { id } = accessRequestSchema.parse((await user.send("POST", `${path}/requests`)).body);
    const decide = (by: TestUser, status: string) => by.send("PUT", `/api/requests/${id}`, { status });
    discovery.before("requests.decide", () => decide(mia, "rejected"));
    expect(await decide(max, "approved")).toMatchObject(refused(409, "CONFLICT"));
    expect(await discovery.store.requests.find(id)).toMatchObject({ status: "rejected" });
    expect(await roleOf(user)).toBeNull();
  });

  it("DI8 approve a request and ban the user", async () => {
    const { max, mia, ban, path, roleOf } = await community({ visibility: "private" });
    const user = discovery.user();
    const { id } = accessRequestSchema.parse((await user.send("POST", `${path}/requests`)).body);
    discovery.before("requests.decide", () => ban(mia, user));
    const answer = await max.send("PUT", `/api/requests/${id}`, { status: "approved" });
    expect(answer).toMatchObject(refused(409, "CONFLICT"));
    expect(await roleOf(user)).toBeNull();
  });

  it("DI8 ask to enter a server that is opened to everybody", async () => {
    const { owner, path } = await community({ visibility: "private" });
    discovery.before("requests.create", () => owner.send("PUT", path, { visibility: "public" }));
    const answer = await discovery.user().send("POST", `${path}/requests`);
    expect(answer).toMatchObject(refused(409, "CONFLICT"));
  });

  it("DI8 set and remove the same plugin: the second is refused", async () => {
    const { max, mia, path, server } = await community();
    const plugin = `${path}/plugins/polls`;
    const put = (by: TestUser, version: string) => by.send("PUT", plugin, { version, required: "optional" });
    discovery.before("plugins.put", () => put(mia, "Mia's"));
    expect(await put(max, "Max's")).toMatchObject(refused(409, "CONFLICT"));
    discovery.before("plugins.remove", () => put(mia, "Mia's second"));
    expect(await max.send("DELETE", plugin)).toMatchObject(refused(409, "CONFLICT"));
    expect(await discovery.store.plugins.list(server.id)).toMatchObject([{ version: "Mia's second" }]);
  });

  it("DI8 leave a server consistent after a thousand random actions, ten at a time", async () => {
    const { owner, max, mia, ann, server, path } = await community();
    const users = [owner, max, mia, ann, discovery.user(), discovery.user()];
    let seed = 8;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    const anyone = (): TestUser => users[random(users.length)] ?? owner;
    const join = (by: TestUser) => by.send("POST", `${path}/join`);
    const actions = [
      join,
      (by: TestUser) => by.send("POST", `${path}/leave`),
      (by: TestUser, to: string) => by.send("PUT", `${path}/members/${to}`, { role: "moderator" }),
      (by: TestUser, to: string) => by.send("PUT", `${path}/members/${to}`, { role: "member" }),
      (by: TestUser, to: string) => by.send("DELETE", `${path}/members/${to}`),
      (by: TestUser, to: string) => by.send("PUT", `${path}/bans/${to}`, {}),
      (by: TestUser, to: string) => by.send("DELETE", `${path}/bans/${to}`),
      (by: TestUser, userId: string) => by.send("POST", `${path}/transfer`, { userId }),
      (by: TestUser) => by.send("PUT", path, { description: `${random(9)}` }),
    ];
    const seen = new Map<number, number>();
    for (let round = 0; round < 100; round += 1) {
      const batch = Array.from({ length: 10 }, () => {
        const act = actions[random(actions.length)] ?? join;
        return act(anyone(), anyone().userId);
      });
      for (const { status } of await Promise.all(batch)) seen.set(status, (seen.get(status) ?? 0) + 1);
      const members = await discovery.store.members.list(server.id, { after: null, limit: 99 });
      const stored = await discovery.store.servers.find(server.id);
      expect(members.filter(({ role }) => role === "owner").map(({ userId }) => userId)).toEqual([
        stored?.ownerId,
      ]);
      expect(stored?.memberCount).toBe(members.length);
      for (const { userId } of members) expect(await discovery.store.bans.find(server.id, userId)).toBeNull();
    }
    expect([...seen.keys()].filter((status) => status >= 500)).toEqual([]);
    for (const status of [200, 204, 403, 404, 409]) expect(seen.get(status) ?? 0).toBeGreaterThan(0);
  });
});
