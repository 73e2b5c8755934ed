import type { Incoming } from "../connection/connection.ts";
import type { ServerLost } from "./servers.ts";
import type { ServersDeps } from "./servers-deps.ts";
import { presentAfter, presentOf, serverIdOf } from "./presence.ts";
import type { PresenceEvent } from "./presence.ts";
import { withChangeTime, updatedRecord, withChannels } from "./server-record.ts";
import type { ServerVersions } from "./server-versions.ts";
import type { RecordChange, SavedServers } from "./saved-servers.ts";

interface ServerEventsDeps extends ServersDeps {
  readonly saved: SavedServers;
  readonly versions: ServerVersions;
  readonly removeLost: (roomId: string, reason: ServerLost["reason"]) => Promise<void>;
}

/** Handles events of servers. An instance cannot change servers of another one. */
export class ServerEvents {
  private readonly deps: ServerEventsDeps;

  constructor(deps: ServerEventsDeps) {
    this.deps = deps;
  }

  /** Resolves when the change is written. Presence is shown at once. */
  async handle(url: string, message: Incoming): Promise<void> {
    switch (message.type) {
      case "server_joined":
        return this.onJoined(url, message);
      case "removed_from_server":
        return this.hasJoined(url, message.serverId)
          ? this.deps.removeLost(message.serverId, message.reason)
          : undefined;
      case "server_updated":
        return this.update(url, message.server);
      case "member_updated":
        this.updatePresence(url, message);
        return this.changeRole(url, message);
      case "user_joined":
      case "user_left":
      case "user_updated":
      case "status_update":
      case "voice_state":
        this.updatePresence(url, message);
        return undefined;
      default:
        return undefined;
    }
  }

  private isSavedAt(url: string, roomId: string): boolean {
    const { saved } = this.deps;
    return saved.get(roomId) !== undefined && saved.isUnclaimedOrOf(url, roomId);
  }

  /**
   * After a rejoin the end of the previous membership may still be reported; only what follows `server_joined`
   * counts.
   */
  private hasJoined(url: string, roomId: string): boolean {
    return this.isSavedAt(url, roomId) && this.deps.saved.get(roomId)?.joinState === "joined";
  }

  private async onJoined(
    url: string,
    joined: Extract<Incoming, { readonly type: "server_joined" }>,
  ): Promise<void> {
    const { serverId, users, channels } = joined;
    if (!this.isSavedAt(url, serverId)) return;
    this.deps.saved.patch(serverId, { joinState: "joined", present: presentOf(users) });
    await this.change(serverId, (known) => known && withChannels(known, channels));
  }

  private updatePresence(url: string, event: PresenceEvent): void {
    const { saved } = this.deps;
    const only = serverIdOf(event);
    for (const { room, present, joinState } of saved.ofInstance(url))
      if (joinState === "joined" && (only === null || only === room.id))
        saved.patch(room.id, { present: presentAfter(present, event) });
  }

  private async update(
    url: string,
    server: Extract<Incoming, { readonly type: "server_updated" }>["server"],
  ): Promise<void> {
    const { versions } = this.deps;
    if (!this.isSavedAt(url, server.id) || !versions.note(url, server)) return;
    await this.change(server.id, (known) => known && updatedRecord(known, server, known));
  }

  private async changeRole(
    url: string,
    { serverId, userId, role }: Extract<Incoming, { readonly type: "member_updated" }>,
  ): Promise<void> {
    if (!this.isSavedAt(url, serverId) || userId !== this.deps.accounts.actorId(url)) return;
    await this.change(serverId, (known) => known && withChangeTime(known, { ...known, role }));
  }

  private change(roomId: string, next: RecordChange): Promise<void> {
    return this.deps.saved.change(new Map([[roomId, next]]));
  }
}
