import { createServer } from "node:http";
import { Server } from "socket.io";
import { host, port } from "./address.ts";

interface Named {
  readonly serverId: string;
}

/** Stock Socket.IO with its own rooms, WebSocket transport only. */
const http = createServer();
const io = new Server(http, { transports: ["websocket"], serveClient: false });

io.on("connection", (socket) => {
  socket.on("identify", ({ clientInstanceId }: Record<string, unknown>) =>
    socket.emit("identified", { type: "identified", clientInstanceId, serverTime: Date.now() }),
  );
  socket.on("join_server", async ({ serverId }: Named) => {
    await socket.join(serverId);
    socket.emit("server_joined", { type: "server_joined", serverId, users: [] });
  });
  socket.on("chat_message", (message: Named) => socket.to(message.serverId).emit("chat_message", message));
});

http.listen(port, host);
