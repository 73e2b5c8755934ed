import { authSubjects, discoverySubjects, healthSubject, presenceSubjects } from "@hearth/contracts";
import type { Bus, Clock, Subscription } from "@hearth/runtime";
import type { Memberships } from "./membership.ts";
import type { OnlineCountsDeps } from "./online.ts";
import type { SearchIndex } from "./search.ts";
import type { Store } from "./store.ts";
import { messagePoints } from "./trending.ts";

export interface BusDeps {
  readonly bus: Bus;
  readonly store: Store;
  readonly clock: Clock;
  readonly memberships: Memberships;
  readonly index: SearchIndex;
  readonly ready: () => boolean;
}

/** Longer than presence ever needs; a page of servers waits no longer for it. */
const PRESENCE_TIMEOUT_MS = 300;

export const askPresence =
  (bus: Bus): OnlineCountsDeps["ask"] =>
  async (serverIds) => {
    const question = { serverIds: [...serverIds] };
    return (await bus.request(presenceSubjects.online, question, { timeoutMs: PRESENCE_TIMEOUT_MS })).counts;
  };

const answers = ({ bus, store, memberships, ready }: BusDeps): readonly Subscription[] => [
  bus.answer(discoverySubjects.join, async ({ serverId, ...person }) => {
    const { server, member, becameMember } = await memberships.join(person, serverId);
    return { role: member.role, becameMember, channels: server.channels };
  }),
  bus.answer(discoverySubjects.shared, async ({ userId, otherUserId }) => ({
    shared: userId === otherUserId || (await store.members.shareServer(userId, otherUserId)),
  })),
  bus.answer(healthSubject("discovery"), async () => ({ ready: ready() })),
];

/** Every replica keeps its own search index. */
const indexed = ({ bus, index }: BusDeps): readonly Subscription[] => [
  bus.subscribe(discoverySubjects.serverUpdated, ({ server }) => index.changed(server.id)),
  ...[
    discoverySubjects.serverDeleted,
    discoverySubjects.membershipEnded,
    discoverySubjects.memberUpdated,
  ].map((subject) => bus.subscribe<{ serverId: string }>(subject, ({ serverId }) => index.changed(serverId))),
];

/** One replica writes down for all. */
const kept = ({ bus, store, clock }: BusDeps): readonly Subscription[] => [
  bus.subscribe(
    authSubjects.userUpdated,
    ({ userId, displayName }) => store.members.rename(userId, displayName),
    { queue: "discovery" },
  ),
  bus.subscribe(
    presenceSubjects.activity,
    ({ items }) => {
      const points = items.map(({ serverId, messages }) => ({ serverId, points: messagePoints(messages) }));
      return store.servers.heat(points, clock.now());
    },
    { queue: "discovery" },
  ),
];

export const connectBus = (deps: BusDeps): readonly Subscription[] => [
  ...answers(deps),
  ...indexed(deps),
  ...kept(deps),
];
