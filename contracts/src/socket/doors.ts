/** How a client speaks over its socket: one JSON object per frame, or Socket.IO. */
export type SocketDoor = "plain" | "socketio";

/** WS1, GW1: the paths of both doors. The first one of each is the documented one. */
export const SOCKET_PATHS: Readonly<Record<SocketDoor, readonly string[]>> = {
  plain: ["/ws", "/ws/", "/"],
  socketio: ["/socket.io/", "/socket.io"],
};

/** The door at a path, without its query; `undefined` where no socket is served. */
export const socketDoorAt = (path: string): SocketDoor | undefined =>
  SOCKET_PATHS.plain.includes(path) ? "plain" : SOCKET_PATHS.socketio.includes(path) ? "socketio" : undefined;
