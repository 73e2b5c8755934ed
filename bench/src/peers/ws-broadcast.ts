import { createServer } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import type { WebSocket } from "ws";
import { serverFrame } from "../wire/frames.ts";
import { host, port } from "./address.ts";

/**
 * The minimum broadcast over `ws`: all connections are in one room, and each message goes to all others unchanged.
 * With `BROADCAST=frame` the frame is built once and written to the sockets; else it is a loop of `ws.send`.
 */
const prebuilt = process.env["BROADCAST"] === "frame";
const wss = new WebSocketServer({ noServer: true });
const members = new Map<WebSocket, Duplex>();

function broadcast(sender: WebSocket, data: Buffer): void {
  if (prebuilt) {
    const frame = serverFrame(data);
    for (const [member, socket] of members) if (member !== sender) socket.write(frame);
  } else {
    const text = data.toString();
    for (const member of members.keys()) if (member !== sender) member.send(text);
  }
}

createServer()
  .on("upgrade", (request, socket, head) => {
    wss.handleUpgrade(request, socket, head, (ws) => {
      members.set(ws, socket);
      ws.on("message", (data: Buffer) => broadcast(ws, data));
      ws.on("close", () => members.delete(ws));
      ws.on("error", () => ws.terminate());
    });
  })
  .listen(port, host);
