import type { Channel, JoinedServer, ServerSummary } from "@hearth/contracts";
import type { DeviceRoom } from "@hearth/device";

/** What an instance says about one of its servers. Lists omit the channels (rule AB3). */
export type ServerDescription = ServerSummary & Partial<Pick<JoinedServer, "channels" | "role" | "joinedAt">>;

interface Owner {
  readonly signalServerUrl: string;
  /** The account's user there; never the home id on a foreign instance. */
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

/** Everything except the time of change. */
const content = ({ updatedAt: _, ...rest }: DeviceRoom): string =>
  JSON.stringify(Object.entries(rest).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Returns the record with a time of change that makes it win over the known one (`mergedRoom`), because the account's
 * own changes, such as muting, are dated too. Returns the known record if nothing changed.
 */
export function withChangeTime(known: DeviceRoom | undefined, next: DeviceRoom): DeviceRoom {
  if (!known) return next;
  if (content(known) === content(next)) return known;
  return { ...next, updatedAt: Math.max(next.updatedAt, known.updatedAt + 1) };
}

/** The record of a server after an update of its instance. The account's own fields stay. */
export function updatedRecord(
  known: DeviceRoom | undefined,
  server: ServerDescription,
  owner: Owner,
): DeviceRoom {
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
    // Another device may have joined later; the store keeps the later membership.
    joinedAt: Math.max(mine.joinedAt, server.joinedAt ?? 0),
    updatedAt: server.updatedAt,
  });
}

/** The record with other channels. */
export const withChannels = (known: DeviceRoom, channels: readonly Channel[]): DeviceRoom =>
  withChangeTime(known, { ...known, channels: channelsOf(channels) });
