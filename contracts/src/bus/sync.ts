import { z } from "zod";
import { eventSubject, requestSubject } from "./subject.ts";

/**
 * Number of `account_sync` messages that the sending connection has relayed, this one included. Absent when a replica
 * of an earlier version relays the envelope, as in a rolling upgrade; such an envelope is always delivered.
 */
const sequence = z.int().positive().optional();

/** Subjects that sync-service answers or publishes. */
export const syncSubjects = {
  /** AS1: validates an `account_sync` envelope and hands it to every node. Refuses with `INVALID_REQUEST`. */
  relay: requestSubject(
    "sync.relay",
    z.object({
      oderId: z.string(),
      connectionId: z.string(),
      sequence,
      envelope: z.record(z.string(), z.unknown()),
    }),
    z.object({}),
  ),
  /** AS1: for every open connection of `oderId` except the sender, `exceptConnectionId`. */
  deliver: eventSubject(
    "sync.deliver",
    z.object({
      oderId: z.string(),
      exceptConnectionId: z.string(),
      sequence,
      envelope: z.record(z.string(), z.unknown()),
    }),
  ),
} as const;
