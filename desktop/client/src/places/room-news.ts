import type { Incoming } from "../connection/connection.ts";
import type { PlaceLost } from "./places.ts";
import type { PlacesDeps } from "./places-deps.ts";
import { presentAfter, presentOf, roomOfNews } from "./presence.ts";
import type { PresenceNews } from "./presence.ts";
import { changed, roomAfter, withChannels } from "./room-record.ts";
import type { RoomVersions } from "./room-versions.ts";
import type { RoomChange, SavedRooms } from "./saved-rooms.ts";

interface RoomNewsDeps extends PlacesDeps {
  readonly saved: SavedRooms;
  readonly versions: RoomVersions;
  readonly lose: (roomId: string, reason: PlaceLost["reason"]) => Promise<void>;
}

/** What servers tell of their rooms. No server has a say about the rooms of another. */
export class RoomNews {
  private readonly deps: RoomNewsDeps;

  constructor(deps: RoomNewsDeps) {
    this.deps = deps;
  }

  /** Resolves when what it says was written; who is there is shown at once. */
  async take(url: string, message: Incoming): Promise<void> {
    switch (message.type) {
      case "server_joined":
        return this.enter(url, message);
      case "removed_from_server":
        return this.hasJoined(url, message.serverId)
          ? this.deps.lose(message.serverId, message.reason)
          : undefined;
      case "server_updated":
        return this.update(url, message.server);
      case "member_updated":
        this.note(url, message);
        return this.changeRole(url, message);
      case "user_joined":
      case "user_left":
      case "user_updated":
      case "status_update":
      case "voice_state":
        this.note(url, message);
        return undefined;
      default:
        return undefined;
    }
  }

  private isAt(url: string, roomId: string): boolean {
    const { saved } = this.deps;
    return saved.place(roomId) !== undefined && saved.isOf(url, roomId);
  }

  /** Whoever came back may still hear of the stay before: the end of a stay is told after its `server_joined`. */
  private hasJoined(url: string, roomId: string): boolean {
    return this.isAt(url, roomId) && this.deps.saved.place(roomId)?.standing === "joined";
  }

  private async enter(
    url: string,
    joined: Extract<Incoming, { readonly type: "server_joined" }>,
  ): Promise<void> {
    const { serverId, users, channels } = joined;
    if (!this.isAt(url, serverId)) return;
    this.deps.saved.patch(serverId, { standing: "joined", present: presentOf(users) });
    await this.change(serverId, (known) => known && withChannels(known, channels));
  }

  private note(url: string, news: PresenceNews): void {
    const { saved } = this.deps;
    const only = roomOfNews(news);
    for (const { room, present, standing } of saved.placesAt(url))
      if (standing === "joined" && (only === null || only === room.id))
        saved.patch(room.id, { present: presentAfter(present, news) });
  }

  private async update(
    url: string,
    server: Extract<Incoming, { readonly type: "server_updated" }>["server"],
  ): Promise<void> {
    const { versions } = this.deps;
    if (!this.isAt(url, server.id) || !versions.note(url, server)) return;
    await this.change(server.id, (known) => known && roomAfter(known, server, known));
  }

  private async changeRole(
    url: string,
    { serverId, userId, role }: Extract<Incoming, { readonly type: "member_updated" }>,
  ): Promise<void> {
    if (!this.isAt(url, serverId) || userId !== this.deps.accounts.actorId(url)) return;
    await this.change(serverId, (known) => known && changed(known, { ...known, role }));
  }

  private change(roomId: string, next: RoomChange): Promise<void> {
    return this.deps.saved.change(new Map([[roomId, next]]));
  }
}
