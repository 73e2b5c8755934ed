import type { AccessRequest, Credential, Invite, JoinedServer, SessionInfo } from "@hearth/contracts";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { call, expectOk, PASSWORD, register, requestText, sendRaw } from "../../src/client/index.ts";
import { ApiDocument, type Operation, type RawDocument } from "../../src/openapi/document.ts";
import { type Values, type Visit, Visits } from "../../src/openapi/visits.ts";
import { serverForTests } from "../../src/server/for-tests.ts";

const server = serverForTests();
let api: ApiDocument;
let visits: Visits;
let owner: Credential;
let member: Credential;
let stranger: Credential;

beforeAll(async () => {
  [owner, member, stranger] = (await Promise.all(
    ["owner", "member", "stranger"].map((name) => register(server.url, name)),
  )) as [Credential, Credential, Credential];
  api = new ApiDocument(await expectOk<RawDocument>(server.url, "GET", "/api/openapi.json"));
  visits = new Visits(server.url, api);
});

const visit = <Body = unknown>(id: string, status: number, options?: Visit): Promise<Body> =>
  visits.visit<Body>(id, status, options);

const as = ({ token }: Credential) => ({ token });

/** Uses one's own account, so that nothing else causes a refusal. */
const ownParams = ({ path }: Operation): Values =>
  path.includes("device-tokens") ? { userId: owner.id, deviceId: "none" } : {};

/** Operations whose 403 has another reason than ownership. */
const NOT_FOR_BEING_ANOTHERS = [
  ...["createServer", "createRequest", "decideRequest", "deleteInvite", "joinServer"],
  ...["register", "login", "resetPassword", "blockUser"],
];

describe("a walk through all operations", () => {
  it("GW7 every operation answers bad tokens, bodies and parameters as documented", async () => {
    for (const operation of api.operations) {
      const { id, parameters } = operation;
      const options = { params: ownParams(operation), ...as(owner) };
      if (operation.needsToken) {
        await visit(id, 401, { params: options.params });
        await visit(id, 401, { params: options.params, token: "0".repeat(64) });
      }
      if (operation.body !== undefined) {
        await visit(id, 415, { ...options, raw: "{}", headers: { "content-type": "text/plain" } });
        await visit(id, 413, { ...options, body: { x: "x".repeat(300_000) } });
        await visit(id, 400, { ...options, raw: "{", headers: { "content-type": "application/json" } });
      }
      for (const { name, in: place } of parameters) {
        if (place === "path")
          await visit(id, 400, { ...options, params: { ...options.params, [name]: "no id of ours!" } });
        if (name === "limit") await visit(id, 400, { ...options, query: { limit: "many", q: "x" } });
        // Operations that look up a record first return 404 first.
        if (name === "cursor" && !operation.path.includes("{"))
          await visit(id, 400, { ...options, query: { cursor: "nonsense", q: "x" } });
      }
      if (operation.needsToken && parameters.length === 0 && operation.body === undefined) {
        const two = [owner, member].map(({ token }) => `Authorization: Bearer ${token}`);
        const raw = await sendRaw(
          server.url,
          requestText(server.url, operation.method.toUpperCase(), operation.path, two),
        );
        visits.expectDocumented(operation, { ...raw, headers: new Headers(raw.headers) });
      }
    }
  }, 120_000);

  it("DI3 every operation on something missing or foreign answers as documented", async () => {
    const room = await visit<JoinedServer>("createServer", 201, { ...as(owner), body: { name: "Open" } });
    for (const operation of api.operations) {
      const { id, statuses, body, path } = operation;
      const params = ownParams(operation);
      const options = { ...as(owner), ...(body !== undefined && { body }) };
      const code = path.includes("invites/{code}") ? { code: "AAAAAAAA1" } : {};
      const query: Values = path.includes("{") ? {} : { cursor: `e30.${"A".repeat(16)}`, q: "x" };
      if (statuses.includes(404)) await visit(id, 404, { ...options, params: { ...params, ...code }, query });
      if (!statuses.includes(403) || NOT_FOR_BEING_ANOTHERS.includes(id)) continue;
      const theirs = path.includes("device-tokens")
        ? { userId: stranger.id, deviceId: "none" }
        : { id: room.id, pluginId: "p" };
      await visit(id, 403, { ...options, ...as(member), params: theirs });
    }
  }, 120_000);

  it("AU1 AU5 AU7 accounts, sessions and device tokens", async () => {
    const body = { username: "walker", password: PASSWORD };
    const walker = await visit<Credential>("register", 201, { body });
    await visit("register", 409, { body });
    await visit("login", 200, { body });
    await visit("login", 401, { body: { ...body, password: "a good guess" } });
    for (let tries = 0; tries < 9; tries += 1)
      await call(server.url, "POST", "/api/users/login", { body: { ...body, password: "wrong" } });
    await visit("login", 429, { body });
    await visit("getAccount", 200, as(walker));
    await visit("updateAccount", 200, { ...as(walker), body: { displayName: "Walker" } });
    const sessions = await visit<SessionInfo[]>("listSessions", 200, as(walker));
    const other = sessions.find(({ current }) => !current)?.id ?? "";
    await visit("endSession", 204, { ...as(walker), params: { id: other } });
    const fresh = { currentPassword: PASSWORD };
    const second = await register(server.url, "walker2");
    await visit("endOtherSessions", 204, { ...as(second), body: fresh });
    await visit("endOtherSessions", 401, { ...as(second), body: { currentPassword: "wrong" } });
    await visit("changePassword", 401, {
      ...as(second),
      body: { currentPassword: "wrong", newPassword: "another secret" },
    });
    await visit("changePassword", 204, { ...as(second), body: { ...fresh, newPassword: "another secret" } });
    const params = { userId: walker.id, deviceId: "phone:1" };
    const push = { platform: "android", token: "push" };
    await visit("putDeviceToken", 200, { ...as(walker), params, body: push });
    const more = { ...as(walker), body: push };
    for (let devices = 2; ; devices += 1) {
      const answer = await call(server.url, "PUT", `/api/users/device-tokens/${walker.id}/d${devices}`, more);
      if (answer.status === 200) continue;
      await visit("putDeviceToken", 403, { ...more, params: { ...params, deviceId: `d${devices}` } });
      break;
    }
    await visit("listDeviceTokens", 200, { ...as(walker), params });
    await visit("deleteDeviceToken", 204, { ...as(walker), params });
    await visit("logout", 204, as(walker));
  }, 60_000);

  it("AB11 AB12 registration, blocks, reports, export and deletion of an account", async () => {
    await visit("getRegistration", 200);
    const leaver = await register(server.url, "leaver");
    await visit("exportAccount", 200, as(leaver));
    const params = { userId: stranger.id };
    await visit("blockUser", 204, { ...as(leaver), params });
    await visit("listBlocks", 200, as(leaver));
    await visit("unblockUser", 204, { ...as(leaver), params });
    await visit("reportUser", 204, { ...as(leaver), body: { userId: stranger.id, reason: "other" } });
    const code = { code: "a-code-that-nobody-made", newPassword: PASSWORD };
    await visit("resetPassword", 403, { body: code });
    const gone = { currentPassword: PASSWORD, ownedServers: "delete" };
    await visit("deleteAccount", 401, { ...as(leaver), body: { ...gone, currentPassword: "wrong" } });
    await visit("deleteAccount", 204, { ...as(leaver), body: gone });
  }, 60_000);

  it("DI2 DI3 servers and their members", async () => {
    const room = await visit<JoinedServer>("createServer", 201, {
      ...as(owner),
      body: {
        name: "Walked",
        tags: ["walk"],
        iconHash: "abc",
        channels: [{ name: "a" }, { name: "b", kind: "voice" }],
      },
    });
    const params = { id: room.id };
    for (const id of ["listServers", "listFeaturedServers", "listTrendingServers"])
      await visit(id, 200, { query: { limit: "1" } });
    await visit("searchServers", 200, { query: { q: "walked" } });
    await visit("searchServers", 400, {});
    await visit("listMyServers", 200, as(owner));
    await visit("getServer", 200, { params });
    await visit("updateServer", 200, {
      ...as(owner),
      params,
      body: { description: "walked", version: room.version },
    });
    await visit("updateServer", 409, {
      ...as(owner),
      params,
      body: { description: "again", version: room.version },
    });
    await visit("joinServer", 200, { ...as(member), params, body: {} });
    await visit("listMembers", 200, { ...as(member), params });
    await visit("setRole", 200, {
      ...as(owner),
      params: { ...params, userId: member.id },
      body: { role: "moderator" },
    });
    await visit("setRole", 409, {
      ...as(owner),
      params: { ...params, userId: owner.id },
      body: { role: "member" },
    });
    await visit("transferServer", 409, { ...as(owner), params, body: { userId: stranger.id } });
    await visit("transferServer", 200, { ...as(owner), params, body: { userId: member.id } });
    await visit("transferServer", 200, { ...as(member), params, body: { userId: owner.id } });
    await visit("leaveServer", 409, { ...as(owner), params });
    await visit("leaveServer", 204, { ...as(member), params });
    await visit("joinServer", 200, { ...as(member), params });
    await visit("removeMember", 204, { ...as(owner), params: { ...params, userId: member.id } });
    const target = { ...params, userId: member.id };
    await visit("banUser", 409, { ...as(owner), params: target, body: { expiresAt: 1 } });
    await visit("banUser", 200, {
      ...as(owner),
      params: target,
      body: { reason: "walked", expiresAt: Date.now() + 60_000 },
    });
    await visit("joinServer", 403, { ...as(member), params, body: {} });
    await visit("listBans", 200, { ...as(owner), params });
    await visit("unbanUser", 204, { ...as(owner), params: target });
    await visit("deleteServer", 204, { ...as(owner), params });
  });

  it("DI3 DI4 DI5 invites, requests and plugins", async () => {
    const club = await visit<JoinedServer>("createServer", 201, {
      ...as(owner),
      body: { name: "Club", visibility: "private" },
    });
    const channels = Array.from({ length: 201 }, (_, index) => ({ name: `c${index}` }));
    await visit("createServer", 403, { ...as(owner), body: { name: "Too many", channels } });
    const params = { id: club.id };
    const invite = await visit<Invite>("createInvite", 201, {
      ...as(owner),
      params,
      body: { maxUses: 5, expiresAt: Date.now() + 60_000 },
    });
    await visit("createInvite", 409, { ...as(owner), params, body: { expiresAt: 1 } });
    const endless = await visit<Invite>("createInvite", 201, { ...as(owner), params });
    await visit("listInvites", 200, { ...as(owner), params });
    await visit("getInvite", 200, { params: { code: invite.code } });
    await visit("joinServer", 403, { ...as(member), params });
    await visit("joinServer", 200, { ...as(member), params, body: { inviteCode: invite.code } });
    await visit("deleteInvite", 403, { ...as(member), params: { code: invite.code } });
    await visit("deleteInvite", 204, { ...as(owner), params: { code: endless.code } });
    const request = await visit<AccessRequest>("createRequest", 201, {
      ...as(stranger),
      params,
      body: { message: "please" },
    });
    await visit("createRequest", 409, { ...as(stranger), params });
    await visit("listRequests", 200, { ...as(owner), params });
    const decision = { params: { id: request.id }, body: { status: "rejected" } };
    await visit("decideRequest", 403, { ...as(member), ...decision });
    await visit("decideRequest", 200, { ...as(owner), ...decision });
    await visit("decideRequest", 409, { ...as(owner), ...decision });
    await visit("banUser", 200, { ...as(owner), params: { ...params, userId: stranger.id } });
    await visit("createRequest", 403, { ...as(stranger), params });
    const plugin = { params: { ...params, pluginId: "map" }, body: { version: "1", required: "optional" } };
    await visit("putPlugin", 200, { ...as(owner), ...plugin });
    await visit("listPlugins", 200, { ...as(owner), params });
    await visit("deletePlugin", 204, { ...as(owner), params: plugin.params });
    for (let count = 0; count < 100; count += 1) {
      await expectOk(server.url, "PUT", `/api/servers/${club.id}/plugins/p${count}`, {
        ...as(owner),
        body: plugin.body,
      });
    }
    await visit("putPlugin", 409, { ...as(owner), ...plugin });
    await visit("getHealth", 200);
  }, 60_000);

  it("GW1 covers every operation and every response that can be caused from outside", () => {
    // Internal failures, limits that other suites cover, and races within one account.
    const elsewhere = (status: number): boolean => status === 429 || status >= 500;
    const races = ["updateAccount 409", "changePassword 409", "putDeviceToken 409"];
    // Needs the operator: accounts/operator.test.ts.
    const ordered = [
      "getRegistration 400",
      "register 403",
      "login 403",
      "resetPassword 200",
      "blockUser 403",
      "createServer 403",
    ];
    // Needs a used-up quota: abuse/discovery.test.ts.
    const others = new Set([...races, ...ordered, "createServer 403"]);
    const missing = api.operations.flatMap(({ id, statuses }) =>
      statuses
        .filter((status) => !elsewhere(status) && !visits.hasSeen(id, status))
        .map((status) => `${id} ${status}`)
        .filter((each) => !others.has(each)),
    );
    expect(missing).toEqual([]);
    expect(visits.hasSeen("login", 429)).toBe(true);
  });
});
