import { z } from "zod";
import { decodeCursor, encodeCursor, pageOf, timePosition } from "../cursors.ts";
import type { PageOf, PageRequest } from "../cursors.ts";
import type { FeaturedServers } from "../featured.ts";
import type { JoinedSummaryView, Presentation, ServerSummaryView } from "../presentation.ts";
import type { ListedServer } from "../records.ts";
import { hitPosition, hitsAfter } from "./search.ts";
import type { Hit, SearchIndex } from "./search.ts";
import type { Store } from "../store.ts";

type ServerPage = Promise<PageOf<ServerSummaryView>>;

/** DI2: the ways to find a server. No list has private servers; only their members' own list has unlisted ones. */
export interface Listings {
  newest(page: PageRequest, tag?: string): ServerPage;
  trending(page: PageRequest): ServerPage;
  featured(page: PageRequest): ServerPage;
  search(query: string, page: PageRequest): ServerPage;
  mine(userId: string, page: PageRequest): Promise<PageOf<JoinedSummaryView>>;
}

export interface ListingsDeps {
  readonly store: Store;
  readonly presentation: Presentation;
  readonly index: SearchIndex;
  readonly featured: FeaturedServers;
  readonly countSearch: (found: boolean) => void;
}

const heatPosition = z.tuple([z.number(), z.string()]);
const indexPosition = z.tuple([z.int().min(0)]);

export function createListings(deps: ListingsDeps): Listings {
  const { store, presentation, index, countSearch } = deps;
  const { servers } = store;

  const present = async (page: PageOf<ListedServer>): ServerPage => ({
    ...page,
    items: await presentation.listed(page.items),
  });

  return {
    newest: async ({ limit, cursor }, tag) => {
      const scope = `newest:${tag ?? ""}`;
      const after = decodeCursor(scope, timePosition, cursor);
      const rows = await servers.listPublic({ after, limit: limit + 1 }, tag);
      return present(pageOf(rows, limit, (last) => encodeCursor(scope, [last.createdAt, last.id])));
    },

    trending: async ({ limit, cursor }) => {
      const after = decodeCursor("trending", heatPosition, cursor);
      const rows = await servers.listTrending({ after, limit: limit + 1 });
      const page = pageOf(rows, limit, (last) => encodeCursor("trending", [last.heat, last.server.id]));
      return present({ ...page, items: page.items.map(({ server }) => server) });
    },

    featured: async ({ limit, cursor }) => {
      const ids = await deps.featured.ids();
      const [start = 0] = decodeCursor("featured", indexPosition, cursor) ?? [];
      const records = new Map((await servers.findMany(ids)).map((record) => [record.id, record]));
      const rows = ids
        .map((id, position) => ({ record: records.get(id), position }))
        .filter(({ record, position }) => record?.visibility === "public" && position >= start);
      const page = pageOf(rows, limit, (last) => encodeCursor("featured", [last.position + 1]));
      return present({ ...page, items: page.items.flatMap(({ record }) => record ?? []) });
    },

    search: async (query, { limit, cursor }) => {
      const scope = `search:${query}`;
      const position = decodeCursor(scope, hitPosition, cursor);
      const hits = hitsAfter(await index.find(query), position);
      if (position === null) countSearch(hits.length > 0);
      const rows = await stillPublic(store, hits, limit + 1);
      const page = pageOf(rows, limit, ({ hit }) => encodeCursor(scope, [hit.id, hit.score]));
      return present({ ...page, items: page.items.map(({ record }) => record) });
    },

    mine: async (userId, { limit, cursor }) => {
      const scope = `mine:${userId}`;
      const after = decodeCursor(scope, timePosition, cursor);
      const rows = await store.members.listOf(userId, { after, limit: limit + 1 });
      const page = pageOf(rows, limit, ({ member, server }) =>
        encodeCursor(scope, [member.joinedAt, server.id]),
      );
      return { ...page, items: await presentation.joined(page.items) };
    },
  };
}

/** The first `count` hits that are still public in the store. */
async function stillPublic(
  { servers }: Store,
  hits: readonly Hit[],
  count: number,
): Promise<{ hit: Hit; record: ListedServer }[]> {
  const found: { hit: Hit; record: ListedServer }[] = [];
  for (let start = 0; start < hits.length && found.length < count; start += count) {
    const batch = hits.slice(start, start + count);
    const records = await servers.findMany(batch.map(({ id }) => id));
    const known = new Map(records.map((record) => [record.id, record]));
    for (const hit of batch) {
      const record = known.get(hit.id);
      if (record?.visibility === "public") found.push({ hit, record });
    }
  }
  return found.slice(0, count);
}
