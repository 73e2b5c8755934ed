import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { PublicKey } from "@hearth/contracts";
import { SignJWT, exportJWK, generateKeyPair } from "jose";
import type { Clock } from "../timing/clock.ts";
import { newId } from "../context/ids.ts";
import { INTERNAL_AUDIENCE, INTERNAL_ISSUER } from "../identity/headers.ts";
import { createJwtVerifier } from "../identity/jwt-verifier.ts";
import type { Actor, JwtVerifier } from "../identity/jwt-verifier.ts";
import { createLog } from "../log/log.ts";
import type { Log } from "../log/log.ts";

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  advance(ms: number): void;
}

export function manualClock(start = 1_700_000_000_000): ManualClock {
  let now = start;
  return { now: () => now, advance: (ms) => void (now += ms) };
}

/** A log whose lines a test can read. */
export interface RecordedLog {
  readonly log: Log;
  readonly lines: string[];
  readonly records: () => Record<string, unknown>[];
}

export function recordedLog(): RecordedLog {
  const lines: string[] = [];
  const log = createLog({
    name: "test",
    level: "debug",
    destination: { write: (line) => void lines.push(line) },
  });
  return { log, lines, records: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

export interface Served {
  /** Such as `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Serves a listener on a free port of the loopback address. */
export async function serve(listener: RequestListener): Promise<Served> {
  // As in the product. A shorter time would end connections of a test that was delayed.
  const server = createServer({ keepAliveTimeout: 65_000 }, listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A substitute for auth-service where a test needs only its JWTs. */
export interface TestIdentity {
  readonly verifier: JwtVerifier;
  readonly keys: readonly PublicKey[];
  /** An internal JWT. Missing fields of the actor are filled in. */
  readonly jwtOf: (actor?: Partial<Actor>) => Promise<string>;
  /** The headers of a request by that actor. */
  readonly headersOf: (actor?: Partial<Actor>) => Promise<Record<string, string>>;
}

export async function createTestIdentity(clock?: Clock): Promise<TestIdentity> {
  const { publicKey, privateKey } = await generateKeyPair("EdDSA");
  const { x = "" } = await exportJWK(publicKey);
  const keys: PublicKey[] = [{ kty: "OKP", crv: "Ed25519", x, kid: newId(), alg: "EdDSA", use: "sig" }];
  const now = () => Math.floor((clock?.now() ?? Date.now()) / 1000);
  const jwtOf = (actor: Partial<Actor> = {}): Promise<string> =>
    new SignJWT({
      sid: actor.sessionId ?? newId(),
      name: actor.displayName ?? "Somebody",
      preferred_username: actor.username ?? "somebody",
    })
      .setProtectedHeader({ alg: "EdDSA", kid: keys[0]?.kid ?? "" })
      .setSubject(actor.userId ?? newId())
      .setIssuer(INTERNAL_ISSUER)
      .setAudience(INTERNAL_AUDIENCE)
      .setJti(newId())
      .setExpirationTime(now() + 60)
      .sign(privateKey);
  return {
    verifier: createJwtVerifier({ keys: async () => ({ keys }), ...(clock && { clock }) }),
    keys,
    jwtOf,
    headersOf: async (actor) => ({ authorization: `Bearer ${await jwtOf(actor)}` }),
  };
}
