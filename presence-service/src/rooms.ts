import type { Client } from "./client.ts";
import type { Frame } from "./transport/frame.ts";

/** The rooms of this node, by key: who hears what. Delivery waits for nothing. */
export class Rooms {
  private readonly members = new Map<string, Set<Client>>();

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

  /** Hands a frame to every connection in the room but one. */
  deliver(key: string, frame: Frame, exceptConnectionId: string | null): void {
    const room = this.members.get(key);
    if (!room) return;
    for (const { connection } of room) {
      if (connection.id !== exceptConnectionId) connection.send(frame);
    }
  }

  /** Hands a frame to the connections of one device in the room. */
  deliverToDevice(key: string, frame: Frame, clientInstanceId: string): void {
    for (const { identity, connection } of this.members.get(key) ?? []) {
      if (identity?.clientInstanceId === clientInstanceId) connection.send(frame);
    }
  }
}

/** Everybody in a server's room. */
export const serverRoom = (serverId: string): string => `server:${serverId}`;
/** Every connection of one user. */
export const accountRoom = (oderId: string): string => `account:${oderId}`;
/** Every connection of one session (rule AU6). */
export const sessionRoom = (sessionId: string): string => `session:${sessionId}`;
/** One connection, wherever it lives; needs no room to be kept. */
export const connectionRoom = (connectionId: string): string => `${CONNECTION}${connectionId}`;
/** The connection that such a key names, or `null` for a real room. */
export const connectionOf = (key: string): string | null =>
  key.startsWith(CONNECTION) ? key.slice(CONNECTION.length) : null;

const CONNECTION = "connection:";
