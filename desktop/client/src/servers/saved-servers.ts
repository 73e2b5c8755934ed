import { createStore } from "zustand/vanilla";
import type { DeviceRoom } from "@hearth/device";
import type { ClientStore } from "@hearth/store";
import type { SavedServer, ServersState } from "./servers.ts";
import { presentOf } from "./presence.ts";

export type ServerStore = Pick<ClientStore, "rooms" | "room" | "saveRooms" | "removeRoom" | "removals">;

const NOBODY = presentOf([]);

/** Computes the next record from the known one; `undefined` changes nothing. */
export type RecordChange = (known: DeviceRoom | undefined) => DeviceRoom | undefined;

/** The servers as stored and as shown. Every change is written first, one after the other. */
export class SavedServers {
  readonly state = createStore<ServersState>(() => ({ phase: "loading", servers: new Map() }));
  private readonly store: ServerStore;
  private readonly isShown: (room: DeviceRoom) => boolean;
  private lastWrite: Promise<unknown> = Promise.resolve();

  constructor(store: ServerStore, isShown: (room: DeviceRoom) => boolean) {
    this.store = store;
    this.isShown = isShown;
  }

  get(roomId: string): SavedServer | undefined {
    return this.state.getState().servers.get(roomId);
  }

  ofInstance(signalServerUrl: string): readonly SavedServer[] {
    return [...this.state.getState().servers.values()].filter(
      ({ room }) => room.signalServerUrl === signalServerUrl,
    );
  }

  /** False if the server is known as another instance's. */
  isUnclaimedOrOf(signalServerUrl: string, roomId: string): boolean {
    const { room } = this.get(roomId) ?? {};
    return room === undefined || room.signalServerUrl === signalServerUrl;
  }

  /** Reads the store. Returns the servers that were not shown before. */
  load(): Promise<readonly DeviceRoom[]> {
    return this.inOrder(async () => {
      const stored = (await this.store.rooms()).filter(({ kind }) => kind === "server");
      const rooms = stored.filter(this.isShown);
      const { servers: before } = this.state.getState();
      const servers = new Map(rooms.map((room) => [room.id, savedServerOf(room, before.get(room.id))]));
      this.state.setState({ phase: "ready", servers });
      return rooms.filter(({ id }) => !before.has(id));
    });
  }

  /** Writes the changed records, then shows what the store merged. */
  change(changes: ReadonlyMap<string, RecordChange>): Promise<void> {
    return this.inOrder(async () => {
      const rooms: DeviceRoom[] = [];
      for (const [id, next] of changes) {
        const known = await this.store.room(id);
        const room = next(known);
        if (room && room !== known) rooms.push(room);
      }
      if (rooms.length === 0) return;
      await this.store.saveRooms(rooms);
      const stored = await Promise.all(rooms.map(({ id }) => this.store.room(id)));
      this.show(stored.filter((room) => room !== undefined));
    });
  }

  /** Saves a new membership. It wins over an earlier removal even if the clocks disagree. */
  async saveMembership(room: DeviceRoom): Promise<void> {
    await this.change(new Map([[room.id, () => room]]));
    if (this.get(room.id)) return;
    const removal = (await this.store.removals()).find(({ kind, id }) => kind === "room" && id === room.id);
    if (removal) await this.change(new Map([[room.id, () => ({ ...room, joinedAt: removal.at + 1 })]]));
  }

  forget(roomId: string, at?: number): Promise<void> {
    return this.inOrder(async () => {
      await this.store.removeRoom(roomId, at);
      const servers = new Map(this.state.getState().servers);
      if (servers.delete(roomId)) this.state.setState({ servers });
    });
  }

  /** Changes what is only known while the server is shown. */
  patch(roomId: string, changes: Partial<Pick<SavedServer, "joinState" | "present">>): void {
    const server = this.get(roomId);
    if (!server) return;
    const next = { ...server, ...changes };
    if (next.joinState === server.joinState && next.present === server.present) return;
    this.state.setState({ servers: new Map(this.state.getState().servers).set(roomId, next) });
  }

  private show(rooms: readonly DeviceRoom[]): void {
    const servers = new Map(this.state.getState().servers);
    for (const room of rooms) servers.set(room.id, savedServerOf(room, servers.get(room.id)));
    this.state.setState({ servers });
  }

  /** A failed change does not block the next one. */
  private inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.lastWrite.then(work);
    this.lastWrite = result.catch(() => undefined);
    return result;
  }
}

const savedServerOf = (room: DeviceRoom, before: SavedServer | undefined): SavedServer =>
  before ? { ...before, room } : { room, joinState: "unknown", present: NOBODY };
