import type { Instance, SavedServer } from "@hearth/client";

export interface RailGroup {
  readonly instance: Instance;
  readonly servers: readonly SavedServer[];
}

const byAge = (one: SavedServer, other: SavedServer): number =>
  one.room.joinedAt - other.room.joinedAt || one.room.id.localeCompare(other.room.id);

/** An instance that saved servers name although the device no longer knows an account there. */
const unlisted = (url: string): Instance => ({
  url,
  isHome: false,
  authorization: "needs-sign-in",
  account: null,
  failure: "missing",
  isNewlyProvisioned: false,
});

/** The rail: instances in the user's order, each with its servers, the oldest membership first. */
export function railOf(
  instances: readonly Instance[],
  servers: ReadonlyMap<string, SavedServer>,
): readonly RailGroup[] {
  const rooms = [...servers.values()].filter(({ room }) => room.kind === "server");
  const known = new Set(instances.map(({ url }) => url));
  const others = [...new Set(rooms.map(({ room }) => room.signalServerUrl))].filter((url) => !known.has(url));
  return [...instances, ...others.sort().map(unlisted)].map((instance) => ({
    instance,
    servers: rooms.filter(({ room }) => room.signalServerUrl === instance.url).sort(byAge),
  }));
}
