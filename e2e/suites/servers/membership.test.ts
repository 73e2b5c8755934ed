import type {
  AccessRequest,
  Credential,
  Invite,
  JoinedServer,
  Member,
  Page,
  PluginSupport,
  Server,
} from "@hearth/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { discoveryOf, statusesOf } from "../../src/client/discovery.ts";
import {
  call,
  type Device,
  dialPlain,
  dialSocketIo,
  join,
  openDevice,
  freshName,
  register,
} from "../../src/client/index.ts";
import { expectProblem } from "../../src/expectations/problem.ts";
import { serverForTests } from "../../src/server/for-tests.ts";

const server = serverForTests();
let owner: Credential;
let moderator: Credential;
let member: Credential;
let stranger: Credential;

beforeAll(async () => {
  [owner, moderator, member, stranger] = (await Promise.all(
    ["owner", "moderator", "member", "stranger"].map((name) => register(server.url, freshName(name), name)),
  )) as [Credential, Credential, Credential, Credential];
});

const { as, enter, make, publicly } = discoveryOf(() => ({ url: server.url, owner }));

describe("running a server", () => {
  let place: JoinedServer;
  const path = (rest = ""): string => `/api/servers/${place.id}${rest}`;
  beforeAll(async () => {
    place = await make({ name: "The workshop" });
    for (const who of [moderator, member]) expect((await enter(place, who)).status).toBe(200);
    expect((await as(owner).put(path(`/members/${moderator.id}`), { role: "moderator" })).status).toBe(200);
  });

  it("DI3 members see each other; strangers do not", async () => {
    const page = await as(member).get<Page<Member>>(path("/members"));
    expect(page.body.items.map(({ userId, role }) => [userId, role])).toEqual([
      [owner.id, "owner"],
      [moderator.id, "moderator"],
      [member.id, "member"],
    ]);
    expectProblem(await as(stranger).get(path("/members")), "FORBIDDEN");
    expectProblem(await call(server.url, "GET", path("/members")), "AUTH_REQUIRED");
  });

  it("DI3 a moderator may change texts and channels, the owner everything, a member nothing", async () => {
    const channels = [...place.channels, { name: "tools", kind: "text" }];
    expect(
      (await as(moderator).put(path(), { description: "Bring gloves", tags: ["wood"], channels })).status,
    ).toBe(200);
    for (const change of [{ name: "Mine" }, { visibility: "private" }, { iconHash: "abc" }]) {
      expectProblem(await as(moderator).put(path(), change), "FORBIDDEN");
    }
    expectProblem(await as(member).put(path(), { description: "x" }), "FORBIDDEN");
    const changed = await as(owner).put<Server>(path(), { name: "The workshop", iconHash: "abc" });
    expect(changed.body).toMatchObject({ iconHash: "abc", description: "Bring gloves", tags: ["wood"] });
    expect(changed.body.channels.map(({ name }) => name).at(-1)).toBe("tools");
  });

  it("DI3 nobody can moderate an equal or higher role", async () => {
    for (const target of [owner.id, moderator.id]) {
      expectProblem(await as(moderator).delete(path(`/members/${target}`)), "FORBIDDEN");
      expectProblem(await as(moderator).put(path(`/bans/${target}`)), "FORBIDDEN");
    }
    expectProblem(await as(moderator).put(path(`/members/${member.id}`), { role: "moderator" }), "FORBIDDEN");
    expectProblem(await as(owner).put(path(`/members/${owner.id}`), { role: "member" }), "CONFLICT");
    expectProblem(await as(owner).post(path("/leave")), "CONFLICT");
    expectProblem(await as(owner).post(path("/transfer"), { userId: stranger.id }), "CONFLICT");
  });

  it("DI3 a transfer makes a member the owner, and back", async () => {
    const given = await as(owner).post<Server>(path("/transfer"), { userId: member.id });
    expect(given.body.ownerId).toBe(member.id);
    expectProblem(await as(owner).delete(path()), "FORBIDDEN");
    expect((await as(member).post<Server>(path("/transfer"), { userId: owner.id })).body.ownerId).toBe(
      owner.id,
    );
    await as(owner).put(path(`/members/${member.id}`), { role: "member" });
  });

  it("DI5 everybody may read plugins; only the owner and moderators may change them", async () => {
    const plugin = {
      version: "1.2.0",
      required: "recommended",
      config: { units: "metric", deep: [{ x: null }] },
    };
    expect((await as(moderator).put(path("/plugins/weather-map"), plugin)).status).toBe(200);
    expectProblem(await as(member).put(path("/plugins/other"), plugin), "FORBIDDEN");
    expect(await publicly<PluginSupport[]>(path("/plugins"))).toMatchObject([
      { pluginId: "weather-map", ...plugin, updatedBy: moderator.id },
    ]);
    expectProblem(
      await as(owner).put(path("/plugins/weather-map"), { ...plugin, required: "always" }),
      "INVALID_REQUEST",
    );
    expect((await as(owner).delete(path("/plugins/weather-map"))).status).toBe(204);
    expectProblem(await as(owner).delete(path("/plugins/weather-map")), "NOT_FOUND");
    expect(await publicly(path("/plugins"))).toEqual([]);
  });

  it("DI3 invites are visible to anybody who has one, and can be used up, expired or revoked", async () => {
    const club = await make({ name: "The club", visibility: "private" });
    const invites = `/api/servers/${club.id}/invites`;
    const invite = async (body: object): Promise<Invite> =>
      (await as(owner).post<Invite>(invites, body)).body;
    const once = await invite({ maxUses: 1 });
    expect(await publicly(`/api/invites/${once.code}`)).toMatchObject({
      code: once.code,
      server: { id: club.id, name: "The club", memberCount: 1 },
    });
    expectProblem(await enter(club, moderator), "ACCESS_DENIED");
    expect((await enter(club, moderator, { inviteCode: once.code })).body).toMatchObject({ role: "member" });
    expectProblem(await enter(club, member, { inviteCode: once.code }), "ACCESS_DENIED");
    expectProblem(await call(server.url, "GET", `/api/invites/${once.code}`), "NOT_FOUND");
    const brief = await invite({ expiresAt: Date.now() + 400 });
    const withdrawn = await invite({});
    expect((await as(owner).delete(`/api/invites/${withdrawn.code}`)).status).toBe(204);
    expectProblem(await enter(club, member, { inviteCode: withdrawn.code }), "ACCESS_DENIED");
    await new Promise((resolve) => setTimeout(resolve, 500));
    expectProblem(await enter(club, member, { inviteCode: brief.code }), "ACCESS_DENIED");
    expectProblem(await as(moderator).post(invites), "FORBIDDEN");
    expectProblem(await as(owner).post(invites, { expiresAt: Date.now() - 1 }), "CONFLICT");
  });
});

describe("private servers", () => {
  let club: JoinedServer;
  let ownerDevice: Device;
  let askerDevice: Device;
  beforeAll(async () => {
    club = await make({ name: "By request", visibility: "private" });
    ownerDevice = await openDevice(dialPlain, server.url, owner);
    askerDevice = await openDevice(dialSocketIo, server.url, stranger);
  });
  afterAll(async () => {
    await ownerDevice.close();
    await askerDevice.close();
  });
  const requests = (): string => `/api/servers/${club.id}/requests`;
  const decide = (who: Credential, { id }: AccessRequest, status: string) =>
    as(who).put<AccessRequest>(`/api/requests/${id}`, { status });

  it("DI4 WS8 a stranger cannot join a private server", async () => {
    expect(await askerDevice.ask({ type: "join_server", serverId: club.id })).toMatchObject({
      type: "error",
      code: "ACCESS_DENIED",
      inReplyTo: "join_server",
    });
  });

  it("DI4 a request reaches the owner, can be rejected and repeated, and is decided only once", async () => {
    const ask = async (message: string): Promise<AccessRequest> => {
      const answer = await as(stranger).post<AccessRequest>(requests(), { message });
      expect(answer).toMatchObject({
        status: 201,
        body: { status: "pending", message, userId: stranger.id },
      });
      await ownerDevice.inbox.next(
        "access_request",
        ({ request }) => (request as AccessRequest).id === answer.body.id,
      );
      return answer.body;
    };
    const first = await ask("please");
    expectProblem(await as(stranger).post(requests(), {}), "CONFLICT");
    expectProblem(await as(stranger).get(requests()), "NOT_FOUND");
    expectProblem(await decide(stranger, first, "approved"), "NOT_FOUND");
    expectProblem(await decide(owner, first, "perhaps"), "INVALID_REQUEST");
    expect((await decide(owner, first, "rejected")).body).toMatchObject({
      status: "rejected",
      decidedBy: owner.id,
    });
    expectProblem(await decide(owner, first, "approved"), "CONFLICT");
    await askerDevice.inbox.next(
      "access_request",
      ({ request }) => (request as AccessRequest).status === "rejected",
    );
    expectProblem(await enter(club, stranger), "ACCESS_DENIED");
    const second = await ask("pretty please");
    const pending = await as(owner).get<Page<AccessRequest>>(requests());
    expect(pending.body.items.map(({ id }) => id)).toEqual([second.id]);
    expect((await decide(owner, second, "approved")).status).toBe(200);
    await askerDevice.inbox.next(
      "access_request",
      ({ request }) => (request as AccessRequest).status === "approved",
    );
    await join(askerDevice, club.id);
    expectProblem(await as(stranger).post(requests(), {}), "CONFLICT");
  });

  it("DI8 exactly one of two simultaneous decisions counts and the other gets CONFLICT, 15 times", async () => {
    await as(owner).put(`/api/servers/${club.id}/members/${stranger.id}`, { role: "moderator" });
    const asker = await register(server.url);
    for (let run = 0; run < 15; run += 1) {
      const { body: request } = await as(asker).post<AccessRequest>(requests(), {});
      const [approval, rejection] = await Promise.all(
        run % 2 === 0
          ? [decide(owner, request, "approved"), decide(stranger, request, "rejected")]
          : [decide(stranger, request, "approved"), decide(owner, request, "rejected")],
      );
      expect(statusesOf([approval, rejection])).toEqual([200, 409]);
      const inside = (await as(asker).get(`/api/servers/${club.id}`)).status === 200;
      expect(inside).toBe(approval.status === 200);
      if (inside) await as(asker).post(`/api/servers/${club.id}/leave`);
    }
  }, 60_000);
});
