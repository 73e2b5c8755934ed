/** How the servers are called in the tables. */
export const OURS = { plain: "Hearth, plain", socketIo: "Hearth, Socket.IO", rest: "Hearth" } as const;

export const PEERS = {
  wsFrame: "ws, prebuilt frame",
  wsSend: "ws.send loop",
  socketIo: "stock Socket.IO",
  ws: "bare ws",
} as const;
