import type { Clock } from "@hearth/runtime";
import type { Ending, ListedServer } from "../domain/records.ts";
import type { Store } from "../domain/store.ts";

const MAX_FOUND = 50;

const looksLikeId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

export interface ServersAdminDeps {
  readonly store: Pick<Store, "servers" | "featured" | "members">;
  readonly clock: Clock;
  readonly newId: () => string;
}

export interface FoundServer {
  readonly server: ListedServer;
  readonly featured: boolean;
}

/**
 * AB11: what the operator may do to any server. It works on the store beside a service that runs: that announces a
 * deletion within seconds, because the store keeps its ending, and reads the featured servers anew every few seconds.
 */
export class ServersAdmin {
  readonly #deps: ServersAdminDeps;

  constructor(deps: ServersAdminDeps) {
    this.#deps = deps;
  }

  /** By its id, or by a part of its name; of any visibility. */
  async find(text: string): Promise<FoundServer[]> {
    const { servers, featured } = this.#deps.store;
    const found = looksLikeId(text)
      ? await servers.findMany([text.toLowerCase()])
      : await servers.search(text, MAX_FOUND);
    const ids = new Set(await featured.list());
    return found.map((server) => ({ server, featured: ids.has(server.id) }));
  }

  /** `false` where there is no such server. */
  feature(serverId: string): Promise<boolean> {
    const { store, clock } = this.#deps;
    return store.featured.add(serverId.toLowerCase(), clock.now());
  }

  /** `false` where it was not featured by this means; the configuration's own list stays as it is. */
  unfeature(serverId: string): Promise<boolean> {
    return this.#deps.store.featured.remove(serverId.toLowerCase());
  }

  /** With everything that belongs to it; `false` where there is no such server. */
  remove(serverId: string): Promise<boolean> {
    const { store, newId } = this.#deps;
    const ending: Ending = { id: newId(), serverId: serverId.toLowerCase(), userId: null, reason: "deleted" };
    return store.servers.remove(null, ending);
  }
}
