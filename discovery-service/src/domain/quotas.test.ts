import { afterEach, describe, expect, it } from "@jest/globals";
import { newId } from "@hearth/runtime";
import { startDiscovery } from "../testing/service.ts";
import type { Answer, TestDiscovery, TestDiscoveryOptions } from "../testing/service.ts";

describe("quotas", () => {
  const running: TestDiscovery[] = [];
  afterEach(async () => {
    for (const discovery of running.splice(0)) await discovery.stop();
  });
  const started = async (quotas: NonNullable<TestDiscoveryOptions["quotas"]>): Promise<TestDiscovery> => {
    const discovery = await startDiscovery({ quotas });
    running.push(discovery);
    return discovery;
  };
  const refusal = (reason: string, detail: RegExp) => ({
    status: 403,
    body: { code: "QUOTA_EXCEEDED", reason, detail: expect.stringMatching(detail) },
  });
  const admitted = (answers: readonly Answer[]): number =>
    answers.filter(({ status }) => status < 300).length;

  it("AB4 limit the servers of an account, also concurrent ones, until one is deleted", async () => {
    const discovery = await started({ serversOwned: 3 });
    const user = discovery.user();
    const make = () => user.send("POST", "/api/servers", { name: "x" });
    expect(admitted(await Promise.all(Array.from({ length: 10 }, make)))).toBe(3);
    expect(await make()).toMatchObject(refusal("servers_owned", /at most 3 servers/));
    const [{ server } = { server: { id: "" } }] = await discovery.store.members.listOf(user.userId, {
      after: null,
      limit: 1,
    });
    await user.send("DELETE", `/api/servers/${server.id}`);
    expect((await make()).status).toBe(201);
    expect((await discovery.user().send("POST", "/api/servers", { name: "x" })).status).toBe(201);
  });

  it("AB4 limit the servers that an account creates in an hour, including deleted ones", async () => {
    const { user: userOf } = await started({ serversMadePerHour: 4 });
    const user = userOf();
    for (let times = 0; times < 4; times += 1)
      await user.send("DELETE", `/api/servers/${(await user.create()).id}`);
    const answer = await user.send("POST", "/api/servers", { name: "x" });
    expect(answer).toMatchObject(refusal("servers_made", /at most 4 servers per hour/));
    expect((await userOf().send("POST", "/api/servers", { name: "x" })).status).toBe(201);
  });

  it("AB4 refuse a transfer to a user at the limit", async () => {
    const { user } = await started({ serversOwned: 1 });
    const [owner, heir] = [user(), user()];
    const { id } = await owner.create();
    await heir.create();
    await heir.send("POST", `/api/servers/${id}/join`);
    const answer = await owner.send("POST", `/api/servers/${id}/transfer`, { userId: heir.userId });
    expect(answer).toMatchObject(refusal("servers_owned", /at most 1 servers/));
  });

  it("AB4 name the limit that was reached: channels, invites, bans", async () => {
    const { user } = await started({ channels: 3, invites: 2, invitesOfMember: 1, bans: 1 });
    const [owner, member] = [user(), user()];
    const channels = Array.from({ length: 4 }, (_, index) => ({ name: `c${index}` }));
    const full = refusal("channels", /at most 3 channels/);
    expect(await owner.send("POST", "/api/servers", { name: "x", channels })).toMatchObject(full);
    const { id } = await owner.create();
    const path = `/api/servers/${id}`;
    expect(await owner.send("PUT", path, { channels })).toMatchObject(full);
    await member.send("POST", `${path}/join`);
    const invite = (by: typeof owner) => by.send("POST", `${path}/invites`, {});
    expect(admitted([await invite(owner), await invite(member)])).toBe(2);
    expect(await invite(member)).toMatchObject(refusal("invites_member", /at most 1 invites/));
    const third = user();
    await third.send("POST", `${path}/join`);
    expect(await invite(third)).toMatchObject(refusal("invites", /at most 2 invites/));
    const ban = () => owner.send("PUT", `${path}/bans/${newId()}`, {});
    expect((await ban()).status).toBe(200);
    expect(await ban()).toMatchObject(refusal("bans", /at most 1 bans/));
  });
});
