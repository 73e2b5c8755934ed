import type { Channel, JoinedServer, Server, UserStatus } from "@hearth/contracts";
import { createStore } from "zustand/vanilla";
import type { StoreApi } from "zustand/vanilla";
import type { SavedServer, ServerLost, Servers, ServersState } from "@hearth/client";
import type { DeviceRoom } from "@hearth/device";
import type { Calls } from "./fake-calls.ts";
import type { FakeContent } from "./fake-content.ts";

/** A room as its signaling server tells it. */
export const serverOf = (room: DeviceRoom, memberCount: number, onlineCount: number): Server => ({
  id: room.id,
  name: room.name,
  description: room.description,
  iconHash: room.iconHash,
  tags: room.tags,
  visibility: room.visibility,
  ownerId: room.ownerId ?? room.actorUserId,
  memberCount,
  onlineCount,
  featured: false,
  channels: room.channels,
  createdAt: room.createdAt,
  updatedAt: room.updatedAt,
  version: 1,
});

const roomFrom = (server: Server, url: string, actorUserId: string, now: number): DeviceRoom => ({
  id: server.id,
  kind: "server",
  name: server.name,
  description: server.description,
  signalServerUrl: url,
  actorUserId,
  iconHash: server.iconHash,
  tags: server.tags,
  visibility: server.visibility,
  ownerId: server.ownerId,
  peerUserId: null,
  role: server.ownerId === actorUserId ? "owner" : "member",
  channels: server.channels,
  muted: false,
  lastReadMessageId: null,
  lastReadAt: null,
  createdAt: server.createdAt,
  joinedAt: now,
  updatedAt: now,
});

const channelsOf = (
  wanted: readonly { readonly id?: string; readonly name: string; readonly kind?: Channel["kind"] }[],
): readonly Channel[] =>
  wanted.map(({ id, name, kind }, position) => ({
    id: id ?? crypto.randomUUID(),
    name,
    kind: kind ?? "text",
    position,
  }));

/** The servers of the rail, and how one of them changes. */
class Rail {
  readonly state: StoreApi<ServersState>;
  readonly #content: FakeContent;
  readonly #now: () => number;

  constructor(content: FakeContent, now: () => number) {
    this.#content = content;
    this.#now = now;
    const servers = new Map(content.rooms.map((room) => [room.id, this.#place(room)]));
    this.state = createStore<ServersState>(() => ({ phase: "ready", servers }));
  }

  #place(room: DeviceRoom): SavedServer {
    return { room, joinState: "joined", present: this.#content.present.get(room.id) ?? new Map() };
  }

  put(server: SavedServer): void {
    this.state.setState(({ servers }) => ({ servers: new Map(servers).set(server.room.id, server) }));
  }

  change(roomId: string, changes: Partial<DeviceRoom>): void {
    const server = this.state.getState().servers.get(roomId);
    if (server !== undefined)
      this.put({ ...server, room: { ...server.room, ...changes, updatedAt: this.#now() } });
  }

  forget(roomId: string): void {
    this.state.setState(({ servers }) => ({
      servers: new Map([...servers].filter(([id]) => id !== roomId)),
    }));
  }

  enter(server: Server, url: string): JoinedServer {
    const oderId = this.#content.mine(url);
    const room = roomFrom(server, url, oderId, this.#now());
    const nora = { oderId, username: "nora", displayName: "Nora", status: "online" as const };
    const present = new Map([[oderId, nora]]);
    this.put({ ...this.#place(room), present });
    return { ...server, role: room.role, joinedAt: room.joinedAt };
  }
}

type Entrance = Pick<Servers, "create" | "join">;

const entranceOf = (
  rail: Rail,
  content: FakeContent,
  calls: Calls,
  now: () => number,
  found: readonly Server[],
): Entrance => ({
  async create(url, { name, description = "", visibility = "public", tags = [] }) {
    await calls.did("servers.create", { url, name, visibility });
    const channels = channelsOf([{ name: "general" }]);
    const times = { createdAt: now(), updatedAt: now(), version: 1 };
    const ownerId = content.mine(url);
    const facts = { iconHash: null, memberCount: 1, onlineCount: 1, featured: false, ownerId, channels };
    return rail.enter(
      { id: crypto.randomUUID(), name, description, visibility, tags, ...facts, ...times },
      url,
    );
  },
  async join(url, serverId, inviteCode) {
    await calls.did("servers.join", { url, serverId, inviteCode });
    const server = found.find(({ id }) => id === serverId);
    if (server === undefined) throw calls.problem("NOT_FOUND");
    if (server.visibility === "private" && inviteCode === undefined) throw calls.problem("ACCESS_DENIED");
    return rail.enter(server, url);
  },
});

/** The rail in memory. `found` are servers of chat that can be joined. */
export function createFakeServers(
  content: FakeContent,
  calls: Calls,
  now: () => number,
  found: readonly Server[],
) {
  const rail = new Rail(content, now);
  const listeners = new Set<(lost: ServerLost) => void>();
  const status = createStore<UserStatus>(() => "online");
  const servers: Servers = {
    ...entranceOf(rail, content, calls, now, found),
    state: rail.state,
    status,
    onLost(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async leave(roomId) {
      await calls.did("servers.leave", roomId);
      rail.forget(roomId);
    },
    async update(roomId, { channels, ...changes }) {
      await calls.did("servers.update", { roomId, ...changes, ...(channels && { channels }) });
      rail.change(roomId, { ...changes, ...(channels && { channels: channelsOf(channels) }) });
    },
    async remove(roomId) {
      await calls.did("servers.remove", roomId);
      rail.forget(roomId);
    },
    async mute(roomId, muted) {
      await calls.did("servers.mute", { roomId, muted });
      rail.change(roomId, { muted });
    },
    setStatus(chosen) {
      status.setState(chosen, true);
      void calls.did("servers.setStatus", chosen);
    },
    async keepMembers(roomId, members, reach) {
      await calls.did("servers.keepMembers", { roomId, count: members.length, reach });
    },
    async keepBans(roomId, bans, reach) {
      await calls.did("servers.keepBans", { roomId, count: bans.length, reach });
    },
  };
  const lose = (lost: ServerLost): void => {
    rail.forget(lost.roomId);
    for (const listener of [...listeners]) listener(lost);
  };
  return { servers, state: rail.state, put: rail.put.bind(rail), lose };
}
