import { z } from "zod";
import { accessRequestSchema, channelSchema, roleSchema, serverSchema } from "../servers.ts";
import { eventSubject, requestSubject } from "./subject.ts";

/** Why a membership ended; `deleted` means that the server itself was deleted. */
export const MEMBERSHIP_END_REASONS = ["removed", "banned", "left", "deleted"] as const;
export type MembershipEndReason = (typeof MEMBERSHIP_END_REASONS)[number];

export const membershipEndReasonSchema = z.enum(MEMBERSHIP_END_REASONS);

/** Subjects that discovery-service answers or publishes. */
export const discoverySubjects = {
  /**
   * WS8: may this user enter this server's room? Joining a public server makes the user a member.
   * Refuses with `BANNED`, `ACCESS_DENIED` (also where there is no such server) or `RATE_LIMITED`.
   */
  join: requestSubject(
    "discovery.join",
    z.object({
      userId: z.string(),
      username: z.string().optional(),
      displayName: z.string(),
      serverId: z.string(),
    }),
    z.object({ role: roleSchema, becameMember: z.boolean(), channels: z.array(channelSchema) }),
  ),
  /** WS10: do the two users share a server? */
  shared: requestSubject(
    "discovery.shared",
    z.object({ userId: z.string(), otherUserId: z.string() }),
    z.object({ shared: z.boolean() }),
  ),
  /** AB12: everything that discovery stores about an account, for its export. */
  exportUser: requestSubject(
    "discovery.export",
    z.object({ userId: z.string() }),
    z.object({ data: z.record(z.string(), z.unknown()) }),
  ),
  /** DI7: which of these memberships have ended, for a service that may have missed the event. */
  ended: requestSubject(
    "discovery.ended",
    z.object({ memberships: z.array(z.object({ serverId: z.string(), userId: z.string() })).max(200) }),
    z.object({
      ended: z.array(
        z.object({
          serverId: z.string(),
          userId: z.string(),
          reason: membershipEndReasonSchema,
        }),
      ),
    }),
  ),
  /** DI7 */
  membershipEnded: eventSubject(
    "discovery.membership.ended",
    z.object({
      serverId: z.string(),
      userId: z.string(),
      reason: membershipEndReasonSchema.exclude(["deleted"]),
    }),
  ),
  serverDeleted: eventSubject("discovery.server.deleted", z.object({ serverId: z.string() })),
  serverUpdated: eventSubject("discovery.server.updated", z.object({ server: serverSchema })),
  /** A user became a member, or a member's role changed. */
  memberUpdated: eventSubject(
    "discovery.member.updated",
    z.object({ serverId: z.string(), userId: z.string(), displayName: z.string(), role: roleSchema }),
  ),
  /** DI4: a request was made or decided; `recipients` are the ids of the users to notify. */
  requestUpdated: eventSubject(
    "discovery.request.updated",
    z.object({ request: accessRequestSchema, recipients: z.array(z.string()) }),
  ),
} as const;
