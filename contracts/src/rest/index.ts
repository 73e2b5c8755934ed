import { healthRoutes } from "./health.ts";
import { moderationRoutes, pluginRoutes, requestRoutes } from "./moderation.ts";
import type { RouteContract } from "./route.ts";
import { serverRoutes } from "./servers.ts";
import { userRoutes } from "./users.ts";

export * from "./health.ts";
export * from "./moderation.ts";
export * from "./route.ts";
export * from "./servers.ts";
export * from "./users.ts";

/** Every REST route of the signaling server. */
export const allRoutes: readonly RouteContract[] = [
  ...Object.values(healthRoutes),
  ...Object.values(userRoutes),
  ...Object.values(serverRoutes),
  ...Object.values(moderationRoutes),
  ...Object.values(requestRoutes),
  ...Object.values(pluginRoutes),
];
