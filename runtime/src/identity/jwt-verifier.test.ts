import { createHmac } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { PublicKey } from "@hearth/contracts";
import { SignJWT, UnsecuredJWT, exportJWK, generateKeyPair } from "jose";
import type { CryptoKey } from "jose";
import { manualClock } from "../testing/doubles.ts";
import type { ManualClock } from "../testing/doubles.ts";
import { INTERNAL_AUDIENCE, INTERNAL_ISSUER } from "./headers.ts";
import { createJwtVerifier } from "./jwt-verifier.ts";
import type { JwtVerifier } from "./jwt-verifier.ts";

interface Signer {
  readonly key: PublicKey;
  readonly privateKey: CryptoKey;
}

async function createSigner(kid: string): Promise<Signer> {
  const { publicKey, privateKey } = await generateKeyPair("EdDSA");
  const { x = "" } = await exportJWK(publicKey);
  return { key: { kty: "OKP", crv: "Ed25519", x, kid, alg: "EdDSA", use: "sig" }, privateKey };
}

const CLAIMS = {
  iss: INTERNAL_ISSUER,
  aud: INTERNAL_AUDIENCE,
  sub: "u-1",
  sid: "s-1",
  jti: "j-1",
  name: "Ada",
  preferred_username: "ada",
};
const actor = { userId: "u-1", sessionId: "s-1", username: "ada", displayName: "Ada" };

describe("the internal JWT", () => {
  let first: Signer;
  let second: Signer;
  let clock: ManualClock;
  let published: PublicKey[];
  let fetches: number;
  let isAuthDown: boolean;
  let verifier: JwtVerifier;

  beforeAll(async () => {
    first = await createSigner("k-1");
    second = await createSigner("k-2");
  });
  beforeEach(() => {
    clock = manualClock();
    published = [first.key];
    fetches = 0;
    isAuthDown = false;
    const keys = async () => {
      fetches += 1;
      if (isAuthDown) throw new Error("auth does not answer");
      return { keys: published };
    };
    verifier = createJwtVerifier({ keys, clock });
  });

  const seconds = () => Math.floor(clock.now() / 1000);
  const sign = (claims: Record<string, unknown> = {}, by: Signer = first, kid: string = by.key.kid) =>
    new SignJWT({ ...CLAIMS, exp: seconds() + 60, ...claims })
      .setProtectedHeader({ alg: "EdDSA", kid })
      .sign(by.privateKey);
  const refusal = (jwt: string): Promise<unknown> =>
    verifier.verify(jwt).then(
      () => "accepted",
      (error: unknown) => error,
    );
  const invalid = (reason: string) => expect.objectContaining({ code: "AUTH_INVALID", extras: { reason } });

  it("GW2 names the actor", async () => {
    await expect(verifier.verify(await sign())).resolves.toEqual(actor);
  });

  it("GW2 is refused with another issuer or audience, or without a required claim", async () => {
    const wrong = [
      { iss: "else" },
      { aud: "else" },
      ...["sub", "sid", "jti", "exp", "name"].map((name) => ({ [name]: undefined })),
    ];
    for (const claims of wrong) expect(await refusal(await sign(claims))).toEqual(invalid("unknown"));
  });

  it("GW2 expires, also after it was verified before, and tolerates a small difference of clocks", async () => {
    const jwt = await sign();
    await verifier.verify(jwt);
    clock.advance(85_000);
    await expect(verifier.verify(jwt)).resolves.toEqual(actor);
    clock.advance(10_000);
    expect(await refusal(jwt)).toEqual(invalid("expired"));
  });

  it("GW2 is refused with alg none, and with the public key as a shared secret", async () => {
    const none = new UnsecuredJWT({ ...CLAIMS, exp: seconds() + 60 }).encode();
    expect(await refusal(none)).toEqual(invalid("unknown"));
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const input = `${part({ alg: "HS256", kid: "k-1" })}.${part({ ...CLAIMS, exp: seconds() + 60 })}`;
    for (const secret of [first.key.x, Buffer.from(first.key.x, "base64url")]) {
      const forged = `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`;
      expect(await refusal(forged)).toEqual(invalid("unknown"));
    }
  });

  it("GW2 is refused with a signature of another key under a known id, a changed payload, or garbage", async () => {
    expect(await refusal(await sign({}, second, "k-1"))).toEqual(invalid("unknown"));
    const [head = "", , signature = ""] = (await sign()).split(".");
    const payload = Buffer.from(JSON.stringify({ ...CLAIMS, sub: "u-2", exp: seconds() + 60 }));
    expect(await refusal(`${head}.${payload.toString("base64url")}.${signature}`)).toEqual(
      invalid("unknown"),
    );
    for (const nonsense of ["", "a", "a.b.c", "..", "x".repeat(10_000)]) {
      expect(await refusal(nonsense)).toEqual(invalid("unknown"));
    }
  });

  it("GW2 follows a rotation at once: an unknown key id fetches the set, at most five times a second", async () => {
    await verifier.verify(await sign());
    expect(fetches).toBe(1);
    published = [first.key, second.key];
    const jwt = await sign({}, second);
    await expect(Promise.all([verifier.verify(jwt), verifier.verify(jwt)])).resolves.toEqual([actor, actor]);
    expect(fetches).toBe(2);
    for (let n = 0; n < 20; n++) await refusal(await sign({}, second, `forged-${n}`));
    expect(fetches).toBe(5);
    // ER6: made since the last fetch, it may be a good one.
    expect(await refusal(await sign({}, second, "forged"))).toMatchObject({ code: "UNAVAILABLE" });
    clock.advance(1_000);
    expect(await refusal(await sign({}, second, "forged"))).toEqual(invalid("unknown"));
    expect(fetches).toBe(6);
  });

  it("GW2 stops trusting a withdrawn key", async () => {
    await verifier.verify(await sign());
    published = [second.key];
    clock.advance(300_000);
    await verifier.verify(await sign({ exp: seconds() + 60 }));
    await new Promise((resolve) => setTimeout(resolve, 0));
    clock.advance(500);
    expect(await refusal(await sign({ jti: "j-2", exp: seconds() + 60 }))).toEqual(invalid("unknown"));
  });

  it("ER6 is UNAVAILABLE, not invalid, while the key set cannot be fetched, and recovers", async () => {
    isAuthDown = true;
    const jwt = await sign();
    for (let n = 0; n < 5; n++) expect(await refusal(jwt)).toMatchObject({ code: "UNAVAILABLE" });
    expect(fetches).toBe(1);
    isAuthDown = false;
    clock.advance(500);
    await expect(verifier.verify(jwt)).resolves.toEqual(actor);
  });

  it("ER6 goes on with the keys it has when a refresh fails", async () => {
    await verifier.verify(await sign());
    isAuthDown = true;
    clock.advance(600_000);
    await expect(verifier.verify(await sign())).resolves.toEqual(actor);
    expect(fetches).toBe(2);
  });

  it("is verified once; the same JWT costs no second signature check", async () => {
    const jwt = await sign();
    const seen = await verifier.verify(jwt);
    expect(await verifier.verify(jwt)).toBe(seen);
  });
});
