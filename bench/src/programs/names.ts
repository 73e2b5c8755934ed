/** Names of the servers in the tables. */
export const OURS = { plain: "Hearth, plain", socketIo: "Hearth, Socket.IO", rest: "Hearth" } as const;

/** Names of several variants of ours. */
export const CLUSTER = {
  embedded: "Hearth, embedded",
  nodes: (count: number): string => `Hearth, ${count} node${count === 1 ? "" : "s"}`,
  overNats: "Hearth, over NATS",
  nodeAlone: "Hearth, over NATS, the node alone",
} as const;

export const PEERS = {
  wsFrame: "ws, prebuilt frame",
  wsSend: "ws.send loop",
  socketIo: "stock Socket.IO",
  ws: "bare ws",
  adapter: "Socket.IO + redis-adapter",
  sharded: "the same, sharded adapter",
  natsRequest: "stock NATS request()",
} as const;
