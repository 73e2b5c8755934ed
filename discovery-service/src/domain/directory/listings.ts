import { z } from "zod";
import { decodeCursor, encodeCursor, pageOf, timePosition } from "../cursors.ts";
import type { PageOf, PageRequest } from "../cursors.ts";
import type { FeaturedServers } from "../featured.ts";
import type { JoinedSummaryView, Presentation, ServerSummaryView } from "../presentation.ts";
import { behind, hitPosition } from "./search.ts";
import type { Hit, SearchIndex } from "./search.ts";
import type { ListedServer } from "../records.ts";
import type { Store } from "../store.ts";

export interface ListingsDeps {
  readonly store: Store;
  readonly presentation: Presentation;
  readonly index: SearchIndex;
  readonly featured: Pick<FeaturedServers, "ids">;
  readonly searched: (found: boolean) => void;
}

const heatPosition = z.tuple([z.number(), z.string()]);
const indexPosition = z.tuple([z.int().min(0)]);

/** DI2: the ways to find a server. A private one is in none of them, an unlisted one only in its members' own list. */
export class Listings {
  readonly #deps: ListingsDeps;

  constructor(deps: ListingsDeps) {
    this.#deps = deps;
  }

  async newest({ limit, cursor }: PageRequest, tag?: string): Promise<PageOf<ServerSummaryView>> {
    const scope = `newest:${tag ?? ""}`;
    const after = decodeCursor(scope, timePosition, cursor);
    const rows = await this.#deps.store.servers.listPublic({ after, limit: limit + 1 }, tag);
    return this.#present(pageOf(rows, limit, (last) => encodeCursor(scope, [last.createdAt, last.id])));
  }

  async trending({ limit, cursor }: PageRequest): Promise<PageOf<ServerSummaryView>> {
    const after = decodeCursor("trending", heatPosition, cursor);
    const rows = await this.#deps.store.servers.listTrending({ after, limit: limit + 1 });
    const page = pageOf(rows, limit, (last) => encodeCursor("trending", [last.heat, last.server.id]));
    return this.#present({ ...page, items: page.items.map(({ server }) => server) });
  }

  async featured({ limit, cursor }: PageRequest): Promise<PageOf<ServerSummaryView>> {
    const { store } = this.#deps;
    const featured = await this.#deps.featured.ids();
    const [start = 0] = decodeCursor("featured", indexPosition, cursor) ?? [];
    const records = new Map((await store.servers.findMany(featured)).map((record) => [record.id, record]));
    const rows = featured
      .map((id, index) => ({ record: records.get(id), index }))
      .filter(({ record, index }) => record?.visibility === "public" && index >= start);
    const page = pageOf(rows, limit, (last) => encodeCursor("featured", [last.index + 1]));
    return this.#present({ ...page, items: page.items.flatMap(({ record }) => record ?? []) });
  }

  async search(query: string, { limit, cursor }: PageRequest): Promise<PageOf<ServerSummaryView>> {
    const scope = `search:${query}`;
    const position = decodeCursor(scope, hitPosition, cursor);
    const hits = behind(await this.#deps.index.find(query), position);
    if (position === null) this.#deps.searched(hits.length > 0);
    const rows = await this.#stillPublic(hits, limit + 1);
    const page = pageOf(rows, limit, ({ hit }) => encodeCursor(scope, [hit.id, hit.score]));
    return this.#present({ ...page, items: page.items.map(({ record }) => record) });
  }

  async mine(userId: string, { limit, cursor }: PageRequest): Promise<PageOf<JoinedSummaryView>> {
    const { store, presentation } = this.#deps;
    const scope = `mine:${userId}`;
    const after = decodeCursor(scope, timePosition, cursor);
    const rows = await store.members.listOf(userId, { after, limit: limit + 1 });
    const page = pageOf(rows, limit, ({ member, server }) =>
      encodeCursor(scope, [member.joinedAt, server.id]),
    );
    return { ...page, items: await presentation.joined(page.items) };
  }

  /** The first `count` of the hits that the store still calls public. */
  async #stillPublic(hits: readonly Hit[], count: number): Promise<{ hit: Hit; record: ListedServer }[]> {
    const found: { hit: Hit; record: ListedServer }[] = [];
    for (let start = 0; start < hits.length && found.length < count; start += count) {
      const batch = hits.slice(start, start + count);
      const records = await this.#deps.store.servers.findMany(batch.map(({ id }) => id));
      const known = new Map(records.map((record) => [record.id, record]));
      for (const hit of batch) {
        const record = known.get(hit.id);
        if (record?.visibility === "public") found.push({ hit, record });
      }
    }
    return found.slice(0, count);
  }

  async #present(page: PageOf<ListedServer>): Promise<PageOf<ServerSummaryView>> {
    return { ...page, items: await this.#deps.presentation.listed(page.items) };
  }
}
