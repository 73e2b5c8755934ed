import { createStore } from "zustand/vanilla";
import type { DeviceRoom } from "@hearth/device";
import type { ClientStore } from "@hearth/store";
import type { Place, PlacesState } from "./places.ts";
import { presentOf } from "./presence.ts";

export type RoomStore = Pick<ClientStore, "rooms" | "room" | "saveRooms" | "removeRoom" | "removals">;

const NOBODY = presentOf([]);

/** How a record looks next, given the one that is known; `undefined` leaves it. */
export type RoomChange = (known: DeviceRoom | undefined) => DeviceRoom | undefined;

/** The rooms as they are stored, and as they are shown: every record is written first, one change after the other. */
export class SavedRooms {
  readonly state = createStore<PlacesState>(() => ({ phase: "loading", places: new Map() }));
  private readonly store: RoomStore;
  private readonly isShown: (room: DeviceRoom) => boolean;
  private last: Promise<unknown> = Promise.resolve();

  constructor(store: RoomStore, isShown: (room: DeviceRoom) => boolean) {
    this.store = store;
    this.isShown = isShown;
  }

  place(roomId: string): Place | undefined {
    return this.state.getState().places.get(roomId);
  }

  placesAt(signalServerUrl: string): readonly Place[] {
    return [...this.state.getState().places.values()].filter(
      ({ room }) => room.signalServerUrl === signalServerUrl,
    );
  }

  /** False for a room that is known as another server's. */
  isOf(signalServerUrl: string, roomId: string): boolean {
    const { room } = this.place(roomId) ?? {};
    return room === undefined || room.signalServerUrl === signalServerUrl;
  }

  /** Reads the store; answers the rooms that were not shown before. */
  load(): Promise<readonly DeviceRoom[]> {
    return this.inTurn(async () => {
      const stored = (await this.store.rooms()).filter(({ kind }) => kind === "server");
      const rooms = stored.filter(this.isShown);
      const { places: before } = this.state.getState();
      const places = new Map(rooms.map((room) => [room.id, placeOf(room, before.get(room.id))]));
      this.state.setState({ phase: "ready", places });
      return rooms.filter(({ id }) => !before.has(id));
    });
  }

  /** Writes the changed records, then shows what the store made of them. */
  change(changes: ReadonlyMap<string, RoomChange>): Promise<void> {
    return this.inTurn(async () => {
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

  /** A membership that is new however the clocks went: an earlier removal of the room does not stand against it. */
  async begin(room: DeviceRoom): Promise<void> {
    await this.change(new Map([[room.id, () => room]]));
    if (this.place(room.id)) return;
    const removal = (await this.store.removals()).find(({ kind, id }) => kind === "room" && id === room.id);
    if (removal) await this.change(new Map([[room.id, () => ({ ...room, joinedAt: removal.at + 1 })]]));
  }

  forget(roomId: string, at?: number): Promise<void> {
    return this.inTurn(async () => {
      await this.store.removeRoom(roomId, at);
      const places = new Map(this.state.getState().places);
      if (places.delete(roomId)) this.state.setState({ places });
    });
  }

  /** What is known of a room only while it is shown. */
  patch(roomId: string, changes: Partial<Pick<Place, "standing" | "present">>): void {
    const place = this.place(roomId);
    if (!place) return;
    const next = { ...place, ...changes };
    if (next.standing === place.standing && next.present === place.present) return;
    this.state.setState({ places: new Map(this.state.getState().places).set(roomId, next) });
  }

  private show(rooms: readonly DeviceRoom[]): void {
    const places = new Map(this.state.getState().places);
    for (const room of rooms) places.set(room.id, placeOf(room, places.get(room.id)));
    this.state.setState({ places });
  }

  /** A failed change does not stop the next. */
  private inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }
}

const placeOf = (room: DeviceRoom, before: Place | undefined): Place =>
  before ? { ...before, room } : { room, standing: "unknown", present: NOBODY };
