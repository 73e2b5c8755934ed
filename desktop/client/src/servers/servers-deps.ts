import type { Accounts } from "../accounts/accounts.ts";
import type { Connection, Connections } from "../connection/connection.ts";
import type { Platform } from "../ports.ts";
import type { Rest } from "../rest/rest.ts";
import type { SyncPayloads } from "../wire.ts";
import type { MemberStore } from "./member-records.ts";
import type { ServerStore, SavedServers } from "./saved-servers.ts";

export interface ServersDeps {
  readonly platform: Pick<Platform, "now" | "later" | "random">;
  readonly rest: Rest;
  readonly accounts: Pick<Accounts, "state" | "actorId" | "ensureAccount" | "isForgotten">;
  readonly connections: Pick<Connections, "states" | "of" | "on" | "onOnline">;
  readonly store: ServerStore & MemberStore;
  /** To the account's other devices. */
  readonly sendToDevices: (payload: SyncPayloads) => void;
}

/** The connection of a server while it is online. */
export function onlineConnection(connections: ServersDeps["connections"], url: string): Connection | null {
  const connection = connections.of(url);
  return connection?.state.getState().status === "online" ? connection : null;
}

export const isHome = ({ accounts }: ServersDeps, url: string): boolean =>
  accounts.state.getState().homeUrl === url;

/** Ids are unique, so of two servers that have the same room one lies: the first one is believed, and home always. */
export const mayClaim = (deps: ServersDeps, saved: SavedServers, url: string, roomId: string): boolean =>
  isHome(deps, url) || saved.isUnclaimedOrOf(url, roomId);
