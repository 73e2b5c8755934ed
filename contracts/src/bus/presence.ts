import { z } from "zod";
import { eventSubject, requestSubject } from "./subject.ts";

/** Subjects that presence-service answers or publishes. */
export const presenceSubjects = {
  /** Number of users in each server's room; servers without users may be absent. */
  online: requestSubject(
    "presence.online",
    z.object({ serverIds: z.array(z.string()) }),
    z.object({ counts: z.record(z.string(), z.number()) }),
  ),
  /** DI2: messages sent per server since the last such event; feeds the trending list. */
  activity: eventSubject(
    "presence.activity",
    z.object({ items: z.array(z.object({ serverId: z.string(), messages: z.number() })) }),
  ),
} as const;
