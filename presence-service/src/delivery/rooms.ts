import type { Client } from "../connection/client.ts";
import type { Frame } from "../transport/frame.ts";

/** Ends a {@link Rooms.hold}: admits the connection with the held frames, or drops them. */
export type EndHold = (admitted: boolean) => void;

/** The rooms of this node, by key. Delivery waits for nothing. */
export class Rooms {
  private readonly members = new Map<string, Set<Client>>();
  private readonly held = new Map<string, Map<Client, Frame[]>>();

  enter(key: string, client: Client): void {
    const room = this.members.get(key);
    if (room) room.add(client);
    else this.members.set(key, new Set([client]));
  }

  leave(key: string, client: Client): void {
    const room = this.members.get(key);
    if (!room?.delete(client)) return;
    if (room.size === 0) this.members.delete(key);
  }

  /** The connections of this node in a room; a copy, safe to close them while walking it. */
  of(key: string): Client[] {
    return [...(this.members.get(key) ?? [])];
  }

  /** Sends a frame to every connection in the room, except one. */
  deliver(key: string, frame: Frame, exceptConnectionId: string | null): void {
    for (const { connection } of this.members.get(key) ?? []) {
      if (connection.id !== exceptConnectionId) connection.send(frame);
    }
    for (const [{ connection }, frames] of this.held.get(key) ?? []) {
      if (connection.id !== exceptConnectionId) frames.push(frame);
    }
  }

  /** Sends a frame to the selected connections in the room, except one. */
  deliverWhere(
    key: string,
    frame: Frame,
    isMeant: (client: Client) => boolean,
    exceptConnectionId: string | null,
  ): void {
    for (const client of this.members.get(key) ?? []) {
      const { connection } = client;
      if (connection.id !== exceptConnectionId && isMeant(client)) connection.send(frame);
    }
  }

  /**
   * Holds the room's frames for a joining connection until its snapshot of the room is ready: it misses nothing, and
   * receives nothing before the snapshot (rule WS8).
   */
  hold(key: string, client: Client): EndHold {
    this.leave(key, client);
    const holders = this.held.get(key) ?? new Map<Client, Frame[]>();
    const frames: Frame[] = [];
    this.held.set(key, holders.set(client, frames));
    return (admitted) => {
      holders.delete(client);
      if (holders.size === 0) this.held.delete(key);
      if (!admitted) return;
      for (const frame of frames) client.connection.send(frame);
      this.enter(key, client);
    };
  }
}

/** Everybody in a server's room. */
export const serverRoom = (serverId: string): string => `server:${serverId}`;
/** Every connection of one user. */
export const accountRoom = (oderId: string): string => `account:${oderId}`;
/** Every connection of one session (rule AU6). */
export const sessionRoom = (sessionId: string): string => `session:${sessionId}`;
/** One connection, on whichever node it is; such a room is not stored. */
export const connectionRoom = (connectionId: string): string => `${CONNECTION}${connectionId}`;
/** The connection that such a key names, or `null` for a real room. */
export const connectionOf = (key: string): string | null =>
  key.startsWith(CONNECTION) ? key.slice(CONNECTION.length) : null;

const CONNECTION = "connection:";
