import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { authSubjects, discoverySubjects } from "@hearth/contracts";
import { until } from "@hearth/runtime/testing";
import { startDiscovery } from "../../testing/service.ts";
import type { TestDiscovery, TestUser } from "../../testing/service.ts";

describe("the end of an account", () => {
  let discovery: TestDiscovery;
  beforeEach(async () => {
    discovery = await startDiscovery();
  });
  afterEach(() => discovery.stop());

  const join = async (serverId: string, ...users: TestUser[]): Promise<void> => {
    for (const user of users) {
      discovery.clock.advance(1);
      await user.send("POST", `/api/servers/${serverId}/join`);
    }
  };
  const deleted = async ({ userId }: TestUser, ownedServers: "transfer" | "delete"): Promise<void> => {
    await discovery.bus.publish(authSubjects.userDeleted, { userId, ownedServers });
    await discovery.events();
  };
  const roleOf = async (serverId: string, { userId }: TestUser) =>
    (await discovery.store.members.serverAndMember(serverId, userId))?.member?.role ?? null;
  const isGone = (user: TestUser) => async () =>
    (await discovery.store.members.listOf(user.userId, { after: null, limit: 1 })).length === 0;

  it("AB12 transfers a server to the moderator who joined first, before earlier members", async () => {
    const [owner, first, second, third] = [
      discovery.user(),
      discovery.user(),
      discovery.user(),
      discovery.user(),
    ];
    const { id } = await owner.create();
    await join(id, first, second, third);
    for (const { userId } of [third, second])
      await owner.send("PUT", `/api/servers/${id}/members/${userId}`, { role: "moderator" });
    await discovery.events();
    await discovery.bus.publish(authSubjects.userDeleted, {
      userId: owner.userId,
      ownedServers: "transfer",
    });
    await until(isGone(owner));
    expect(await roleOf(id, second)).toBe("owner");
    expect(await first.see(id)).toMatchObject({ ownerId: second.userId, memberCount: 3 });
  });

  it("AB12 transfers a server even past the quota of its new owner, and announces it", async () => {
    await discovery.stop();
    discovery = await startDiscovery({ quotas: { serversOwned: 1 } });
    const [owner, heir] = [discovery.user("Olga"), discovery.user("Hana")];
    await heir.create();
    const { id } = await owner.create();
    await join(id, heir);
    await discovery.events();
    const events: string[] = [];
    const { userId } = owner;
    await discovery.bus.publish(authSubjects.userDeleted, { userId, ownedServers: "transfer" });
    await until(async () => {
      events.push(...(await discovery.events()).map(({ subject }) => subject));
      return events.includes(discoverySubjects.membershipEnded.name);
    });
    expect(events).toEqual([
      discoverySubjects.memberUpdated.name,
      discoverySubjects.serverUpdated.name,
      discoverySubjects.membershipEnded.name,
    ]);
    expect(await roleOf(id, heir)).toBe("owner");
  });

  it("AB12 deletes a server without other members, and all servers if that was chosen", async () => {
    for (const ownedServers of ["transfer", "delete"] as const) {
      const owner = discovery.user();
      const { id } = await owner.create();
      if (ownedServers === "delete") await join(id, discovery.user());
      await deleted(owner, ownedServers);
      await until(async () => (await discovery.store.servers.find(id)) === null);
    }
  });

  it("AB12 removes memberships, invites, requests and bans, keeps bans made, and is safe to repeat", async () => {
    const [owner, leaver] = [discovery.user(), discovery.user()];
    const open = await owner.create();
    const secret = await owner.create({ visibility: "private" });
    const strict = await owner.create();
    await join(open.id, leaver);
    const victim = discovery.user();
    await owner.send("PUT", `/api/servers/${open.id}/members/${leaver.userId}`, { role: "moderator" });
    await leaver.send("PUT", `/api/servers/${open.id}/bans/${victim.userId}`, {});
    await leaver.send("POST", `/api/servers/${open.id}/invites`, {});
    await leaver.send("POST", `/api/servers/${secret.id}/requests`, { message: "please" });
    await owner.send("PUT", `/api/servers/${strict.id}/bans/${leaver.userId}`, { reason: "noise" });
    const { data } = await discovery.bus.request(discoverySubjects.exportUser, { userId: leaver.userId });
    expect(data).toMatchObject({
      memberships: [{ serverId: open.id, role: "moderator" }],
      serversOwned: [],
      requests: [{ serverId: secret.id, message: "please" }],
      invites: [{ serverId: open.id }],
      bans: [{ serverId: strict.id }],
    });
    expect(JSON.stringify(data)).not.toContain("noise");
    for (let times = 0; times < 2; times += 1) {
      await deleted(leaver, "delete");
      await until(isGone(leaver));
    }
    const empty = { requests: [], invites: [], bans: [] };
    await until(async () => {
      const { requests, invites, bans } = await discovery.store.accounts.records(leaver.userId, 9);
      return requests.length + invites.length + bans.length === 0;
    });
    expect(await discovery.store.accounts.records(leaver.userId, 9)).toEqual(empty);
    expect(await discovery.store.bans.find(open.id, victim.userId)).not.toBeNull();
    expect((await owner.see(open.id)).memberCount).toBe(1);
  });
});
