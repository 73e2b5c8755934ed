import type { Accounts } from "../accounts/accounts.ts";
import type { Connection, Connections } from "../connection/connection.ts";
import type { Platform } from "../ports.ts";
import type { Rest } from "../rest/rest.ts";
import type { SyncPayloads } from "../wire.ts";
import type { PeopleStore } from "./room-people.ts";
import type { RoomStore, SavedRooms } from "./saved-rooms.ts";

export interface PlacesDeps {
  readonly platform: Pick<Platform, "now" | "later" | "random">;
  readonly rest: Rest;
  readonly accounts: Pick<Accounts, "state" | "actorId" | "ensureAccount" | "isForgotten">;
  readonly connections: Pick<Connections, "states" | "of" | "on" | "onOnline">;
  readonly store: RoomStore & PeopleStore;
  /** To the account's other devices. */
  readonly tell: (payload: SyncPayloads) => void;
}

/** The connection of a server while it is online. */
export function onlineConnection(connections: PlacesDeps["connections"], url: string): Connection | null {
  const connection = connections.of(url);
  return connection?.state.getState().status === "online" ? connection : null;
}

export const isHome = ({ accounts }: PlacesDeps, url: string): boolean =>
  accounts.state.getState().homeUrl === url;

/** Ids are unique, so of two servers that have the same room one lies: the first one is believed, and home always. */
export const mayClaim = (deps: PlacesDeps, saved: SavedRooms, url: string, roomId: string): boolean =>
  isHome(deps, url) || saved.isOf(url, roomId);
