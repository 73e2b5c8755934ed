import { Agent, createServer } from "node:http";
import express from "express";
import { createProxyMiddleware } from "http-proxy-middleware";
import { host, port, upstreamPort } from "./address.ts";

/** express 5 with http-proxy-middleware 4 as it comes, but for an agent that keeps connections. */
const proxy = createProxyMiddleware({
  target: `http://${host}:${upstreamPort}`,
  agent: new Agent({ keepAlive: true, maxSockets: 256 }),
  ws: false,
});

const app = express();
app.use(proxy);
const server = createServer(app);
// The proxy speaks of its own request and socket types; they are the ones the server hands over.
server.on("upgrade", (...upgrade: Parameters<typeof proxy.upgrade>) => proxy.upgrade(...upgrade));
server.listen(port, host);
