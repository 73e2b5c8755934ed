import { z } from "zod";
import { eventSubject, requestSubject } from "./subject.ts";

/** Who an opaque session token belongs to. */
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

export type SessionEndReason = "revoked" | "expired";

/** Subjects that auth-service answers or publishes. */
export const authSubjects = {
  /** Refuses with `AUTH_INVALID` and a `reason`; `deviceName` is remembered for the session list. */
  verify: requestSubject(
    "auth.verify",
    z.object({ token: z.string(), deviceName: z.string().optional() }),
    verifiedSessionSchema,
  ),
  /** GW2: the session of a token and a JWT of 60 s that stands for it inside. */
  exchange: requestSubject(
    "auth.exchange",
    z.object({ token: z.string() }),
    z.object({ session: verifiedSessionSchema, jwt: z.string(), jwtExpiresAt: z.number() }),
  ),
  /** GW2: the key set that verifies those JWTs. */
  keys: requestSubject("auth.keys", z.object({}), z.object({ keys: z.array(publicKeySchema) })),
  /** AU6: which of these sessions have ended, for whoever may have missed it being said. */
  ended: requestSubject(
    "auth.ended",
    z.object({ sessions: z.array(z.object({ sessionId: z.string(), userId: z.string() })).max(200) }),
    z.object({ ended: z.array(z.object({ sessionId: z.string(), reason: z.enum(["revoked", "expired"]) })) }),
  ),
  /** AU6 */
  sessionEnded: eventSubject(
    "auth.session.ended",
    z.object({ sessionId: z.string(), userId: z.string(), reason: z.enum(["revoked", "expired"]) }),
  ),
  /** The account's display name changed. */
  userUpdated: eventSubject("auth.user.updated", z.object({ userId: z.string(), displayName: z.string() })),
} as const;
