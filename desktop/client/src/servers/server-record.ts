import type { Channel, JoinedServer, ServerSummary } from "@hearth/contracts";
import type { DeviceRoom } from "@hearth/device";

/** What an instance says of one of its servers; lists leave the channels out (rule AB3). */
export type ServerDescription = ServerSummary & Partial<Pick<JoinedServer, "channels" | "role" | "joinedAt">>;

interface Owner {
  readonly signalServerUrl: string;
  /** The account's user there: never the home id elsewhere. */
  readonly actorUserId: string;
}

const DEFAULTS = {
  muted: false,
  lastReadMessageId: null,
  lastReadAt: null,
  joinedAt: 0,
  role: "member",
  channels: [],
} as const;

const channelsOf = (channels: readonly Channel[]): DeviceRoom["channels"] =>
  channels.map(({ id, name, kind, position }) => ({ id, name, kind, position }));

/** Everything but the time of change. */
const content = ({ updatedAt: _, ...rest }: DeviceRoom): string =>
  JSON.stringify(Object.entries(rest).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/**
 * The record with a time of change that lets it replace the known one wherever the two meet (`mergedRoom`), because the
 * account's own changes, such as muting, are dated as well; the known one where nothing changed.
 */
export function withChangeTime(known: DeviceRoom | undefined, next: DeviceRoom): DeviceRoom {
  if (!known) return next;
  if (content(known) === content(next)) return known;
  return { ...next, updatedAt: Math.max(next.updatedAt, known.updatedAt + 1) };
}

/** The record of a server of chat after its signaling server's word; what is the account's own stays. */
export function updatedRecord(known: DeviceRoom | undefined, server: ServerDescription, owner: Owner): DeviceRoom {
  const mine = known ?? DEFAULTS;
  return withChangeTime(known, {
    id: server.id,
    kind: "server",
    name: server.name,
    description: server.description,
    signalServerUrl: owner.signalServerUrl,
    actorUserId: owner.actorUserId,
    iconHash: server.iconHash,
    tags: server.tags,
    visibility: server.visibility,
    ownerId: server.ownerId,
    peerUserId: null,
    role: server.role ?? mine.role,
    channels: server.channels ? channelsOf(server.channels) : mine.channels,
    muted: mine.muted,
    lastReadMessageId: mine.lastReadMessageId,
    lastReadAt: mine.lastReadAt,
    createdAt: server.createdAt,
    // A sibling may have joined later with an account of its own; the store keeps the later membership.
    joinedAt: Math.max(mine.joinedAt, server.joinedAt ?? 0),
    updatedAt: server.updatedAt,
  });
}

/** The same, where only its channels were told. */
export const withChannels = (known: DeviceRoom, channels: readonly Channel[]): DeviceRoom =>
  withChangeTime(known, { ...known, channels: channelsOf(channels) });
