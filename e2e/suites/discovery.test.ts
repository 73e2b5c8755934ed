import type {
  AccessRequest,
  Ban,
  Credential,
  Invite,
  JoinedServer,
  Member,
  Page,
  PluginSupport,
  Server,
} from "@hearth/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  type Answer,
  call,
  createServer,
  type Device,
  dialPlain,
  dialSocketIo,
  expectOk,
  join,
  openDevice,
  register,
  settled,
} from "../src/client/index.ts";
import { expectProblem } from "../src/expectations/problem.ts";
import { type RunningServer, startServer } from "../src/server/process.ts";

type ServerPage = Page<Server>;

let server: RunningServer;
let owner: Credential;
let moderator: Credential;
let member: Credential;
let stranger: Credential;
let featured: JoinedServer;

beforeAll(async () => {
  const first = await startServer();
  [owner, moderator, member, stranger] = (await Promise.all(
    ["owner", "moderator", "member", "stranger"].map((name) => register(first.url, name)),
  )) as [Credential, Credential, Credential, Credential];
  featured = await createServer(first.url, owner, { name: "Recommended" });
  const hidden = await createServer(first.url, owner, {
    name: "Recommended but private",
    visibility: "private",
  });
  await first.stop();
  const unknown = crypto.randomUUID();
  server = await startServer({
    dataDir: first.dataDir,
    env: { FEATURED_SERVERS: `${hidden.id}, ${unknown}, ${featured.id}` },
  });
}, 60_000);

afterAll(async () => {
  await server.stop();
  await server.cleanUp();
});

const as = ({ token }: Credential) => ({
  get: <Body>(path: string) => call<Body>(server.url, "GET", path, { token }),
  post: <Body>(path: string, body: object = {}) => call<Body>(server.url, "POST", path, { token, body }),
  put: <Body>(path: string, body: object = {}) => call<Body>(server.url, "PUT", path, { token, body }),
  delete: (path: string) => call(server.url, "DELETE", path, { token }),
});
const publicly = <Body>(path: string) => expectOk<Body>(server.url, "GET", path);
const search = async (q: string): Promise<string[]> =>
  (await publicly<ServerPage>(`/api/servers/search?q=${encodeURIComponent(q)}`)).items.map(
    ({ name }) => name,
  );
const make = (body: { readonly name: string } & Record<string, unknown>, by = owner): Promise<JoinedServer> =>
  createServer(server.url, by, body);
const enter = ({ id }: Pick<Server, "id">, who: Credential, body: object = {}) =>
  as(who).post<JoinedServer>(`/api/servers/${id}/join`, body);
const statusesOf = (answers: readonly Answer<unknown>[]): number[] =>
  answers.map(({ status }) => status).toSorted();

/** Asks again until it is so, for what the server gathers in the background. */
const eventually = async (patienceMs: number, look: () => Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + patienceMs;
  while (!(await look())) {
    if (Date.now() > deadline) throw new Error(`not so within ${patienceMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

describe("finding servers", () => {
  it("DI1 DI3 a new server has its owner, two channels and everything that was asked for", async () => {
    const created = await make({
      name: "Teahouse",
      description: "Green,\nblack",
      tags: ["Tea", "quiet", "tea"],
      channels: [{ name: "leaves" }, { name: "kettle", kind: "voice" }],
    });
    expect(created).toMatchObject({
      name: "Teahouse",
      description: "Green,\nblack",
      tags: ["tea", "quiet"],
      visibility: "public",
      iconHash: null,
      ownerId: owner.id,
      memberCount: 1,
      onlineCount: 0,
      featured: false,
      role: "owner",
      channels: [
        { name: "leaves", kind: "text", position: 0 },
        { name: "kettle", kind: "voice", position: 1 },
      ],
    });
    const { role: _, joinedAt: __, ...shown } = created;
    expect(await publicly(`/api/servers/${created.id}`)).toEqual(shown);
  });

  it("DI2 lists are newest first, page by page without gaps, and limits are clamped", async () => {
    const names = Array.from({ length: 7 }, (_, n) => `Paged ${n}`);
    for (const name of names) await make({ name, tags: ["paged"] });
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const query: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
      const page: ServerPage = await publicly(`/api/servers?tag=paged&limit=3${query}`);
      seen.push(...page.items.map(({ name }) => name));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(names.toReversed());
    expect((await publicly<ServerPage>("/api/servers?tag=paged&limit=0")).items).toHaveLength(1);
    expect((await publicly<ServerPage>("/api/servers?tag=paged&limit=-5")).items).toHaveLength(1);
    expect((await publicly<ServerPage>("/api/servers?tag=paged&limit=100000")).items).toHaveLength(7);
  });

  it("DI2 featured servers are the operator's, and none that is private or gone", async () => {
    const { items } = await publicly<ServerPage>("/api/servers/featured");
    expect(items.map(({ id, featured: flag }) => [id, flag])).toEqual([[featured.id, true]]);
  });

  it("DI2 search finds by prefix, tag, description and accent, and forgives typing errors", async () => {
    await make({ name: "The Reading Room", description: "One book a month", tags: ["literature"] });
    await make({ name: "Café Zürich", description: "Kaffee und Gespräche" });
    for (const q of [
      "reading",
      "READ",
      "rea",
      "readnig",
      "raeding",
      "reeding",
      "literature",
      "book",
      "room reading",
    ]) {
      expect([q, await search(q)]).toEqual([q, expect.arrayContaining(["The Reading Room"])]);
    }
    for (const q of ["cafe", "zurich", "CAFÉ", "zuerich", "gesprache"]) {
      expect([q, await search(q)]).toEqual([q, expect.arrayContaining(["Café Zürich"])]);
    }
    expect(await search("xylophone")).toEqual([]);
    expect((await search("reading"))[0]).toBe("The Reading Room");
  });

  it("DI2 search follows a server that is renamed, hidden and deleted", async () => {
    const { id } = await make({ name: "Chrysanthemum" });
    expect(await search("chrysanthemum")).toHaveLength(1);
    await as(owner).put(`/api/servers/${id}`, { name: "Rhododendron" });
    expect([await search("chrysanthemum"), await search("rhododendron")]).toEqual([[], ["Rhododendron"]]);
    await as(owner).put(`/api/servers/${id}`, { visibility: "unlisted" });
    expect(await search("rhododendron")).toEqual([]);
    await as(owner).put(`/api/servers/${id}`, { visibility: "public" });
    expect(await search("rhododendron")).toHaveLength(1);
    await as(owner).delete(`/api/servers/${id}`);
    expect(await search("rhododendron")).toEqual([]);
  });

  it("DI2 a private server shows nowhere but to its members, an unlisted one only by its id", async () => {
    const secret = await make({ name: "Secret garden", visibility: "private", tags: ["garden"] });
    const unlisted = await make({ name: "Unlisted garden", visibility: "unlisted", tags: ["garden"] });
    const lists = ["?tag=garden", "", "/trending", "/featured", "/search?q=garden"];
    for (const list of lists) {
      const page = await publicly<ServerPage>(`/api/servers${list}`);
      expect(page.items.filter(({ id }) => id === secret.id || id === unlisted.id)).toEqual([]);
    }
    expectProblem(await call(server.url, "GET", `/api/servers/${secret.id}`), "NOT_FOUND");
    expectProblem(await as(stranger).get(`/api/servers/${secret.id}`), "NOT_FOUND");
    expect((await as(owner).get(`/api/servers/${secret.id}`)).status).toBe(200);
    expect(await publicly(`/api/servers/${unlisted.id}`)).toMatchObject({ visibility: "unlisted" });
    const mine = await as(owner).get<ServerPage>("/api/servers/mine?limit=100");
    expect(mine.body.items.map(({ id }) => id)).toEqual(expect.arrayContaining([secret.id, unlisted.id]));
  });
});

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

  it("DI3 a moderator changes words and channels, the owner everything, a member nothing", async () => {
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

  it("DI3 nobody moderates upwards or sideways", async () => {
    for (const target of [owner.id, moderator.id]) {
      expectProblem(await as(moderator).delete(path(`/members/${target}`)), "FORBIDDEN");
      expectProblem(await as(moderator).put(path(`/bans/${target}`)), "FORBIDDEN");
    }
    expectProblem(await as(moderator).put(path(`/members/${member.id}`), { role: "moderator" }), "FORBIDDEN");
    expectProblem(await as(owner).put(path(`/members/${owner.id}`), { role: "member" }), "CONFLICT");
    expectProblem(await as(owner).post(path("/leave")), "CONFLICT");
    expectProblem(await as(owner).post(path("/transfer"), { userId: stranger.id }), "CONFLICT");
  });

  it("DI3 a transfer gives the server to a member, and back", async () => {
    const given = await as(owner).post<Server>(path("/transfer"), { userId: member.id });
    expect(given.body.ownerId).toBe(member.id);
    expectProblem(await as(owner).delete(path()), "FORBIDDEN");
    expect((await as(member).post<Server>(path("/transfer"), { userId: owner.id })).body.ownerId).toBe(
      owner.id,
    );
    await as(owner).put(path(`/members/${member.id}`), { role: "member" });
  });

  it("DI5 plugins are public to read, and the owner's and moderators' to write", async () => {
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

  it("DI3 invites: shown to anybody who holds one, used up, expired and withdrawn", async () => {
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
    expectProblem(await as(owner).post(invites, { expiresAt: Date.now() - 1 }), "INVALID_REQUEST");
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

  it("DI4 WS8 the room of a private server opens to nobody from outside", async () => {
    expect(await askerDevice.ask({ type: "join_server", serverId: club.id })).toMatchObject({
      type: "error",
      code: "ACCESS_DENIED",
      inReplyTo: "join_server",
    });
  });

  it("DI4 a request is heard by the owner, refused, asked again, approved, and decided once each time", async () => {
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

  it("DI8 of two decisions at the same moment one counts and the other is told, 15 times", async () => {
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
  }, 15_000);
});

describe("what moderation does to open sockets", () => {
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

  it("DI7 a removed member is out of the room on every device within a second, and may come back", async () => {
    await allJoin();
    expect((await as(owner).delete(path(`/members/${target.id}`))).status).toBe(204);
    await expectRemoved("removed");
    await allJoin();
  });

  it("DI7 a ban throws out and keeps out, over REST and the socket, until it is lifted", async () => {
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

  it("DI7 a ban with an end ends by itself", async () => {
    await as(owner).put(path(`/bans/${target.id}`), { expiresAt: Date.now() + 600 });
    await expectRemoved("banned");
    expectProblem(await enter(place, target), "BANNED");
    await new Promise((resolve) => setTimeout(resolve, 700));
    await allJoin();
  });

  it("DI7 who leaves is out on all devices", async () => {
    expect((await as(target).post(path("/leave"))).status).toBe(204);
    await expectRemoved("left");
    await allJoin();
  });

  it("DI7 news of a server and of its members reach the room", async () => {
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

  it("DI8 a ban and a join at the same moment: whoever is banned is not in, 20 times", async () => {
    const [device] = devices as [Device];
    for (let run = 0; run < 20; run += 1) {
      await as(owner).delete(path(`/members/${target.id}`));
      await Promise.all([
        device.ask({ type: "join_server", serverId: place.id }),
        as(owner).put(path(`/bans/${target.id}`)),
      ]);
      await settled(device);
      const chat = { type: "chat_message", serverId: place.id, message: { id: "m", content: "in?" } };
      await eventually(1_000, async () => (await device.ask(chat))["code"] === "NOT_JOINED");
      const members = await as(owner).get<Page<Member>>(path("/members"));
      expect(members.body.items.map(({ userId }) => userId)).not.toContain(target.id);
      await as(owner).delete(path(`/bans/${target.id}`));
    }
  }, 20_000);

  it("DI7 a deleted server is gone for everybody in it", async () => {
    await allJoin();
    expect((await as(owner).delete(path())).status).toBe(204);
    for (const device of [witness, ...devices]) {
      const removed = await device.inbox.next("removed_from_server", undefined, 1_000);
      expect(removed).toMatchObject({ serverId: place.id });
    }
    expectProblem(await as(owner).get(path()), "NOT_FOUND");
    expect(await witness.ask({ type: "join_server", serverId: place.id })).toMatchObject({
      code: "NOT_FOUND",
    });
  });
});

describe("two at a time", () => {
  it("DI8 of two edits of the same version one counts and the other is CONFLICT", async () => {
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

  it("DI8 an invite for one lets exactly one of five in, 8 times", async () => {
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
  }, 15_000);
});

describe("what is going on", () => {
  it("DI1 DI2 chat and company make a server trend and count as online", async () => {
    const [quiet, loud] = [await make({ name: "Quiet" }, stranger), await make({ name: "Loud" }, stranger)];
    const positions = async (): Promise<number[]> => {
      const { items } = await publicly<ServerPage>("/api/servers/trending?limit=100");
      return [loud, quiet].map(({ id }) => items.findIndex((item) => item.id === id));
    };
    await enter(quiet, member);
    const [loudBefore, quietBefore] = await positions();
    expect(quietBefore).toBeLessThan(loudBefore ?? -1);
    const speaker = await openDevice(dialPlain, server.url, stranger);
    await join(speaker, loud.id);
    for (let sent = 0; sent < 50; sent += 1) {
      speaker.send({ type: "chat_message", serverId: loud.id, message: { id: `${sent}`, content: "hey" } });
    }
    await settled(speaker);
    await eventually(10_000, async () => {
      const [loudNow = -1, quietNow = -1] = await positions();
      return loudNow < quietNow;
    });
    const online = async (): Promise<number> =>
      (await publicly<Server>(`/api/servers/${loud.id}`)).onlineCount;
    await eventually(7_000, async () => (await online()) === 1);
    await speaker.close();
  }, 30_000);
});
