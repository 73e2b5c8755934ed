import { WebSocketServer } from "ws";
import { host, port } from "./address.ts";

/** `ws` with one round trip of JSON and no state per connection. */
new WebSocketServer({ host, port }).on("connection", (ws) => {
  ws.on("message", (data: Buffer) => {
    const { clientInstanceId } = JSON.parse(data.toString()) as Record<string, unknown>;
    ws.send(JSON.stringify({ type: "identified", clientInstanceId, serverTime: Date.now() }));
  });
  ws.on("error", () => ws.terminate());
});
