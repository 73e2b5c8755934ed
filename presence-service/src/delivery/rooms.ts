import type { ConnectionState } from "../connection/connection-state.ts";
import type { Frame } from "../transport/frame.ts";

/** Ends a {@link Rooms.hold}: admits the connection with the held frames, or drops them. */
export type EndHold = (admitted: boolean) => void;

/** The rooms of this node, by key. Delivery waits for nothing. */
export type Rooms = ReturnType<typeof createRooms>;

export const createRooms = () => {
  const members = new Map<string, Set<ConnectionState>>();
  const held = new Map<string, Map<ConnectionState, Frame[]>>();

  const enter = (key: string, state: ConnectionState): void => {
    members.set(key, (members.get(key) ?? new Set()).add(state));
  };

  const leave = (key: string, state: ConnectionState): void => {
    const room = members.get(key);
    if (room?.delete(state) && room.size === 0) members.delete(key);
  };

  return {
    enter,
    leave,

    /** The room's connections on this node: a copy, so that a caller may close them while it iterates. */
    of: (key: string): ConnectionState[] => [...(members.get(key) ?? [])],

    /** Sends a frame to every connection in the room, except one. */
    deliver(key: string, frame: Frame, exceptConnectionId: string | null): void {
      for (const { connection } of members.get(key) ?? [])
        if (connection.id !== exceptConnectionId) connection.send(frame);
      for (const [{ connection }, frames] of held.get(key) ?? [])
        if (connection.id !== exceptConnectionId) frames.push(frame);
    },

    /** Sends a frame to the selected connections in the room, except one. */
    deliverWhere(
      key: string,
      frame: Frame,
      isReceiver: (state: ConnectionState) => boolean,
      exceptConnectionId: string | null,
    ): void {
      for (const state of members.get(key) ?? []) {
        const { connection } = state;
        if (connection.id !== exceptConnectionId && isReceiver(state)) connection.send(frame);
      }
    },

    /**
     * Holds the room's frames for a joining connection until its snapshot of the room is ready: it misses nothing, and
     * receives nothing before the snapshot (rule WS8).
     */
    hold(key: string, state: ConnectionState): EndHold {
      leave(key, state);
      const holders = held.get(key) ?? new Map<ConnectionState, Frame[]>();
      const frames: Frame[] = [];
      held.set(key, holders.set(state, frames));
      return (admitted) => {
        holders.delete(state);
        if (holders.size === 0) held.delete(key);
        if (!admitted) return;
        for (const frame of frames) state.connection.send(frame);
        enter(key, state);
      };
    },
  };
};

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
