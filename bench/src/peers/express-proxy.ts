import { Agent, createServer } from "node:http";
import express from "express";
import { createProxyMiddleware } from "http-proxy-middleware";
import { host, port, upstreamPort } from "./address.ts";

/** express 5 with default http-proxy-middleware 4 and a keep-alive agent. */
const proxy = createProxyMiddleware({
  target: `http://${host}:${upstreamPort}`,
  agent: new Agent({ keepAlive: true, maxSockets: 256 }),
  ws: false,
});

const app = express();
app.use(proxy);
const server = createServer(app);
// The proxy has its own request and socket types for the server's objects.
server.on("upgrade", (...upgrade: Parameters<typeof proxy.upgrade>) => proxy.upgrade(...upgrade));
server.listen(port, host);
