import { z } from "zod";
import { eventSubject } from "./subject.ts";

/** Subjects that the gateway publishes. */
export const gatewaySubjects = {
  /** WS15: this gateway is shutting down; clients connected through it should reconnect through another one. */
  leaving: eventSubject("gateway.leaving", z.object({ gatewayId: z.string() })),
} as const;
