import { serverRoutes } from "@hearth/contracts";
import type { JoinedServer, Server } from "@hearth/contracts";
import type { DeviceRoom } from "@hearth/device";
import { normaliseServerUrl } from "@hearth/device";
import { ClientProblem } from "@hearth/device";
import type { Place, Places } from "./places.ts";
import { mayClaim, onlineConnection } from "./places-deps.ts";
import type { PlacesDeps } from "./places-deps.ts";
import { changed, roomAfter } from "./room-record.ts";
import type { RoomVersions } from "./room-versions.ts";
import type { SavedRooms } from "./saved-rooms.ts";
import type { Visits } from "./visits.ts";

interface PlaceChangesDeps extends PlacesDeps {
  readonly saved: SavedRooms;
  readonly versions: RoomVersions;
  readonly visits: Visits;
}

type Asked = Pick<Places, "create" | "join" | "leave" | "update" | "remove" | "mute">;

/** Where leaving is a matter of this account's devices alone. */
const LEFT_ALREADY: ReadonlySet<Place["standing"]> = new Set([
  "gone",
  "banned",
  "needs-invite",
  "needs-sign-in",
]);

function normalised(address: string): string {
  const server = normaliseServerUrl(address);
  if (!server.ok) throw new ClientProblem("INVALID_SERVER_URL", { message: server.reason });
  return server.url;
}

const isNotThere = (error: unknown): boolean => error instanceof ClientProblem && error.code === "NOT_FOUND";

/** What the person asks for. */
export class PlaceChanges implements Asked {
  private readonly deps: PlaceChangesDeps;
  private readonly leaving = new Set<string>();

  constructor(deps: PlaceChangesDeps) {
    this.deps = deps;
  }

  /** True while the person leaves or deletes it here, so that its end is no news. */
  isLeaving(roomId: string): boolean {
    return this.leaving.has(roomId);
  }

  async create(address: string, server: Parameters<Places["create"]>[1]): Promise<JoinedServer> {
    const { accounts, rest } = this.deps;
    const url = normalised(address);
    const { userId } = await accounts.ensureAccount(url);
    const { tags, ...plain } = server;
    const body = { ...plain, ...(tags && { tags: [...tags] }) };
    return this.settle(url, userId, await rest.call(url, serverRoutes.create, { body }));
  }

  async join(address: string, serverId: string, inviteCode?: string): Promise<JoinedServer> {
    const { accounts, rest } = this.deps;
    const url = normalised(address);
    const { userId } = await accounts.ensureAccount(url);
    const body = inviteCode === undefined ? {} : { inviteCode };
    return this.settle(
      url,
      userId,
      await rest.call(url, serverRoutes.join, { params: { id: serverId }, body }),
    );
  }

  async leave(roomId: string): Promise<void> {
    const { standing } = this.placeOf(roomId);
    const route = LEFT_ALREADY.has(standing) ? null : serverRoutes.leave;
    await this.end(roomId, async ({ signalServerUrl }) => {
      if (route) await this.deps.rest.call(signalServerUrl, route, { params: { id: roomId } });
    });
  }

  async remove(roomId: string): Promise<void> {
    await this.end(roomId, async ({ signalServerUrl }) => {
      await this.deps.rest.call(signalServerUrl, serverRoutes.remove, { params: { id: roomId } });
    });
  }

  async update(roomId: string, changes: Parameters<Places["update"]>[1]): Promise<void> {
    const { rest, versions } = this.deps;
    const { signalServerUrl } = this.placeOf(roomId).room;
    const params = { id: roomId };
    const version =
      versions.of(signalServerUrl, roomId) ??
      (await rest.call(signalServerUrl, serverRoutes.get, { params })).version;
    const { tags, channels, ...plain } = changes;
    const lists = {
      ...(tags && { tags: [...tags] }),
      ...(channels && { channels: channels.map(channelInput) }),
    };
    try {
      const body = { ...plain, ...lists, version };
      await this.note(
        signalServerUrl,
        await rest.call(signalServerUrl, serverRoutes.update, { params, body }),
      );
    } catch (error) {
      // So that the next try starts from what somebody else has written meanwhile.
      if (error instanceof ClientProblem && error.code === "CONFLICT")
        await this.note(signalServerUrl, await rest.call(signalServerUrl, serverRoutes.get, { params }));
      throw error;
    }
  }

  async mute(roomId: string, muted: boolean): Promise<void> {
    const { saved } = this.deps;
    const { signalServerUrl } = this.placeOf(roomId).room;
    const updatedAt = this.now(signalServerUrl);
    await saved.change(
      new Map([[roomId, (known) => known && changed(known, { ...known, muted, updatedAt })]]),
    );
    this.tellSaved(roomId);
  }

  private placeOf(roomId: string): Place {
    const place = this.deps.saved.place(roomId);
    if (!place) throw new ClientProblem("NOT_FOUND");
    return place;
  }

  /** On the clock of its server, as far as that is known. */
  private now(url: string): number {
    return this.deps.connections.of(url)?.now() ?? this.deps.platform.now();
  }

  private async settle(url: string, actorUserId: string, server: JoinedServer): Promise<JoinedServer> {
    const { saved, versions, visits } = this.deps;
    if (!mayClaim(this.deps, saved, url, server.id)) throw new ClientProblem("BAD_ANSWER");
    visits.noteMembership(server.id);
    versions.note(url, server);
    const known = saved.place(server.id)?.room;
    await saved.begin(roomAfter(known, server, { signalServerUrl: url, actorUserId }));
    this.tellSaved(server.id);
    saved.patch(server.id, {
      standing: onlineConnection(this.deps.connections, url) ? "joining" : "offline",
    });
    void visits.enter(url, server.id);
    return server;
  }

  private async end(roomId: string, ask: (room: DeviceRoom) => Promise<void>): Promise<void> {
    const { saved, connections, tell } = this.deps;
    const { room } = this.placeOf(roomId);
    const isTimeKnown = onlineConnection(connections, room.signalServerUrl) !== null;
    // Before it is asked for, so that whoever comes back joins later than this on every clock.
    const at = isTimeKnown ? Math.max(room.joinedAt, this.now(room.signalServerUrl)) : room.joinedAt;
    this.leaving.add(roomId);
    try {
      await ask(room).catch((error: unknown) => {
        if (!isNotThere(error)) throw error;
      });
      await saved.forget(roomId, at);
      tell({ type: "saved-room-remove", roomId, at });
    } finally {
      this.leaving.delete(roomId);
    }
  }

  private async note(url: string, server: Server): Promise<void> {
    const { saved, versions } = this.deps;
    if (!saved.isOf(url, server.id) || !versions.note(url, server)) return;
    await saved.change(
      new Map([
        [server.id, (known) => known && roomAfter(known, server, { ...known, signalServerUrl: url })],
      ]),
    );
  }

  private tellSaved(roomId: string): void {
    const { saved, tell } = this.deps;
    const room = saved.place(roomId)?.room;
    if (room) tell({ type: "saved-room-sync", room });
  }
}

type ChannelInput = NonNullable<Parameters<Places["update"]>[1]["channels"]>[number];

const channelInput = ({ id, name, kind }: ChannelInput) => ({
  name,
  ...(id !== undefined && { id }),
  ...(kind !== undefined && { kind }),
});
