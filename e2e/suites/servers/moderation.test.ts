import type { Ban, Credential, Invite, JoinedServer, Member, Page, Server } from "@hearth/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { until } from "@hearth/runtime/testing/until";
import { discoveryOf, statusesOf } from "../../src/client/discovery.ts";
import {
  type Device,
  dialPlain,
  dialSocketIo,
  join,
  openDevice,
  freshName,
  register,
  settled,
} from "../../src/client/index.ts";
import { expectProblem } from "../../src/expectations/problem.ts";
import { serverForTests } from "../../src/server/for-tests.ts";

const server = serverForTests();
let owner: Credential;
let moderator: Credential;

beforeAll(async () => {
  [owner, moderator] = (await Promise.all(
    ["owner", "moderator"].map((name) => register(server.url, freshName(name), name)),
  )) as [Credential, Credential];
});

const { as, enter, make, publicly } = discoveryOf(() => ({ url: server.url, owner }));

describe("moderation of connected users", () => {
  let place: JoinedServer;
  let target: Credential;
  let devices: Device[];
  let witness: Device;
  const path = (rest = ""): string => `/api/servers/${place.id}${rest}`;

  beforeAll(async () => {
    place = await make({ name: "The arena" });
    target = await register(server.url);
    witness = await openDevice(dialPlain, server.url, owner);
    devices = await Promise.all(
      [dialPlain, dialSocketIo].map((dial) => openDevice(dial, server.url, target)),
    );
    await join(witness, place.id);
  });
  afterAll(async () => {
    for (const device of [witness, ...devices]) await device.close();
  });

  const allJoin = async (): Promise<void> => {
    for (const device of devices) await join(device, place.id);
    await witness.inbox.next("user_joined", ({ user }) => (user as { oderId: string }).oderId === target.id);
  };
  /** DI7 */
  const expectRemoved = async (reason: string): Promise<void> => {
    const since = Date.now();
    for (const device of devices) {
      const removed = await device.inbox.next("removed_from_server", undefined, 1_000);
      expect(removed).toMatchObject({ serverId: place.id, reason });
    }
    expect(Date.now() - since).toBeLessThan(1_000);
    await witness.inbox.next("user_left", ({ oderId }) => oderId === target.id);
    const before = devices.map(({ inbox }) => inbox.count("chat_message"));
    const chat = { type: "chat_message", serverId: place.id, message: { id: "m", content: "gone?" } };
    expect(await witness.ask(chat)).toMatchObject({ type: "ack" });
    for (const device of devices) expect(await device.ask(chat)).toMatchObject({ code: "NOT_JOINED" });
    expect(devices.map(({ inbox }) => inbox.count("chat_message"))).toEqual(before);
  };

  it("DI7 a removed member is out on every device within a second and may rejoin", async () => {
    await allJoin();
    expect((await as(owner).delete(path(`/members/${target.id}`))).status).toBe(204);
    await expectRemoved("removed");
    await allJoin();
  });

  it("DI7 a ban removes a user and prevents rejoining, over REST and the socket, until it is lifted", async () => {
    const ban = await as(owner).put<Ban>(path(`/bans/${target.id}`), { reason: "spam" });
    expect(ban.body).toMatchObject({
      userId: target.id,
      bannedBy: owner.id,
      reason: "spam",
      expiresAt: null,
    });
    await expectRemoved("banned");
    expectProblem(await enter(place, target), "BANNED");
    for (const device of devices) {
      expect(await device.ask({ type: "join_server", serverId: place.id })).toMatchObject({ code: "BANNED" });
    }
    const bans = await as(owner).get<Page<Ban>>(path("/bans"));
    expect(bans.body.items.map(({ userId }) => userId)).toEqual([target.id]);
    expect((await as(owner).delete(path(`/bans/${target.id}`))).status).toBe(204);
    expectProblem(await as(owner).delete(path(`/bans/${target.id}`)), "NOT_FOUND");
    await allJoin();
  });

  it("DI7 a ban with an expiry ends by itself", async () => {
    await as(owner).put(path(`/bans/${target.id}`), { expiresAt: Date.now() + 600 });
    await expectRemoved("banned");
    expectProblem(await enter(place, target), "BANNED");
    await new Promise((resolve) => setTimeout(resolve, 700));
    await allJoin();
  });

  it("DI7 leaving takes the user out on all devices", async () => {
    expect((await as(target).post(path("/leave"))).status).toBe(204);
    await expectRemoved("left");
    await allJoin();
  });

  it("DI7 changes of a server and of its members reach its connected members", async () => {
    await as(owner).put(path(), { description: "sand" });
    for (const device of [witness, ...devices]) {
      await device.inbox.next(
        "server_updated",
        ({ server: news }) => (news as Server).description === "sand",
      );
    }
    await as(owner).put(path(`/members/${target.id}`), { role: "moderator" });
    for (const device of [witness, ...devices]) {
      await device.inbox.next(
        "member_updated",
        ({ userId, role }) => userId === target.id && role === "moderator",
      );
    }
    await as(owner).put(path(`/members/${target.id}`), { role: "member" });
  });

  it("DI8 a user banned during a join is not in, 20 times", async () => {
    const [device] = devices as [Device];
    for (let run = 0; run < 20; run += 1) {
      await as(owner).delete(path(`/members/${target.id}`));
      await Promise.all([
        device.ask({ type: "join_server", serverId: place.id }),
        as(owner).put(path(`/bans/${target.id}`)),
      ]);
      await settled(device);
      const chat = { type: "chat_message", serverId: place.id, message: { id: "m", content: "in?" } };
      await until(async () => (await device.ask(chat))["code"] === "NOT_JOINED", 1_000);
      const members = await as(owner).get<Page<Member>>(path("/members"));
      expect(members.body.items.map(({ userId }) => userId)).not.toContain(target.id);
      await as(owner).delete(path(`/bans/${target.id}`));
    }
  }, 60_000);

  it("DI7 a deleted server disappears for all its members", async () => {
    await allJoin();
    expect((await as(owner).delete(path())).status).toBe(204);
    for (const device of [witness, ...devices]) {
      const removed = await device.inbox.next("removed_from_server", undefined, 1_000);
      expect(removed).toMatchObject({ serverId: place.id });
    }
    expectProblem(await as(owner).get(path()), "NOT_FOUND");
    expect(await witness.ask({ type: "join_server", serverId: place.id })).toMatchObject({
      code: "ACCESS_DENIED",
    });
  });
});

describe("simultaneous changes", () => {
  it("DI8 one of two edits of the same version counts and the other is CONFLICT", async () => {
    const place = await make({ name: "Contested" });
    await enter(place, moderator);
    await as(owner).put(`/api/servers/${place.id}/members/${moderator.id}`, { role: "moderator" });
    let { version } = await publicly<Server>(`/api/servers/${place.id}`);
    for (let run = 0; run < 15; run += 1) {
      const edit = (who: Credential) =>
        as(who).put<Server>(`/api/servers/${place.id}`, { description: `${who.username} ${run}`, version });
      const answers = await Promise.all([edit(owner), edit(moderator)]);
      expect(statusesOf(answers)).toEqual([200, 409]);
      const written = answers.find(({ status }) => status === 200);
      const now = await publicly<Server>(`/api/servers/${place.id}`);
      expect(now.description).toBe(written?.body.description);
      expect(now.version).toBeGreaterThan(version);
      version = now.version;
    }
  });

  it("DI8 an invite for one use admits exactly one of five users, 8 times", async () => {
    const club = await make({ name: "One seat", visibility: "private" });
    const guests = await Promise.all(Array.from({ length: 5 }, () => register(server.url)));
    for (let run = 0; run < 8; run += 1) {
      const { body: invite } = await as(owner).post<Invite>(`/api/servers/${club.id}/invites`, {
        maxUses: 1,
      });
      const answers = await Promise.all(
        guests.map((guest) => enter(club, guest, { inviteCode: invite.code })),
      );
      expect(statusesOf(answers)).toEqual([200, 403, 403, 403, 403]);
      const { items } = (await as(owner).get<Page<Member>>(`/api/servers/${club.id}/members`)).body;
      expect(items).toHaveLength(2);
      for (const { userId } of items.filter(({ role }) => role === "member")) {
        await as(owner).delete(`/api/servers/${club.id}/members/${userId}`);
      }
    }
  }, 60_000);
});
