import { serverRoutes } from "@hearth/contracts";
import type { JoinedServer, Server } from "@hearth/contracts";
import type { DeviceRoom } from "@hearth/device";
import { normaliseServerUrl } from "@hearth/device";
import { ClientProblem } from "@hearth/device";
import type { SavedServer, Servers } from "./servers.ts";
import { mayClaim, onlineConnection } from "./servers-deps.ts";
import type { ServersDeps } from "./servers-deps.ts";
import { withChangeTime, updatedRecord } from "./server-record.ts";
import type { ServerVersions } from "./server-versions.ts";
import type { SavedServers } from "./saved-servers.ts";
import type { Rejoining } from "./rejoining.ts";

interface ServerActionsDeps extends ServersDeps {
  readonly saved: SavedServers;
  readonly versions: ServerVersions;
  readonly rejoining: Rejoining;
}

type Actions = Pick<Servers, "create" | "join" | "leave" | "update" | "remove" | "mute">;

/** In these states leaving is local to the account's devices. */
const LEFT_ALREADY: ReadonlySet<SavedServer["joinState"]> = new Set([
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

const isNotFound = (error: unknown): boolean => error instanceof ClientProblem && error.code === "NOT_FOUND";

/** The actions of the user. */
export class ServerActions implements Actions {
  private readonly deps: ServerActionsDeps;
  private readonly leaving = new Set<string>();

  constructor(deps: ServerActionsDeps) {
    this.deps = deps;
  }

  /** True while the user leaves or deletes the server here, so that its removal is not reported as a loss. */
  isLeaving(roomId: string): boolean {
    return this.leaving.has(roomId);
  }

  async create(address: string, server: Parameters<Servers["create"]>[1]): Promise<JoinedServer> {
    const { accounts, rest } = this.deps;
    const url = normalised(address);
    const { userId } = await accounts.ensureAccount(url);
    const { tags, ...plain } = server;
    const body = { ...plain, ...(tags && { tags: [...tags] }) };
    return this.saveJoined(url, userId, await rest.call(url, serverRoutes.create, { body }));
  }

  async join(address: string, serverId: string, inviteCode?: string): Promise<JoinedServer> {
    const { accounts, rest } = this.deps;
    const url = normalised(address);
    const { userId } = await accounts.ensureAccount(url);
    const body = inviteCode === undefined ? {} : { inviteCode };
    return this.saveJoined(
      url,
      userId,
      await rest.call(url, serverRoutes.join, { params: { id: serverId }, body }),
    );
  }

  async leave(roomId: string): Promise<void> {
    const { joinState } = this.savedServer(roomId);
    const route = LEFT_ALREADY.has(joinState) ? null : serverRoutes.leave;
    await this.end(roomId, async ({ signalServerUrl }) => {
      if (route) await this.deps.rest.call(signalServerUrl, route, { params: { id: roomId } });
    });
  }

  async remove(roomId: string): Promise<void> {
    await this.end(roomId, async ({ signalServerUrl }) => {
      await this.deps.rest.call(signalServerUrl, serverRoutes.remove, { params: { id: roomId } });
    });
  }

  async update(roomId: string, changes: Parameters<Servers["update"]>[1]): Promise<void> {
    const { rest, versions } = this.deps;
    const { signalServerUrl } = this.savedServer(roomId).room;
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
      await this.saveUpdated(
        signalServerUrl,
        await rest.call(signalServerUrl, serverRoutes.update, { params, body }),
      );
    } catch (error) {
      // The next try starts from the current version.
      if (error instanceof ClientProblem && error.code === "CONFLICT")
        await this.saveUpdated(
          signalServerUrl,
          await rest.call(signalServerUrl, serverRoutes.get, { params }),
        );
      throw error;
    }
  }

  async mute(roomId: string, muted: boolean): Promise<void> {
    const { saved } = this.deps;
    const { signalServerUrl } = this.savedServer(roomId).room;
    const updatedAt = this.now(signalServerUrl);
    await saved.change(
      new Map([[roomId, (known) => known && withChangeTime(known, { ...known, muted, updatedAt })]]),
    );
    this.syncSaved(roomId);
  }

  private savedServer(roomId: string): SavedServer {
    const server = this.deps.saved.get(roomId);
    if (!server) throw new ClientProblem("NOT_FOUND");
    return server;
  }

  /** The instance's clock, if it is known. */
  private now(url: string): number {
    return this.deps.connections.of(url)?.now() ?? this.deps.platform.now();
  }

  private async saveJoined(url: string, actorUserId: string, server: JoinedServer): Promise<JoinedServer> {
    const { saved, versions, rejoining } = this.deps;
    if (!mayClaim(this.deps, saved, url, server.id)) throw new ClientProblem("BAD_ANSWER");
    rejoining.noteMembership(server.id);
    versions.note(url, server);
    const known = saved.get(server.id)?.room;
    await saved.saveMembership(updatedRecord(known, server, { signalServerUrl: url, actorUserId }));
    this.syncSaved(server.id);
    saved.patch(server.id, {
      joinState: onlineConnection(this.deps.connections, url) ? "joining" : "offline",
    });
    void rejoining.join(url, server.id);
    return server;
  }

  private async end(roomId: string, ask: (room: DeviceRoom) => Promise<void>): Promise<void> {
    const { saved, connections, sendToDevices } = this.deps;
    const { room } = this.savedServer(roomId);
    const isTimeKnown = onlineConnection(connections, room.signalServerUrl) !== null;
    // Taken before the request, so that a rejoin is later on every clock.
    const at = isTimeKnown ? Math.max(room.joinedAt, this.now(room.signalServerUrl)) : room.joinedAt;
    this.leaving.add(roomId);
    try {
      await ask(room).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
      await saved.forget(roomId, at);
      sendToDevices({ type: "saved-room-remove", roomId, at });
    } finally {
      this.leaving.delete(roomId);
    }
  }

  private async saveUpdated(url: string, server: Server): Promise<void> {
    const { saved, versions } = this.deps;
    if (!saved.isUnclaimedOrOf(url, server.id) || !versions.note(url, server)) return;
    await saved.change(
      new Map([
        [server.id, (known) => known && updatedRecord(known, server, { ...known, signalServerUrl: url })],
      ]),
    );
  }

  private syncSaved(roomId: string): void {
    const { saved, sendToDevices } = this.deps;
    const room = saved.get(roomId)?.room;
    if (room) sendToDevices({ type: "saved-room-sync", room });
  }
}

type ChannelInput = NonNullable<Parameters<Servers["update"]>[1]["channels"]>[number];

const channelInput = ({ id, name, kind }: ChannelInput) => ({
  name,
  ...(id !== undefined && { id }),
  ...(kind !== undefined && { kind }),
});
