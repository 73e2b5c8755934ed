import { z } from "zod";
import { requestSubject } from "./subject.ts";

export * from "./auth.ts";
export * from "./discovery.ts";
export * from "./gateway.ts";
export * from "./presence.ts";
export * from "./subject.ts";
export * from "./sync.ts";

/** The four services behind the gateway. */
export const SERVICES = ["auth", "presence", "discovery", "sync"] as const;
export type ServiceName = (typeof SERVICES)[number];

/** GW1: every service answers this request about itself. */
export const healthSubject = (service: ServiceName) =>
  requestSubject(`${service}.health`, z.object({}), z.object({ ready: z.boolean() }));
