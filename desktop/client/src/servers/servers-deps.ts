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
  /** Sends a payload to the account's other devices. */
  readonly sendToDevices: (payload: SyncPayloads) => void;
}

/** The connection to an instance, if it is online. */
export function onlineConnection(connections: ServersDeps["connections"], url: string): Connection | null {
  const connection = connections.of(url);
  return connection?.state.getState().status === "online" ? connection : null;
}

export const isHome = ({ accounts }: ServersDeps, url: string): boolean =>
  accounts.state.getState().homeUrl === url;

/**
 * Ids are unique: if two instances have the same server, one of them lies. The first one wins, and home always does.
 */
export const mayClaim = (deps: ServersDeps, saved: SavedServers, url: string, roomId: string): boolean =>
  isHome(deps, url) || saved.isUnclaimedOrOf(url, roomId);
