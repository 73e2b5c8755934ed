export { readGatewayConfig } from "./config.ts";
export type { GatewayConfig } from "./config.ts";
export { createGatewayService } from "./service.ts";
export type { Gateway, GatewayDeps, Upstreams } from "./service.ts";
export { createLocalUpstream } from "./upstreams/upstream.local.ts";
export { createRemoteUpstream } from "./upstreams/upstream.remote.ts";
export type { RemoteUpstreamOptions } from "./upstreams/upstream.remote.ts";
export type { Upstream } from "./upstreams/upstream.ts";
