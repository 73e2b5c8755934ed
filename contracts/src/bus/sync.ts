import { z } from "zod";
import { eventSubject, requestSubject } from "./subject.ts";

/** Subjects that sync-service answers or publishes. */
export const syncSubjects = {
  /** AS1: validates an `account_sync` envelope and hands it to every node. Refuses with `INVALID_REQUEST`. */
  relay: requestSubject(
    "sync.relay",
    z.object({ oderId: z.string(), connectionId: z.string(), envelope: z.record(z.string(), z.unknown()) }),
    z.object({}),
  ),
  /** AS1: for every open connection of `oderId` but `exceptConnectionId`. */
  deliver: eventSubject(
    "sync.deliver",
    z.object({
      oderId: z.string(),
      exceptConnectionId: z.string(),
      envelope: z.record(z.string(), z.unknown()),
    }),
  ),
} as const;
