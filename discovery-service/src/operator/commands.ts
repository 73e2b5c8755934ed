import type { Clock } from "@hearth/runtime";
import type { Ending, ListedServer } from "../domain/records.ts";
import type { Store } from "../domain/store.ts";

const MAX_FOUND = 50;

const looksLikeId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

export interface FoundServer {
  readonly server: ListedServer;
  readonly featured: boolean;
}

/**
 * AB11: what the operator may do to any server. It works on the store beside a running service. The service announces a
 * deletion within seconds, because the store has its ending, and reads the featured servers every few seconds.
 */
export interface ServersAdmin {
  /** Finds servers of any visibility by their id or by a part of their name. */
  find(text: string): Promise<FoundServer[]>;
  /** `false` if there is no such server. */
  feature(serverId: string): Promise<boolean>;
  /** `false` if the command had not featured it; the list in the configuration stays unchanged. */
  unfeature(serverId: string): Promise<boolean>;
  /** Removes the server with all its records; `false` if there is no such server. */
  remove(serverId: string): Promise<boolean>;
}

export interface ServersAdminDeps {
  readonly store: Pick<Store, "servers" | "featured">;
  readonly clock: Clock;
  readonly newId: () => string;
}

export function createServersAdmin({ store, clock, newId }: ServersAdminDeps): ServersAdmin {
  const { servers, featured } = store;
  return {
    find: async (text) => {
      const found = looksLikeId(text)
        ? await servers.findMany([text.toLowerCase()])
        : await servers.search(text, MAX_FOUND);
      const ids = new Set(await featured.list());
      return found.map((server) => ({ server, featured: ids.has(server.id) }));
    },
    feature: (serverId) => featured.add(serverId.toLowerCase(), clock.now()),
    unfeature: (serverId) => featured.remove(serverId.toLowerCase()),
    remove: (serverId) => {
      const ending: Ending = {
        id: newId(),
        serverId: serverId.toLowerCase(),
        userId: null,
        reason: "deleted",
      };
      return servers.remove(null, ending);
    },
  };
}
