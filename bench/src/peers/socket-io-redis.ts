import { createServer } from "node:http";
import { createAdapter, createShardedAdapter } from "@socket.io/redis-adapter";
import { Redis } from "ioredis";
import { Server } from "socket.io";
import { host, port } from "./address.ts";

interface Named {
  readonly serverId: string;
}

/** One stock Socket.IO node with its classic Redis adapter or, with `ADAPTER=sharded`, the sharded one. */
const redis = new Redis(process.env["REDIS_URL"] ?? "", { password: process.env["REDIS_PASSWORD"] ?? "" });
const subscriber = redis.duplicate();
const create = process.env["ADAPTER"] === "sharded" ? createShardedAdapter : createAdapter;

const http = createServer();
const io = new Server(http, {
  transports: ["websocket"],
  serveClient: false,
  adapter: create(redis, subscriber),
});

io.on("connection", (socket) => {
  socket.on("join_server", async ({ serverId }: Named) => {
    await socket.join(serverId);
    socket.emit("server_joined", { type: "server_joined", serverId, users: [] });
  });
  socket.on("chat_message", (message: Named) => socket.to(message.serverId).emit("chat_message", message));
});

http.listen(port, host);
