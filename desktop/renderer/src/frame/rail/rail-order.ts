import type { SignalServer } from "@hearth/client";
import type { Place } from "@hearth/client";

export interface RailGroup {
  readonly server: SignalServer;
  readonly places: readonly Place[];
}

const byAge = (one: Place, other: Place): number =>
  one.room.joinedAt - other.room.joinedAt || one.room.id.localeCompare(other.room.id);

/** A signaling server that rooms name although no account of it is known any more, as after one was forgotten. */
const unlisted = (url: string): SignalServer => ({
  url,
  isHome: false,
  authorization: "needs-sign-in",
  account: null,
  failure: "missing",
  isNewlyProvisioned: false,
});

/** The rail: signaling servers in the person's order, each with its servers of chat, the oldest membership first. */
export function railOf(
  servers: readonly SignalServer[],
  places: ReadonlyMap<string, Place>,
): readonly RailGroup[] {
  const rooms = [...places.values()].filter(({ room }) => room.kind === "server");
  const known = new Set(servers.map(({ url }) => url));
  const others = [...new Set(rooms.map(({ room }) => room.signalServerUrl))].filter((url) => !known.has(url));
  return [...servers, ...others.sort().map(unlisted)].map((server) => ({
    server,
    places: rooms.filter(({ room }) => room.signalServerUrl === server.url).sort(byAge),
  }));
}
