import { LIMITS, ProblemError } from "@hearth/contracts";
import type { PublicKey, VerifiedSession } from "@hearth/contracts";
import { INTERNAL_AUDIENCE, INTERNAL_ISSUER, newId } from "@hearth/runtime";
import type { Clock, Log } from "@hearth/runtime";
import { SignJWT, exportJWK, generateKeyPair } from "jose";
import type { CryptoKey } from "jose";
import type { SigningKeyStore } from "../store.ts";
import type { SigningKeyRecord } from "../records.ts";

export interface SigningKeys {
  /** GW2: a JWT that represents the session inside, valid for at most 60 s and never beyond the session's end. */
  sign(session: VerifiedSession): Promise<{ readonly jwt: string; readonly jwtExpiresAt: number }>;
  /** The public keys of every replica. */
  keySet(): Promise<PublicKey[]>;
}

const HOUR = 60 * 60_000;
/** A key signs for a day and stays published for two, long after its last JWT has expired. */
export const SIGNS_MS = 24 * HOUR;
export const PUBLISHED_MS = 48 * HOUR;
/** A new key is published this long before it signs, so that key sets fetched meanwhile contain it. */
export const SETTLE_MS = 60_000;

interface OwnKey extends SigningKeyRecord {
  readonly privateKey: CryptoKey;
  readonly madeAt: number;
}

const publicKeyOf = ({ kid, x }: SigningKeyRecord): PublicKey => ({
  kty: "OKP",
  crv: "Ed25519",
  x,
  kid,
  alg: "EdDSA",
  use: "sig",
});

async function generate(madeAt: number): Promise<OwnKey> {
  const { privateKey, publicKey } = await generateKeyPair("EdDSA");
  const { x } = await exportJWK(publicKey);
  if (x === undefined) throw new Error("An Ed25519 key has an x");
  return { kid: newId(), x, privateKey, madeAt, expiresAt: madeAt + PUBLISHED_MS };
}

/**
 * Each process signs with its own key, whose private half never leaves its memory. The public half is in the store before
 * the first signature, so that a verifier finds an unknown `kid` in the key set.
 */
export function createSigningKeys(store: SigningKeyStore, clock: Clock, log: Log): SigningKeys {
  let current: OwnKey | null = null;
  let next: OwnKey | null = null;
  let making: Promise<OwnKey> | null = null;

  const make = async (): Promise<OwnKey> => {
    const key = await generate(clock.now());
    await store.addSigningKey({ kid: key.kid, x: key.x, expiresAt: key.expiresAt });
    await store.forgetSigningKeys(key.madeAt);
    return (next = key);
  };

  const makeOnce = (): Promise<OwnKey> => (making ??= make().finally(() => (making = null)));

  const signingKey = async (): Promise<OwnKey> => {
    const now = clock.now();
    if (next && now - next.madeAt >= SETTLE_MS) current = next;
    if (current === next) next = null;
    if (current && (next || now - current.madeAt < SIGNS_MS)) return current;
    if (current === null || now + LIMITS.internalJwtMs >= current.expiresAt)
      return (current = await makeOnce());
    makeOnce().catch((error: unknown) => {
      log.warn({ err: error }, "the signing key could not be rotated; the old key stays in use");
    });
    return current;
  };

  return {
    sign: async (session) => {
      const key = await signingKey();
      const now = clock.now();
      const jwtExpiresAt = Math.min(now + LIMITS.internalJwtMs, session.expiresAt);
      if (jwtExpiresAt <= now) throw new ProblemError("AUTH_INVALID", undefined, { reason: "expired" });
      const jwt = await new SignJWT({
        iss: INTERNAL_ISSUER,
        aud: INTERNAL_AUDIENCE,
        sub: session.userId,
        sid: session.sessionId,
        jti: newId(),
        name: session.displayName,
        preferred_username: session.username,
        iat: Math.floor(now / 1000),
        exp: jwtExpiresAt / 1000,
      })
        .setProtectedHeader({ alg: "EdDSA", typ: "JWT", kid: key.kid })
        .sign(key.privateKey);
      return { jwt, jwtExpiresAt };
    },
    keySet: async () => (await store.signingKeys(clock.now())).map(publicKeyOf),
  };
}
