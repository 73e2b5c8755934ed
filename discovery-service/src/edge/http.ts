import type { moderationRoutes, pluginRoutes, requestRoutes, serverRoutes } from "@hearth/contracts";
import type { Actor, Handlers } from "@hearth/runtime";
import { visibleServer } from "../domain/access.ts";
import type { Accounts } from "../domain/membership/accounts.ts";
import type { Bans } from "../domain/membership/bans.ts";
import type { Directory } from "../domain/directory/directory.ts";
import type { Invites } from "../domain/membership/invites.ts";
import type { Listings } from "../domain/directory/listings.ts";
import type { Memberships } from "../domain/membership/membership.ts";
import type { Plugins } from "../domain/directory/plugins.ts";
import type { Person } from "../domain/ports.ts";
import type { JoinedView, Presentation } from "../domain/presentation.ts";
import type { Requests } from "../domain/membership/requests.ts";
import type { Roster } from "../domain/membership/roster.ts";
import type { Membership } from "../domain/records.ts";
import type { Store } from "../domain/store.ts";

export interface Discovery {
  readonly store: Store;
  readonly presentation: Presentation;
  readonly listings: Listings;
  readonly directory: Directory;
  readonly memberships: Memberships;
  readonly roster: Roster;
  readonly bans: Bans;
  readonly invites: Invites;
  readonly requests: Requests;
  readonly plugins: Plugins;
  readonly accounts: Accounts;
}

const personOf = ({ userId, username, displayName }: Actor): Person => ({ userId, username, displayName });

/** Ids are stored in lower case. The user may be unknown to this service. */
const idOf = (userId: string): string => userId.toLowerCase();

const done = async (work: Promise<void>): Promise<undefined> => {
  await work;
  return undefined;
};

async function joinedView(presentation: Presentation, membership: Membership): Promise<JoinedView> {
  const { role, joinedAt } = membership.member;
  return { ...(await presentation.server(membership.server)), role, joinedAt };
}

const findHandlers = ({ store, listings, presentation }: Discovery) =>
  ({
    list: ({ query: { tag, ...page } }) => listings.newest(page, tag),
    featured: ({ query }) => listings.featured(query),
    trending: ({ query }) => listings.trending(query),
    search: ({ query: { q, ...page } }) => listings.search(q, page),
    mine: ({ actor, query }) => listings.mine(actor.userId, query),
    get: async ({ actor, params }) =>
      presentation.server(await visibleServer(store, params.id, actor?.userId ?? null)),
  }) satisfies Partial<Handlers<typeof serverRoutes>>;

export const serverHandlers = (discovery: Discovery): Handlers<typeof serverRoutes> => {
  const { directory, memberships, roster, presentation } = discovery;
  return {
    ...findHandlers(discovery),
    create: async ({ actor, body }) =>
      joinedView(presentation, await directory.create(personOf(actor), body)),
    update: async ({ actor, params, body }) =>
      presentation.server(await directory.update(actor.userId, params.id, body)),
    remove: ({ actor, params }) => done(directory.remove(actor.userId, params.id)),
    join: async ({ actor, params, body, reportQuota }) => {
      const joined = await memberships.join(personOf(actor), params.id, body.inviteCode);
      if (joined.quota !== null) reportQuota(joined.quota);
      return joinedView(presentation, joined);
    },
    leave: ({ actor, params }) => done(memberships.leave(actor.userId, params.id)),
    transfer: async ({ actor, params, body }) =>
      presentation.server(await roster.transfer(actor.userId, params.id, idOf(body.userId))),
    members: ({ actor, params, query }) => roster.list(actor.userId, params.id, query),
    setRole: ({ actor, params, body }) =>
      roster.setRole(actor.userId, params.id, idOf(params.userId), body.role),
    removeMember: ({ actor, params }) => done(roster.remove(actor.userId, params.id, idOf(params.userId))),
  };
};

export const moderationHandlers = ({ bans, invites }: Discovery): Handlers<typeof moderationRoutes> => ({
  listBans: ({ actor, params, query }) => bans.list(actor.userId, params.id, query),
  ban: ({ actor, params, body }) => bans.ban(actor.userId, params.id, idOf(params.userId), body),
  unban: ({ actor, params }) => done(bans.lift(actor.userId, params.id, idOf(params.userId))),
  createInvite: ({ actor, params, body }) => invites.create(actor.userId, params.id, body),
  listInvites: ({ actor, params, query }) => invites.list(actor.userId, params.id, query),
  getInvite: ({ params }) => invites.preview(params.code),
  deleteInvite: ({ actor, params }) => done(invites.withdraw(actor.userId, params.code)),
});

export const requestHandlers = ({ requests }: Discovery): Handlers<typeof requestRoutes> => ({
  createRequest: ({ actor, params, body }) => requests.create(personOf(actor), params.id, body.message),
  listRequests: ({ actor, params, query }) => requests.list(actor.userId, params.id, query),
  decideRequest: ({ actor, params, body }) => requests.decide(actor.userId, params.id, body.status),
});

export const pluginHandlers = ({ plugins }: Discovery): Handlers<typeof pluginRoutes> => ({
  listPlugins: ({ actor, params }) => plugins.list(actor?.userId ?? null, params.id),
  putPlugin: ({ actor, params, body }) => plugins.put(actor.userId, params.id, params.pluginId, body),
  deletePlugin: ({ actor, params }) => done(plugins.remove(actor.userId, params.id, params.pluginId)),
});
