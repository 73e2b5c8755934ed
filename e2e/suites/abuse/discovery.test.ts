import { setTimeout as wait } from "node:timers/promises";
import type {
  AccountExport,
  Credential,
  Invite,
  JoinedServer,
  Page,
  Problem,
  Server,
  ServerSummary,
} from "@hearth/contracts";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { discoveryOf } from "../../src/client/discovery.ts";
import { type Answer, call, freshName, PASSWORD, register } from "../../src/client/index.ts";
import { expectProblem } from "../../src/expectations/problem.ts";
import { serverForTests } from "../../src/server/for-tests.ts";

const server = serverForTests({
  env: {
    MAX_SERVERS_OWNED: "4",
    MAX_SERVERS_MADE_PER_HOUR: "10",
    MAX_INVITES_PER_SERVER: "14",
    MAX_INVITES_PER_MEMBER: "10",
    MAX_BANS_PER_SERVER: "12",
  },
});
let owner: Credential;
let member: Credential;
let stranger: Credential;

beforeAll(async () => {
  [owner, member, stranger] = (await Promise.all(
    ["owner", "member", "stranger"].map((name) => register(server.url, name)),
  )) as [Credential, Credential, Credential];
});

const { as, enter, make, publicly } = discoveryOf(() => ({ url: server.url, owner }));

/** An attack respects rate limits, so that the quota is what ends it. */
async function insistently<Body>(ask: () => Promise<Answer<Body>>): Promise<Answer<Body>> {
  for (let left = 5; ; left -= 1) {
    const answer = await ask();
    if (answer.status !== 429 || left === 0) return answer;
    await wait(Math.min(3, Number(answer.headers.get("retry-after") ?? 1)) * 1000);
  }
}

const inParallel = <Body>(count: number, ask: (index: number) => Promise<Answer<Body>>) =>
  Promise.all(Array.from({ length: count }, (_, index) => insistently(() => ask(index))));

const refusals = (answers: readonly Answer<unknown>[]): string[] =>
  answers
    .filter(({ status }) => status >= 400)
    .map(({ status, body }) => {
      const { code, reason } = body as Problem;
      return `${status} ${code} ${reason ?? ""}`;
    });

const times = (count: number, text: string): string[] => Array.from({ length: count }, () => text);

describe("the quotas of one account", () => {
  it("AB4 limit the servers it owns and the servers it creates in an hour", async () => {
    const hoarder = await register(server.url, "hoarder");
    const made = await inParallel(9, (index) =>
      as(hoarder).post<JoinedServer>("/api/servers", { name: `Hoard ${index}` }),
    );
    expect(refusals(made)).toEqual(times(5, "403 QUOTA_EXCEEDED servers_owned"));
    const kept = made.filter(({ status }) => status === 201).map(({ body }) => body.id);
    const statuses: string[] = [];
    for (let round = 0; round < 8; round += 1) {
      const [id = ""] = kept.splice(0, 1);
      expect((await insistently(() => as(hoarder).delete(`/api/servers/${id}`))).status).toBe(204);
      const answer = await insistently(() =>
        as(hoarder).post<JoinedServer>("/api/servers", { name: "Again" }),
      );
      statuses.push(...refusals([answer]));
      if (answer.status !== 201) break;
      kept.push(answer.body.id);
    }
    expect(statuses).toEqual(["403 QUOTA_EXCEEDED servers_made"]);
  });

  it("AB4 limit a server's channels, invites and bans", async () => {
    const place = await make({ name: "The hall" });
    const path = `/api/servers/${place.id}`;
    const channels = Array.from({ length: 201 }, (_, index) => ({ name: `c${index}` }));
    expect(refusals([await as(owner).put(path, { channels })])).toEqual(["403 QUOTA_EXCEEDED channels"]);
    expect((await enter(place, member)).status).toBe(200);
    const invites = await inParallel(13, () => as(member).post(`${path}/invites`));
    expect(refusals(invites)).toEqual(times(3, "403 QUOTA_EXCEEDED invites_member"));
    const others = await inParallel(6, () => as(owner).post(`${path}/invites`));
    expect(refusals(others)).toEqual(times(2, "403 QUOTA_EXCEEDED invites"));
    const bans = await inParallel(15, () => as(owner).put(`${path}/bans/${crypto.randomUUID()}`));
    expect(refusals(bans)).toEqual(times(3, "403 QUOTA_EXCEEDED bans"));
    const refused = bans.find(({ status }) => status === 403) as Answer<Problem>;
    expect(refused.body.detail).toContain("12");
  });

  it("AB3 lists omit channels; reading, joining and creating a server return them", async () => {
    const place = await make({ name: "Lighthouse", tags: ["lamp"] });
    expect(place.channels).toHaveLength(2);
    const lists = ["", "?tag=lamp", "/trending", "/search?q=lighthouse", "/mine"];
    for (const list of lists) {
      const page = await as(owner).get<Page<ServerSummary>>(`/api/servers${list}`);
      expect(page.body.items.map(({ id }) => id)).toContain(place.id);
      for (const item of page.body.items) expect(item).not.toHaveProperty("channels");
    }
    expect((await publicly<Server>(`/api/servers/${place.id}`)).channels).toEqual(place.channels);
    expect((await enter(place, member)).body.channels).toEqual(place.channels);
    await as(owner).delete(`/api/servers/${place.id}`);
  });

  it("DI6 joining and leaving in a loop is limited like joining many servers", async () => {
    const place = await make({ name: "Revolving door" });
    const spinner = await register(server.url, "spinner");
    const limited: string[] = [];
    for (let round = 0; round < 40 && limited.length === 0; round += 1) {
      const answer = await enter(place, spinner);
      if (answer.status === 429) limited.push((answer.body as unknown as Problem).code);
      else await as(spinner).post(`/api/servers/${place.id}/leave`);
    }
    expect(limited).toEqual(["RATE_LIMITED"]);
    await as(owner).delete(`/api/servers/${place.id}`);
  });
});

describe("invites that stop working", () => {
  const setting = async (visibility: string) => {
    const place = await make({ name: "The den", visibility });
    const path = `/api/servers/${place.id}`;
    const people = {
      moderator: await register(server.url, freshName("mod")),
      plain: await register(server.url, freshName("plain")),
    };
    const own = (await as(owner).post<Invite>(`${path}/invites`)).body;
    for (const who of [people.moderator, people.plain])
      expect((await enter(place, who, { inviteCode: own.code })).status).toBe(200);
    await as(owner).put(`${path}/members/${people.moderator.id}`, { role: "moderator" });
    const by = async (who: Credential): Promise<string> =>
      (await as(who).post<Invite>(`${path}/invites`)).body.code;
    const opens = async (code: string): Promise<boolean> => {
      const guest = await register(server.url, freshName("guest"));
      return (await enter(place, guest, { inviteCode: code })).status === 200;
    };
    const listed = async (): Promise<string[]> =>
      (await as(owner).get<Page<Invite>>(`${path}/invites`)).body.items.map(({ code }) => code);
    return { place, path, ...people, own: own.code, by, opens, listed };
  };

  it("AB9 a plain member's old invite does not open a server that has become private", async () => {
    const { path, moderator, plain, own, by, opens, listed } = await setting("public");
    const [theirs, staffs] = [await by(plain), await by(moderator)];
    expect(await listed()).toEqual([staffs, theirs, own]);
    expectProblem(await as(plain).get(`${path}/invites`), "FORBIDDEN");
    expect((await as(owner).put(path, { visibility: "private" })).status).toBe(200);
    expect([await opens(theirs), await opens(staffs), await opens(own)]).toEqual([false, true, true]);
    expect(await listed()).toEqual([staffs, own]);
    expectProblem(await call(server.url, "GET", `/api/invites/${theirs}`), "NOT_FOUND");
    expect((await as(moderator).delete(`/api/invites/${own}`)).status).toBe(204);
    expect(await listed()).toEqual([staffs]);
    await as(owner).delete(path);
  });

  it("AB9 a private server's moderator loses their invites by demotion, leaving, removal or a ban", async () => {
    const { path, moderator, plain, own, by, opens, listed } = await setting("private");
    const promote = (who: Credential, role: string) => as(owner).put(`${path}/members/${who.id}`, { role });
    const ends: readonly ((who: Credential) => Promise<unknown>)[] = [
      (who) => promote(who, "member"),
      (who) => as(who).post(`${path}/leave`),
    ];
    for (const [index, end] of ends.entries()) {
      const who = index === 0 ? moderator : plain;
      await promote(who, "moderator");
      const code = await by(who);
      expect(await opens(code)).toBe(true);
      await end(who);
      expect(await opens(code)).toBe(false);
    }
    await promote(moderator, "moderator");
    expect(await listed()).toEqual([own]);
    const code = await by(moderator);
    await as(owner).put(`${path}/bans/${moderator.id}`);
    expect(await opens(code)).toBe(false);
    await as(owner).delete(path);
  });
});

describe("what strangers can learn", () => {
  it("DI2 every route answers alike for a private server and for one that does not exist", async () => {
    const hidden = await make({ name: "Hidden", visibility: "private" });
    const routes: readonly (readonly [method: string, path: string, body?: object])[] = [
      ["GET", ""],
      ["PUT", "", { description: "x" }],
      ["DELETE", ""],
      ["POST", "/join", {}],
      ["POST", "/join", { inviteCode: "AAAAAAAAAA" }],
      ["POST", "/leave", {}],
      ["POST", "/transfer", { userId: stranger.id }],
      ["GET", "/members"],
      ["PUT", `/members/${owner.id}`, { role: "member" }],
      ["DELETE", `/members/${owner.id}`],
      ["GET", "/bans"],
      ["PUT", `/bans/${owner.id}`, {}],
      ["DELETE", `/bans/${owner.id}`],
      ["GET", "/invites"],
      ["POST", "/invites", {}],
      ["GET", "/requests"],
      ["GET", "/plugins"],
      ["PUT", "/plugins/p", { version: "1", required: "optional" }],
      ["DELETE", "/plugins/p"],
    ];
    const told = async (id: string, [method, rest, body]: (typeof routes)[number]) => {
      const options = { token: stranger.token, ...(body && { body }) };
      const answer = await insistently(() =>
        call<Problem>(server.url, method, `/api/servers/${id}${rest}`, options),
      );
      const { code, detail, title, reason } = answer.body;
      return { method, rest, status: answer.status, code, detail, title, reason };
    };
    for (const route of routes) {
      const real = await told(hidden.id, route);
      expect(real).toEqual(await told(crypto.randomUUID(), route));
      expect([403, 404]).toContain(real.status);
    }
    await as(owner).delete(`/api/servers/${hidden.id}`);
  });
});

describe("deleting an account", () => {
  const leaver = async (name: string) => {
    const who = await register(server.url, name);
    const place = await make({ name: `Of ${name}` }, who);
    const joined = await make({ name: `Joined by ${name}` });
    expect((await enter(joined, who)).status).toBe(200);
    const end = async (ownedServers: string): Promise<void> => {
      const body = { currentPassword: PASSWORD, ownedServers };
      const answer = await call(server.url, "DELETE", "/api/users/me", { token: who.token, body });
      expect(answer.status).toBe(204);
    };
    const soon = async (isSo: () => Promise<boolean>): Promise<void> => {
      for (let left = 50; !(await isSo()); left -= 1) {
        if (left === 0) throw new Error("It did not become so within 5 s");
        await wait(100);
      }
    };
    const cleanUp = () => as(owner).delete(`/api/servers/${joined.id}`);
    return { who, place, joined, end, soon, cleanUp };
  };

  it("AB12 transfers its servers to the longest-standing member and removes its memberships", async () => {
    const { who, place, joined, end, soon, cleanUp } = await leaver("leaver");
    for (const heir of [member, stranger]) expect((await enter(place, heir)).status).toBe(200);
    const told = await as(who).get<AccountExport>("/api/users/me/export");
    expect(told.body.discovery).toMatchObject({
      memberships: [
        { serverId: place.id, role: "owner" },
        { serverId: joined.id, role: "member" },
      ],
      serversOwned: [{ serverId: place.id }],
    });
    await end("transfer");
    const path = `/api/servers/${place.id}`;
    await soon(async () => (await publicly<Server>(path)).ownerId === member.id);
    await soon(async () => (await publicly<Server>(path)).memberCount === 2);
    await soon(async () => (await publicly<Server>(`/api/servers/${joined.id}`)).memberCount === 1);
    expect((await as(member).delete(path)).status).toBe(204);
    await cleanUp();
  });

  it("AB12 deletes its servers when the user chose that", async () => {
    const { place, end, soon, cleanUp } = await leaver("burner");
    expect((await enter(place, member)).status).toBe(200);
    await end("delete");
    await soon(async () => (await call(server.url, "GET", `/api/servers/${place.id}`)).status === 404);
    await cleanUp();
  });
});
