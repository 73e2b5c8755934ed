import { z } from "zod";
import { route } from "./route.ts";
import { ok } from "./success.ts";

/** GW1: the state of one service in `GET /api/health`. */
export type ServiceState = "ready" | "not_ready" | "unreachable";

export interface Health {
  readonly status: "ok" | "degraded";
  readonly version: string;
  readonly timestamp: number;
  readonly services: Readonly<Record<string, ServiceState>>;
}

export const healthSchema = z.object({
  status: z.enum(["ok", "degraded"]),
  version: z.string(),
  timestamp: z.int(),
  services: z.record(z.string(), z.enum(["ready", "not_ready", "unreachable"])),
}) satisfies z.ZodType<Health>;

/** The gateway's own route. */
export const healthRoutes = {
  health: route({
    operationId: "getHealth",
    owner: "gateway",
    method: "get",
    path: "/api/health",
    auth: "none",
    tag: "Operations",
    summary: "The version, and the state of each service",
    success: ok("The state", healthSchema),
    errors: [],
  }),
} as const;
