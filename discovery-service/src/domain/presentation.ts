import type {
  Invite,
  InvitePreview,
  joinedServerSchema,
  joinedServerSummarySchema,
  serverSchema,
  serverSummarySchema,
} from "@hearth/contracts";
import type { z } from "zod";
import type { FeaturedServers } from "./featured.ts";
import type { OnlineCounts } from "./online.ts";
import type { ListedMembership, ListedServer, ServerRecord } from "./records.ts";

export type ServerView = z.output<typeof serverSchema>;
export type JoinedView = z.output<typeof joinedServerSchema>;

export type ServerSummaryView = z.output<typeof serverSummarySchema>;
export type JoinedSummaryView = z.output<typeof joinedServerSummarySchema>;

/** Turns records into what clients see: who is online comes from presence, what is featured from the operator. */
export class Presentation {
  readonly #online: Pick<OnlineCounts, "of">;
  readonly #featured: Pick<FeaturedServers, "ids">;

  constructor(online: Pick<OnlineCounts, "of">, featured: Pick<FeaturedServers, "ids">) {
    this.#online = online;
    this.#featured = featured;
  }

  async listed(records: readonly ListedServer[]): Promise<ServerSummaryView[]> {
    return this.#servers(records);
  }

  async #servers<Shown extends ListedServer>(records: readonly Shown[]) {
    const featured = new Set(await this.#featured.ids());
    const online = await this.#online.of(records.map((record) => record.id));
    return records.map((record) => ({
      ...record,
      onlineCount: online.get(record.id) ?? 0,
      featured: featured.has(record.id),
    }));
  }

  async server(record: ServerRecord): Promise<ServerView> {
    const [server] = await this.#servers([record]);
    if (server === undefined) throw new Error("a record was lost on its way");
    return server;
  }

  async joined(memberships: readonly ListedMembership[]): Promise<JoinedSummaryView[]> {
    const servers = await this.listed(memberships.map(({ server }) => server));
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
