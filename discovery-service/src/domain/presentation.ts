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

/** Turns records into what clients see: adds `onlineCount` from presence, and `featured` from the operator. */
export interface Presentation {
  listed(records: readonly ListedServer[]): Promise<ServerSummaryView[]>;
  server(record: ServerRecord): Promise<ServerView>;
  joined(memberships: readonly ListedMembership[]): Promise<JoinedSummaryView[]>;
  preview(invite: Invite, record: ServerRecord): Promise<InvitePreview>;
}

export function createPresentation(online: OnlineCounts, featuredServers: FeaturedServers): Presentation {
  const shown = async <Shown extends ListedServer>(records: readonly Shown[]) => {
    const featured = new Set(await featuredServers.ids());
    const counts = await online.of(records.map((record) => record.id));
    return records.map((record) => ({
      ...record,
      onlineCount: counts.get(record.id) ?? 0,
      featured: featured.has(record.id),
    }));
  };
  const server = async (record: ServerRecord): Promise<ServerView> => {
    const [view] = await shown([record]);
    if (view === undefined) throw new Error("a record has no view");
    return view;
  };
  return {
    listed: shown,
    server,
    joined: async (memberships) => {
      const servers = await shown(memberships.map((membership) => membership.server));
      return memberships.flatMap(({ member: { role, joinedAt } }, index) => {
        const view = servers[index];
        return view === undefined ? [] : [{ ...view, role, joinedAt }];
      });
    },
    preview: async (invite, record) => {
      const { id, name, description, iconHash, memberCount, onlineCount } = await server(record);
      return {
        code: invite.code,
        expiresAt: invite.expiresAt,
        server: { id, name, description, iconHash, memberCount, onlineCount },
      };
    },
  };
}
