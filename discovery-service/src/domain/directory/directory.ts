import { isDeepStrictEqual } from "node:util";
import { ProblemError } from "@hearth/contracts";
import type { Visibility } from "@hearth/contracts";
import type { Limiter } from "@hearth/runtime";
import { authorised, changedMeanwhile, retryOnConflict } from "../access.ts";
import { arrangeChannels, initialChannels } from "./channels.ts";
import type { ChannelInput } from "./channels.ts";
import { editActionFor, may } from "../permissions.ts";
import type { Person, Ports } from "../ports.ts";
import { quotaExceeded, requireQuota } from "../quotas.ts";
import type { Quotas } from "../quotas.ts";
import type { Ending, MemberRecord, Membership, ServerRecord } from "../records.ts";
import { announceMember, announceServer } from "../server-events.ts";
import { COLD, heated, joinPoints } from "../trending.ts";

export interface NewServer {
  readonly name: string;
  readonly description: string;
  readonly iconHash: string | null;
  readonly tags: readonly string[];
  readonly visibility: Visibility;
  readonly channels?: readonly ChannelInput[] | undefined;
}

export type ServerEdit = { readonly [Field in keyof NewServer]?: NewServer[Field] | undefined } & {
  /** The version that the client read; without it the edit applies to any version. */
  readonly version?: number | undefined;
};

const EDITABLE = ["name", "description", "iconHash", "tags", "visibility", "channels"] as const;

/** Creates, edits and removes servers (rules DI1, DI3). */
export interface Directory {
  create(owner: Person, input: NewServer): Promise<Membership>;
  update(actorId: string, serverId: string, edit: ServerEdit): Promise<ServerRecord>;
  remove(actorId: string, serverId: string): Promise<void>;
}

export interface DirectoryDeps extends Ports {
  /** Counts the servers that an account creates in an hour. */
  readonly creations: Limiter;
}

const unique = (tags: readonly string[]): string[] => [...new Set(tags)];

function requireChannelQuota(channels: ServerRecord["channels"], quotas: Quotas): void {
  if (channels.length > quotas.channels) throw quotaExceeded("channels", quotas.channels);
}

export function createDirectory(deps: DirectoryDeps): Directory {
  const { store, clock, newId, quotas, endings, creations } = deps;

  const countCreation = async (userId: string): Promise<void> => {
    try {
      await creations.consume(userId);
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== "RATE_LIMITED") throw error;
      throw quotaExceeded("servers_made", quotas.serversMadePerHour, error.extras.retryAfterMs);
    }
  };

  return {
    create: async (owner, input) => {
      const now = clock.now();
      const server = newServer(owner, input, newId, now);
      const member: MemberRecord = { serverId: server.id, ...owner, role: "owner", joinedAt: now };
      requireChannelQuota(server.channels, quotas);
      requireQuota("servers_owned", await store.servers.ownedBy(owner.userId), quotas.serversOwned);
      await countCreation(owner.userId);
      await store.servers.create(server, member, heated(COLD, joinPoints(1), now), quotas);
      await announceServer(deps, server);
      await announceMember(deps, member);
      return { server, member };
    },

    update: async (actorId, serverId, edit) => {
      const { server, written } = await retryOnConflict(async () => {
        const { server: before, member } = await authorised(store.members, serverId, actorId, "editContent");
        if (edit.version !== undefined && edit.version !== before.version) throw changedMeanwhile();
        const after = edited(before, edit, newId);
        const changed = EDITABLE.filter((field) => !isDeepStrictEqual(after[field], before[field]));
        if (changed.length === 0) return { server: before, written: false };
        if (!changed.every((field) => may(member.role, editActionFor(field)))) {
          throw new ProblemError(
            "FORBIDDEN",
            "A moderator may change the description, the tags and the channels",
          );
        }
        if (changed.includes("channels")) requireChannelQuota(after.channels, quotas);
        const next = { ...after, updatedAt: clock.now(), version: before.version + 1 };
        return (await store.servers.update(member, next)) ? { server: next, written: true } : null;
      });
      if (written) await announceServer(deps, server);
      return server;
    },

    remove: async (actorId, serverId) => {
      const ending: Ending = { id: newId(), serverId, userId: null, reason: "deleted" };
      await retryOnConflict(async () => {
        const { member } = await authorised(store.members, serverId, actorId, "remove");
        return (await store.servers.remove(member, ending)) || null;
      });
      await endings.announce(ending);
    },
  };
}

const newServer = (owner: Person, input: NewServer, newId: () => string, now: number): ServerRecord => ({
  id: newId(),
  name: input.name,
  description: input.description,
  iconHash: input.iconHash,
  tags: unique(input.tags),
  visibility: input.visibility,
  ownerId: owner.userId,
  memberCount: 1,
  channels: initialChannels(input.channels, newId),
  createdAt: now,
  updatedAt: now,
  version: 1,
});

function edited(before: ServerRecord, edit: ServerEdit, newId: () => string): ServerRecord {
  const { channels, tags } = edit;
  return {
    ...before,
    name: edit.name ?? before.name,
    description: edit.description ?? before.description,
    iconHash: edit.iconHash === undefined ? before.iconHash : edit.iconHash,
    tags: tags === undefined ? before.tags : unique(tags),
    visibility: edit.visibility ?? before.visibility,
    channels: channels === undefined ? before.channels : arrangeChannels(channels, before.channels, newId),
  };
}
