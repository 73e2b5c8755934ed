import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import {
  ProblemError,
  authSubjects,
  discoverySubjects,
  healthSubject,
  memberSchema,
  pageOf,
  presenceSubjects,
  serverSummarySchema,
} from "@hearth/contracts";
import type { EventSubject } from "@hearth/contracts";
import { newId } from "@hearth/runtime";
import { startDiscovery } from "../testing/service.ts";
import type { Send, TestDiscovery, TestUser } from "../testing/service.ts";
import { scoreAt } from "../domain/trending.ts";

describe("discovery on the bus", () => {
  let discovery: TestDiscovery;
  beforeEach(async () => {
    discovery = await startDiscovery();
  });
  afterEach(() => discovery.stop());

  const tell = async <Payload>(subject: EventSubject<Payload>, payload: Payload): Promise<void> => {
    await discovery.bus.publish(subject, payload);
    await discovery.events();
  };
  const found = async (send: Send, query: string): Promise<string[]> => {
    const { body } = await send("GET", `/api/servers/search?q=${query}`);
    return pageOf(serverSummarySchema)
      .parse(body)
      .items.map(({ name }) => name);
  };

  it("WS10 answers whether two users share a server", async () => {
    const shared = async (one: TestUser, other: TestUser) => {
      const question = { userId: one.userId, otherUserId: other.userId };
      return (await discovery.bus.request(discoverySubjects.shared, question)).shared;
    };
    const [owner, member, stranger] = [discovery.user(), discovery.user(), discovery.user()];
    const { id } = await owner.create({ visibility: "unlisted" });
    await member.send("POST", `/api/servers/${id}/join`);
    expect([await shared(owner, member), await shared(member, owner)]).toEqual([true, true]);
    expect([await shared(owner, stranger), await shared(stranger, owner)]).toEqual([false, false]);
    expect(await shared(stranger, stranger)).toBe(true);
    await owner.send("PUT", `/api/servers/${id}/bans/${member.userId}`, {});
    expect(await shared(owner, member)).toBe(false);
  });

  it("DI7 answers which memberships have ended, and how", async () => {
    const owner = discovery.user();
    const [banned, removed, stays, pardoned] = [1, 2, 3, 4].map(() => discovery.user());
    const [{ id }, gone] = [await owner.create(), await owner.create()];
    if (!banned || !removed || !stays || !pardoned) throw new Error("There are four");
    for (const { send } of [banned, removed, stays]) await send("POST", `/api/servers/${id}/join`);
    await owner.send("PUT", `/api/servers/${id}/bans/${banned.userId}`, {});
    await owner.send("PUT", `/api/servers/${id}/bans/${pardoned.userId}`, {
      expiresAt: discovery.clock.now() + 1_000,
    });
    await owner.send("DELETE", `/api/servers/${id}/members/${removed.userId}`);
    await owner.send("DELETE", `/api/servers/${gone.id}`);
    discovery.clock.advance(2_000);
    const asked = [banned, removed, stays, pardoned, owner].map(({ userId }) => ({ serverId: id, userId }));
    const memberships = [...asked, { serverId: gone.id, userId: owner.userId }];
    const { ended } = await discovery.bus.request(discoverySubjects.ended, { memberships });
    expect(ended).toEqual([
      { serverId: id, userId: banned.userId, reason: "banned" },
      { serverId: id, userId: removed.userId, reason: "removed" },
      { serverId: id, userId: pardoned.userId, reason: "removed" },
      { serverId: gone.id, userId: owner.userId, reason: "deleted" },
    ]);
  });

  it("GW1 answers that it is ready until it stops", async () => {
    const ready = () => discovery.bus.request(healthSubject("discovery"), {});
    expect(await ready()).toEqual({ ready: true });
    expect(discovery.service.ready()).toBe(true);
    await discovery.service.stop();
    expect(discovery.service.ready()).toBe(false);
    await expect(ready()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  it("DI3 shows the new name of an account in the list of members", async () => {
    const owner = discovery.user("Old name");
    const { id } = await owner.create();
    const change = { userId: owner.userId, displayName: "New name" };
    await tell(authSubjects.userUpdated, change);
    await tell(authSubjects.userUpdated, change);
    const { body } = await owner.send("GET", `/api/servers/${id}/members`);
    expect(pageOf(memberSchema).parse(body).items).toMatchObject([{ displayName: "New name" }]);
  });

  it("DI2 adds the messages that presence reports to the heat of servers, in one replica of many", async () => {
    const other = await discovery.replica();
    const { id } = await discovery.user().create();
    const score = async () => {
      const [first] = await discovery.store.servers.listTrending({ after: null, limit: 1 });
      return scoreAt(first?.heat ?? 0, discovery.clock.now());
    };
    const before = await score();
    const items = [
      { serverId: id, messages: 40 },
      { serverId: newId(), messages: 9 },
      { serverId: id, messages: -5 },
    ];
    await tell(presenceSubjects.activity, { items });
    expect((await score()) - before).toBeCloseTo(40, 6);
    await other.stop();
  });

  it("DI2 finds on every replica servers that another created, changed or deleted", async () => {
    const other = await discovery.replica();
    const owner = discovery.user();
    const { id } = await owner.create({ name: "Alpha" });
    expect(await found(other.anybody, "alpha")).toEqual(["Alpha"]);
    await owner.send("PUT", `/api/servers/${id}`, { name: "Beta" });
    expect([await found(other.anybody, "alpha"), await found(other.anybody, "beta")]).toEqual([[], ["Beta"]]);
    await owner.send("DELETE", `/api/servers/${id}`);
    expect(await found(other.anybody, "beta")).toEqual([]);
    await other.stop();
  });

  it("DI2 finds servers that existed before the start", async () => {
    await discovery.user().create({ name: "Alpha" });
    const late = await discovery.replica();
    expect(await found(late.anybody, "alpha")).toEqual(["Alpha"]);
    await late.stop();
  });

  it("DI2 ranks by the current member count, which changes without a change of the server", async () => {
    const owner = discovery.user();
    const small = await owner.create({ name: "Gamma", description: "small" });
    const large = await owner.create({ name: "Gamma", description: "large" });
    const order = async () => {
      const { body } = await discovery.anybody("GET", "/api/servers/search?q=gamma");
      return pageOf(serverSummarySchema)
        .parse(body)
        .items.map(({ description, memberCount }) => [description, memberCount]);
    };
    const fill = async (id: string, count: number) => {
      const users = Array.from({ length: count }, () => discovery.user());
      for (const user of users) await user.send("POST", `/api/servers/${id}/join`);
      return users;
    };
    const crowd = await fill(large.id, 9);
    await discovery.events();
    expect(await order()).toEqual([
      ["large", 10],
      ["small", 1],
    ]);
    for (const user of crowd) await user.send("POST", `/api/servers/${large.id}/leave`);
    await fill(small.id, 2);
    await discovery.events();
    expect(await order()).toEqual([
      ["small", 3],
      ["large", 1],
    ]);
  });

  it("DI7 answers the request of a write whose announcement waits for the bus, and announces it later", async () => {
    const owner = discovery.user();
    const { id } = await owner.create();
    const member = discovery.user();
    await member.send("POST", `/api/servers/${id}/join`);
    await discovery.events();
    discovery.before("endings.forget", () => {
      throw new ProblemError("UNAVAILABLE");
    });
    const announced = new Promise<void>((resolve) => {
      let times = 0;
      discovery.bus.subscribe(discoverySubjects.membershipEnded, () => {
        times += 1;
        if (times === 2) resolve();
      });
    });
    const answer = await owner.send("DELETE", `/api/servers/${id}/members/${member.userId}`);
    expect(answer.status).toBe(204);
    await announced;
    await discovery.events();
    expect(await discovery.store.endings.list()).toEqual([]);
  });
});
