import { createServer } from "node:http";
import { WebSocketServer } from "ws";
import { host, port } from "./address.ts";

/** The server behind the gateways: 1 KB of JSON for any request, an echo on any socket. */
const body = Buffer.from(JSON.stringify({ items: ["x".repeat(1000)], nextCursor: null }));

const http = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume();
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length }).end(body);
});

new WebSocketServer({ server: http }).on("connection", (ws) => {
  ws.on("message", (data: Buffer, binary) => ws.send(data, { binary }));
  ws.on("error", () => ws.terminate());
});

http.listen(port, host);
