import { z } from "zod";
import { OWNED_SERVERS } from "../users.ts";
import { eventSubject, requestSubject } from "./subject.ts";

/** The session behind an opaque token, and its user. */
export interface VerifiedSession {
  readonly userId: string;
  readonly username: string;
  readonly displayName: string;
  readonly sessionId: string;
  /** Epoch ms. */
  readonly expiresAt: number;
}

export const verifiedSessionSchema = z.object({
  userId: z.string(),
  username: z.string(),
  displayName: z.string(),
  sessionId: z.string(),
  expiresAt: z.number(),
}) satisfies z.ZodType<VerifiedSession>;

/** The public half of a signing key, as RFC 8037 writes it. */
export interface PublicKey {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly kid: string;
  readonly alg: string;
  readonly use: string;
}

const publicKeySchema = z.object({
  kty: z.string(),
  crv: z.string(),
  x: z.string(),
  kid: z.string(),
  alg: z.string(),
  use: z.string(),
}) satisfies z.ZodType<PublicKey>;

export const SESSION_END_REASONS = ["revoked", "expired"] as const;
export type SessionEndReason = (typeof SESSION_END_REASONS)[number];

const sessionEndReason = z.enum(SESSION_END_REASONS);

/** Subjects that auth-service answers or publishes. */
export const authSubjects = {
  /** Refuses with `AUTH_INVALID` and a `reason`; `deviceName` is stored for the session list. */
  verify: requestSubject(
    "auth.verify",
    z.object({ token: z.string(), deviceName: z.string().optional() }),
    verifiedSessionSchema,
  ),
  /** GW2: the session of a token, and a JWT that represents it between services for 60 s. */
  exchange: requestSubject(
    "auth.exchange",
    z.object({ token: z.string() }),
    z.object({ session: verifiedSessionSchema, jwt: z.string(), jwtExpiresAt: z.number() }),
  ),
  /** GW2: the key set that verifies those JWTs. */
  keys: requestSubject("auth.keys", z.object({}), z.object({ keys: z.array(publicKeySchema) })),
  /** AU6: which of these sessions have ended, for a service that may have missed the event. */
  ended: requestSubject(
    "auth.ended",
    z.object({ sessions: z.array(z.object({ sessionId: z.string(), userId: z.string() })).max(200) }),
    z.object({ ended: z.array(z.object({ sessionId: z.string(), reason: sessionEndReason })) }),
  ),
  /** AU6 */
  sessionEnded: eventSubject(
    "auth.session.ended",
    z.object({ sessionId: z.string(), userId: z.string(), reason: sessionEndReason }),
  ),
  /** AB11: adds an entry of another service's operator command to the audit log; answered once it is written. */
  audit: requestSubject(
    "auth.audit",
    z.object({
      actor: z.string().max(100),
      action: z.string().regex(/^servers [a-z]{1,20}$/),
      target: z.string().max(200),
      outcome: z.enum(["begun", "done", "not done", "failed"]),
    }),
    z.object({}),
  ),
  /** AB12: has `userId` blocked `otherUserId`? */
  blocked: requestSubject(
    "auth.blocked",
    z.object({ userId: z.string(), otherUserId: z.string() }),
    z.object({ blocked: z.boolean() }),
  ),
  /** AB12: `userId` blocked `otherUserId`, or lifted the block. */
  blockChanged: eventSubject(
    "auth.block.changed",
    z.object({ userId: z.string(), otherUserId: z.string(), blocked: z.boolean() }),
  ),
  /** AB11: a login or registration opened a session; the account's other devices are notified. */
  sessionOpened: eventSubject(
    "auth.session.opened",
    z.object({
      userId: z.string(),
      sessionId: z.string(),
      openedAt: z.number(),
      deviceName: z.string().nullable(),
      ip: z.string().nullable(),
      userAgent: z.string().nullable(),
    }),
  ),
  /** AB12: the account was deleted. Published repeatedly until every service can have received it; idempotent. */
  userDeleted: eventSubject(
    "auth.user.deleted",
    z.object({ userId: z.string(), ownedServers: z.enum(OWNED_SERVERS) }),
  ),
  /** The account's display name changed. */
  userUpdated: eventSubject("auth.user.updated", z.object({ userId: z.string(), displayName: z.string() })),
} as const;
