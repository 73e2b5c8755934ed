import type { Instance } from "@hearth/client";
import type { SavedServer } from "@hearth/client";

export interface RailGroup {
  readonly server: Instance;
  readonly places: readonly SavedServer[];
}

const byAge = (one: SavedServer, other: SavedServer): number =>
  one.room.joinedAt - other.room.joinedAt || one.room.id.localeCompare(other.room.id);

/** A signaling server that rooms name although no account of it is known any more, as after one was forgotten. */
const unlisted = (url: string): Instance => ({
  url,
  isHome: false,
  authorization: "needs-sign-in",
  account: null,
  failure: "missing",
  isNewlyProvisioned: false,
});

/** The rail: signaling servers in the person's order, each with its servers of chat, the oldest membership first. */
export function railOf(
  servers: readonly Instance[],
  places: ReadonlyMap<string, SavedServer>,
): readonly RailGroup[] {
  const rooms = [...places.values()].filter(({ room }) => room.kind === "server");
  const known = new Set(servers.map(({ url }) => url));
  const others = [...new Set(rooms.map(({ room }) => room.signalServerUrl))].filter((url) => !known.has(url));
  return [...servers, ...others.sort().map(unlisted)].map((server) => ({
    server,
    places: rooms.filter(({ room }) => room.signalServerUrl === server.url).sort(byAge),
  }));
}
