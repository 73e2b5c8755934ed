import { z } from "zod";
import { eventSubject } from "./subject.ts";

/** Subjects that the gateway publishes. */
export const gatewaySubjects = {
  /** WS15: this gateway is about to end; whoever is connected through it is to come back, through another one. */
  leaving: eventSubject("gateway.leaving", z.object({ gatewayId: z.string() })),
} as const;
