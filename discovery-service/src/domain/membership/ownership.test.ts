import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { moderationRoutes, pluginRoutes, requestRoutes, serverRoutes } from "@hearth/contracts";
import type { RouteContract, Visibility } from "@hearth/contracts";
import {
  AMPLE_QUOTAS,
  aBan,
  aPlugin,
  aRequest,
  anEnding,
  anEntry,
  anInvite,
  aMember,
  storedServer,
} from "../../testing/records.ts";
import { startDiscovery } from "../../testing/service.ts";
import type { TestDiscovery } from "../../testing/service.ts";

const routes = { ...serverRoutes, ...moderationRoutes, ...requestRoutes, ...pluginRoutes };
type RouteName = keyof typeof routes;
type Protected = {
  [Name in RouteName]: (typeof routes)[Name]["auth"] extends "bearer" ? Name : never;
}[RouteName];
type Attacker = "stranger" | "member";

/** What somebody without the right gets: a stranger to a private server, a stranger to an open one, a plain member. */
interface Refusals {
  readonly body?: unknown;
  readonly secret: number;
  readonly open: number;
  readonly member: number;
}

/** The attacker's own affair, which touches nothing of anybody else. */
const OWN = 0;

/** Every route that needs a token, by name: the compiler asks for a line for each new one. */
const table: Readonly<Record<Protected, Refusals>> = {
  mine: { secret: OWN, open: OWN, member: OWN },
  create: { secret: OWN, open: OWN, member: OWN },
  update: { body: { name: "Stolen", visibility: "public", tags: [] }, secret: 404, open: 403, member: 403 },
  remove: { secret: 404, open: 403, member: 403 },
  join: { body: {}, secret: 403, open: OWN, member: OWN },
  leave: { secret: 404, open: 404, member: OWN },
  transfer: { body: { userId: "ATTACKER" }, secret: 404, open: 403, member: 403 },
  members: { secret: 404, open: 403, member: OWN },
  setRole: { body: { role: "moderator" }, secret: 404, open: 403, member: 403 },
  removeMember: { secret: 404, open: 403, member: 403 },
  listBans: { secret: 404, open: 403, member: 403 },
  ban: { body: { reason: "x" }, secret: 404, open: 403, member: 403 },
  unban: { secret: 404, open: 403, member: 403 },
  createInvite: { body: {}, secret: 404, open: 403, member: OWN },
  listInvites: { secret: 404, open: 403, member: 403 },
  deleteInvite: { secret: 404, open: 403, member: 403 },
  createRequest: { body: {}, secret: OWN, open: 409, member: 409 },
  listRequests: { secret: 404, open: 403, member: 403 },
  decideRequest: { body: { status: "approved" }, secret: 404, open: 404, member: 403 },
  putPlugin: { body: { version: "6", required: "required" }, secret: 404, open: 403, member: 403 },
  deletePlugin: { secret: 404, open: 403, member: 403 },
};

const cases = (Object.keys(table) as Protected[]).flatMap((name) =>
  (["private", "public", "unlisted"] as const).flatMap((visibility) =>
    (["stranger", "member"] as const).flatMap((attacker) => {
      const { secret, open, member } = table[name];
      const outside = visibility === "private" ? secret : open;
      const expected = attacker === "member" ? member : outside;
      const invitesToPrivate = name === "createInvite" && attacker === "member" && visibility === "private";
      const status = invitesToPrivate ? 403 : expected;
      return status === OWN ? [] : [{ name, visibility, attacker, status }];
    }),
  ),
);

describe("S11 another user's server", () => {
  let discovery: TestDiscovery;
  beforeAll(async () => {
    discovery = await startDiscovery();
  });
  afterAll(() => discovery.stop());

  /** A server with one of everything, and somebody who has no right to any of it. */
  async function scene(visibility: Visibility, attacker: Attacker) {
    const { store } = discovery;
    const user = discovery.user("Mallory");
    const { server, owner } = await storedServer(store, { visibility });
    const asked = { ...server, visibility: "private", version: 2 } as const;
    await store.servers.update(owner, asked);
    const request = aRequest(server.id);
    await store.requests.create(request);
    await store.servers.update(owner, { ...asked, visibility, version: 3 });
    const invite = anInvite(server.id, { createdBy: owner.userId });
    await store.invites.create(invite, owner, AMPLE_QUOTAS);
    const victim = aMember(server.id);
    const entering = attacker === "member" ? [victim, aMember(server.id, { userId: user.userId })] : [victim];
    for (const member of entering) {
      await store.members.add(anEntry(member, { visibility, inviteCode: invite.code }));
    }
    const ban = aBan(server.id);
    const ending = anEnding(server.id, ban.userId);
    await store.bans.put(ban, null, null, owner, ending, AMPLE_QUOTAS);
    // Otherwise the service would announce it as abandoned in the middle of a slow run.
    await store.endings.forget(ending.id);
    const plugin = aPlugin(server.id);
    await store.plugins.put(plugin, null, owner);

    const pathOf = ({ operationId, path }: RouteContract): string => {
      const userId = operationId === "unbanUser" ? ban.userId : victim.userId;
      const id = path.startsWith("/api/requests/") ? request.id : server.id;
      return path
        .replace(":id", id)
        .replace(":userId", userId)
        .replace(":code", invite.code)
        .replace(":pluginId", plugin.pluginId);
    };
    const everything = async () => ({
      server: await store.servers.find(server.id),
      members: await store.members.list(server.id, { after: null, limit: 99 }),
      bans: await store.bans.list(server.id, { after: null, limit: 99 }, 0),
      ban: await store.bans.find(server.id, victim.userId),
      request: await store.requests.find(request.id),
      requests: await store.requests.listPending(server.id, { after: null, limit: 99 }),
      invite: await store.invites.find(invite.code),
      plugins: await store.plugins.list(server.id),
    });
    return { user, pathOf, everything };
  }

  it("S11 covers every route of discovery that needs a token", () => {
    const wanted = Object.entries(routes).filter(([, route]) => route.auth === "bearer");
    expect(Object.keys(table).sort()).toEqual(wanted.map(([name]) => name).sort());
    const all: readonly RouteContract[] = Object.values(routes);
    const open = all.filter(({ auth, method }) => auth !== "bearer" && method !== "get");
    expect(open).toEqual([]);
  });

  it.each(cases)(
    "S11 $name of a $visibility server is refused to a $attacker with $status, and changes nothing",
    async ({ name, visibility, attacker, status }) => {
      const { user, pathOf, everything } = await scene(visibility, attacker);
      const route: RouteContract = routes[name];
      const { body } = table[name];
      const sent = name === "transfer" ? { userId: user.userId } : body;
      const before = await everything();
      await discovery.events();
      const answer = await user.send(route.method.toUpperCase(), pathOf(route), sent);
      expect(answer.status).toBe(status);
      expect(await everything()).toEqual(before);
      expect(await discovery.events()).toEqual([]);
      const nobody = await discovery.anybody(route.method.toUpperCase(), pathOf(route), sent);
      expect(nobody.status).toBe(401);
      expect(await everything()).toEqual(before);
    },
  );
});
