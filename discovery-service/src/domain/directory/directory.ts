import { isDeepStrictEqual } from "node:util";
import { ProblemError } from "@hearth/contracts";
import type { Visibility } from "@hearth/contracts";
import type { Limiter } from "@hearth/runtime";
import { authorised, changedMeanwhile, retryOnConflict } from "../access.ts";
import { arranged, initial } from "./channels.ts";
import type { ChannelInput } from "./channels.ts";
import { announceMember, announceServer } from "../server-events.ts";
import { editOf, may } from "../permissions.ts";
import type { Person, Ports } from "../ports.ts";
import type { Ending, MemberRecord, Membership, ServerRecord } from "../records.ts";
import { quotaExceeded, requireQuota } from "../quotas.ts";
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
  /** The version that was read; left out, the edit applies to whatever is there. */
  readonly version?: number | undefined;
};

const EDITABLE = ["name", "description", "iconHash", "tags", "visibility", "channels"] as const;

const unique = (tags: readonly string[]): string[] => [...new Set(tags)];

export interface DirectoryDeps extends Ports {
  /** Counts the servers that an account makes in an hour. */
  readonly made: Limiter;
}

/** Servers come into being, change and go (rules DI1, DI3). */
export class Directory {
  readonly #ports: DirectoryDeps;

  constructor(ports: DirectoryDeps) {
    this.#ports = ports;
  }

  async create(owner: Person, input: NewServer): Promise<Membership> {
    const { store, clock, newId, quotas } = this.#ports;
    const now = clock.now();
    const server: ServerRecord = {
      id: newId(),
      name: input.name,
      description: input.description,
      iconHash: input.iconHash,
      tags: unique(input.tags),
      visibility: input.visibility,
      ownerId: owner.userId,
      memberCount: 1,
      channels: initial(input.channels, newId),
      createdAt: now,
      updatedAt: now,
      version: 1,
    };
    const member: MemberRecord = { serverId: server.id, ...owner, role: "owner", joinedAt: now };
    this.#requireChannelQuota(server.channels);
    requireQuota("servers_owned", await store.servers.ownedBy(owner.userId), quotas.serversOwned);
    await this.#countMade(owner.userId);
    await store.servers.create(server, member, heated(COLD, joinPoints(1), now), quotas);
    await announceServer(this.#ports, server);
    await announceMember(this.#ports, member);
    return { server, member };
  }

  async update(actorId: string, serverId: string, edit: ServerEdit): Promise<ServerRecord> {
    const { store, clock } = this.#ports;
    const { server, written } = await retryOnConflict(async () => {
      const membership = await authorised(store.members, serverId, actorId, "editContent");
      const before = membership.server;
      if (edit.version !== undefined && edit.version !== before.version) throw changedMeanwhile();
      const after = this.#edited(before, edit);
      const changed = EDITABLE.filter((field) => !isDeepStrictEqual(after[field], before[field]));
      if (changed.length === 0) return { server: before, written: false };
      if (!changed.every((field) => may(membership.member.role, editOf(field)))) {
        throw new ProblemError(
          "FORBIDDEN",
          "A moderator may change the description, the tags and the channels",
        );
      }
      if (changed.includes("channels")) this.#requireChannelQuota(after.channels);
      const next = { ...after, updatedAt: clock.now(), version: before.version + 1 };
      return (await store.servers.update(membership.member, next)) ? { server: next, written: true } : null;
    });
    if (written) await announceServer(this.#ports, server);
    return server;
  }

  async remove(actorId: string, serverId: string): Promise<void> {
    const { store, newId, endings } = this.#ports;
    const ending: Ending = { id: newId(), serverId, userId: null, reason: "deleted" };
    await retryOnConflict(async () => {
      const { member } = await authorised(store.members, serverId, actorId, "remove");
      return (await store.servers.remove(member, ending)) || null;
    });
    await endings.announce(ending);
  }

  #requireChannelQuota(channels: ServerRecord["channels"]): void {
    const { quotas } = this.#ports;
    if (channels.length > quotas.channels) throw quotaExceeded("channels", quotas.channels);
  }

  async #countMade(userId: string): Promise<void> {
    const { made, quotas } = this.#ports;
    try {
      await made.consume(userId);
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== "RATE_LIMITED") throw error;
      throw quotaExceeded("servers_made", quotas.serversMadePerHour, error.extras.retryAfterMs);
    }
  }

  #edited(before: ServerRecord, edit: ServerEdit): ServerRecord {
    const { channels, tags } = edit;
    return {
      ...before,
      name: edit.name ?? before.name,
      description: edit.description ?? before.description,
      iconHash: edit.iconHash === undefined ? before.iconHash : edit.iconHash,
      tags: tags === undefined ? before.tags : unique(tags),
      visibility: edit.visibility ?? before.visibility,
      channels:
        channels === undefined ? before.channels : arranged(channels, before.channels, this.#ports.newId),
    };
  }
}
