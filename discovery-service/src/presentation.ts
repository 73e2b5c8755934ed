import type { Invite, InvitePreview, joinedServerSchema, serverSchema } from "@hearth/contracts";
import type { z } from "zod";
import type { OnlineCounts } from "./online.ts";
import type { Membership, ServerRecord } from "./store.ts";

export type ServerView = z.output<typeof serverSchema>;
export type JoinedView = z.output<typeof joinedServerSchema>;

/** Turns records into what clients see: who is online comes from presence, what is featured from the operator. */
export class Presentation {
  readonly #online: Pick<OnlineCounts, "of">;
  readonly #featured: ReadonlySet<string>;

  constructor(online: Pick<OnlineCounts, "of">, featured: readonly string[]) {
    this.#online = online;
    this.#featured = new Set(featured);
  }

  async servers(records: readonly ServerRecord[]): Promise<ServerView[]> {
    const online = await this.#online.of(records.map((record) => record.id));
    return records.map((record) => ({
      ...record,
      onlineCount: online.get(record.id) ?? 0,
      featured: this.#featured.has(record.id),
    }));
  }

  async server(record: ServerRecord): Promise<ServerView> {
    const [server] = await this.servers([record]);
    if (server === undefined) throw new Error("a record was lost on its way");
    return server;
  }

  async joined(memberships: readonly Membership[]): Promise<JoinedView[]> {
    const servers = await this.servers(memberships.map(({ server }) => server));
    return memberships.flatMap(({ member: { role, joinedAt } }, index) => {
      const server = servers[index];
      return server === undefined ? [] : [{ ...server, role, joinedAt }];
    });
  }

  async preview(invite: Invite, record: ServerRecord): Promise<InvitePreview> {
    const { id, name, description, iconHash, memberCount, onlineCount } = await this.server(record);
    return {
      code: invite.code,
      expiresAt: invite.expiresAt,
      server: { id, name, description, iconHash, memberCount, onlineCount },
    };
  }
}
