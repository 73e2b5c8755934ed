import { authSubjects, discoverySubjects, healthSubject, presenceSubjects } from "@hearth/contracts";
import type { Bus, Clock, Subscription } from "@hearth/runtime";
import { isInForce } from "../domain/membership/bans.ts";
import type { Accounts } from "../domain/membership/accounts.ts";
import type { Memberships } from "../domain/membership/membership.ts";
import type { OnlineCountsDeps } from "../domain/online.ts";
import type { SearchIndex } from "../domain/directory/search.ts";
import type { Store } from "../domain/store.ts";
import { messagePoints } from "../domain/trending.ts";

export interface BusDeps {
  readonly bus: Bus;
  readonly store: Store;
  readonly clock: Clock;
  readonly memberships: Memberships;
  readonly accounts: Accounts;
  readonly index: SearchIndex;
  readonly ready: () => boolean;
}

/** How long a page of servers waits for presence at most. */
const PRESENCE_TIMEOUT_MS = 300;

export const askPresence =
  (bus: Bus): OnlineCountsDeps["ask"] =>
  async (serverIds) => {
    const question = { serverIds: [...serverIds] };
    return (await bus.request(presenceSubjects.online, question, { timeoutMs: PRESENCE_TIMEOUT_MS })).counts;
  };

/** How a membership ended according to the records; `null` if it has not ended. */
async function endOf(
  store: Store,
  asked: { readonly serverId: string; readonly userId: string },
  now: number,
) {
  const { serverId, userId } = asked;
  const found = await store.members.serverAndMember(serverId, userId);
  if (found === null) return { ...asked, reason: "deleted" as const };
  if (found.member !== null) return null;
  const ban = await store.bans.find(serverId, userId);
  const isBanned = ban !== null && isInForce(ban, now);
  return { ...asked, reason: isBanned ? ("banned" as const) : ("removed" as const) };
}

const answerRequests = ({
  bus,
  store,
  clock,
  memberships,
  accounts,
  ready,
}: BusDeps): readonly Subscription[] => [
  bus.answer(discoverySubjects.join, async ({ serverId, username = null, ...user }) => {
    const person = { ...user, username };
    const { server, member, becameMember } = await memberships.join(person, serverId);
    return { role: member.role, becameMember, channels: server.channels };
  }),
  bus.answer(discoverySubjects.shared, async ({ userId, otherUserId }) => ({
    shared: userId === otherUserId || (await store.members.shareServer(userId, otherUserId)),
  })),
  bus.answer(discoverySubjects.exportUser, async ({ userId }) => ({ data: await accounts.export(userId) })),
  bus.answer(discoverySubjects.ended, async ({ memberships: asked }) => {
    const answered = await Promise.all(asked.map((membership) => endOf(store, membership, clock.now())));
    return { ended: answered.filter((ending) => ending !== null) };
  }),
  bus.answer(healthSubject("discovery"), async () => ({ ready: ready() })),
];

/** Every replica keeps its own search index. After a reconnect it may have missed events. */
const updateIndex = ({ bus, index }: BusDeps): readonly Subscription[] => [
  bus.onReconnect(() => index.markStale()),
  bus.subscribe(discoverySubjects.serverUpdated, ({ server }) => index.changed(server.id)),
  ...[
    discoverySubjects.serverDeleted,
    discoverySubjects.membershipEnded,
    discoverySubjects.memberUpdated,
  ].map((subject) => bus.subscribe<{ serverId: string }>(subject, ({ serverId }) => index.changed(serverId))),
];

/** One replica updates the records. */
const updateRecords = ({ bus, store, clock, accounts }: BusDeps): readonly Subscription[] => [
  bus.subscribe(
    authSubjects.userUpdated,
    ({ userId, displayName }) => store.members.rename(userId, displayName),
    { queue: "discovery" },
  ),
  bus.subscribe(
    authSubjects.userDeleted,
    ({ userId, ownedServers }) => accounts.remove(userId, ownedServers),
    {
      queue: "discovery",
    },
  ),
  bus.subscribe(
    presenceSubjects.activity,
    ({ items }) => {
      const points = items.map(({ serverId, messages }) => ({ serverId, points: messagePoints(messages) }));
      return store.servers.addHeat(points, clock.now());
    },
    { queue: "discovery" },
  ),
];

export const connectBus = (deps: BusDeps): readonly Subscription[] => [
  ...answerRequests(deps),
  ...updateIndex(deps),
  ...updateRecords(deps),
];
