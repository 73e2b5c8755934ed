import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ProblemError, authSubjects } from "@hearth/contracts";
import { createMemoryBus, createMetrics, newId, randomToken, silentLog } from "@hearth/runtime";
import type { Bus } from "@hearth/runtime";
import { interruptedBus, manualClock } from "@hearth/runtime/testing";
import type { ManualClock } from "@hearth/runtime/testing";
import { createIdentities } from "./identities.ts";
import type { Identities } from "./identities.ts";

interface Answer {
  readonly sessionId: string;
  readonly userId: string;
  readonly expiresAt?: number;
}

let bus: Bus;
let clock: ManualClock;
let identities: Identities;
let asked: number;
let answer: (token: string) => Promise<Answer>;

const codeOf = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise;
    return "ok";
  } catch (error) {
    return error instanceof ProblemError
      ? `${error.code} ${error.extras.reason ?? ""}`.trim()
      : String(error);
  }
};

const end = (sessionId: string): Promise<void> =>
  bus.publish(authSubjects.sessionEnded, { sessionId, userId: newId(), reason: "revoked" });

/** A later turn, in which everything that was published has been delivered. */
const delivered = async (): Promise<void> => {
  await turn();
  await turn();
};

beforeEach(() => {
  bus = createMemoryBus({ log: silentLog, drainMs: 50 });
  clock = manualClock();
  asked = 0;
  answer = async () => ({ sessionId: "session", userId: "user" });
  bus.answer(authSubjects.exchange, async ({ token }) => {
    asked += 1;
    const { sessionId, userId, expiresAt = clock.now() + 1e9 } = await answer(token);
    const session = { sessionId, userId, username: "ada", displayName: "Ada", expiresAt };
    return { session, jwt: `jwt-${asked}`, jwtExpiresAt: clock.now() + 60_000 };
  });
  identities = createIdentities({ bus, clock, metrics: createMetrics({ process: false }), capacity: 3 });
});

afterEach(async () => {
  identities.close();
  await bus.close();
});

describe("the cache of identities", () => {
  it("GW2 asks auth once in 30 s", async () => {
    const token = randomToken();
    const first = await identities.of(token);
    clock.advance(29_999);
    expect(await identities.of(token)).toBe(first);
    clock.advance(1);
    expect((await identities.of(token)).jwt).toBe("jwt-2");
    expect(asked).toBe(2);
  });

  it("GW2 asks auth once for concurrent requests", async () => {
    const token = randomToken();
    await Promise.all(Array.from({ length: 20 }, () => identities.of(token)));
    expect(asked).toBe(1);
  });

  it("GW2 keeps tokens apart", async () => {
    answer = async (token) => ({ sessionId: token.slice(0, 8), userId: token.slice(0, 8) });
    const tokens = [randomToken(), randomToken()];
    const found = await Promise.all(tokens.map((token) => identities.of(token)));
    expect(found.map(({ userId }) => userId)).toEqual(tokens.map((token) => token.slice(0, 8)));
  });

  it("GW2 does not cache refusals", async () => {
    const token = randomToken();
    answer = async () => {
      throw new ProblemError("AUTH_INVALID", undefined, { reason: "unknown" });
    };
    expect(await codeOf(identities.of(token))).toBe("AUTH_INVALID unknown");
    answer = async () => ({ sessionId: "session", userId: "user" });
    expect(await codeOf(identities.of(token))).toBe("ok");
  });

  it("GW2 drops the least recently used entry past its capacity", async () => {
    const tokens = Array.from({ length: 4 }, randomToken);
    for (const token of tokens) await identities.of(token);
    await identities.of(tokens[3] ?? "");
    expect(asked).toBe(4);
    await identities.of(tokens[0] ?? "");
    expect(asked).toBe(5);
  });

  it("never outlasts the session", async () => {
    const expiresAt = clock.now() + 1_000;
    answer = async () => ({ sessionId: "session", userId: "user", expiresAt });
    const token = randomToken();
    const identity = await identities.of(token);
    clock.advance(1_000);
    expect(identities.stillHolds(identity)).toBe(false);
    expect(await codeOf(identities.of(token))).toBe("AUTH_INVALID expired");
  });

  it("asks again after the user's name has changed", async () => {
    const token = randomToken();
    await identities.of(token);
    await bus.publish(authSubjects.userUpdated, { userId: "user", displayName: "Ada L." });
    await delivered();
    await identities.of(token);
    expect(asked).toBe(2);
  });

  it("ER6 I5 never reports trouble with auth as an authentication failure", async () => {
    answer = async () => {
      throw new ProblemError("UNAVAILABLE");
    };
    expect(await codeOf(identities.of(randomToken()))).toBe("UNAVAILABLE");
    answer = async () => {
      throw new Error("the store is away");
    };
    expect(await codeOf(identities.of(randomToken()))).toBe("INTERNAL");
    await bus.close();
    expect(await codeOf(identities.of(randomToken()))).toBe("UNAVAILABLE");
  });

  it("X7 AU6 asks again after a reconnect of the bus, because it may have missed the end of a session", async () => {
    const interrupted = interruptedBus();
    let asked = 0;
    interrupted.bus.answer(authSubjects.exchange, async () => {
      if ((asked += 1) > 1) throw new ProblemError("AUTH_INVALID", undefined, { reason: "revoked" });
      const who = { sessionId: "session", userId: "user", username: "ada", displayName: "Ada" };
      const session = { ...who, expiresAt: clock.now() + 1e9 };
      return { session, jwt: "jwt", jwtExpiresAt: clock.now() + 60_000 };
    });
    const metrics = createMetrics({ process: false });
    const remembering = createIdentities({ bus: interrupted.bus, clock, metrics });
    const token = randomToken();
    expect(await codeOf(remembering.of(token))).toBe("ok");
    expect(await codeOf(remembering.of(token))).toBe("ok");
    interrupted.reconnect();
    expect(await codeOf(remembering.of(token))).toBe("AUTH_INVALID revoked");
    remembering.close();
    await interrupted.bus.close();
  });

  it("AU6 uses no entry while the bus is down, because it would miss a revocation", async () => {
    const token = randomToken();
    await identities.of(token);
    await bus.close();
    expect(await codeOf(identities.of(token))).toBe("UNAVAILABLE");
  });
});

describe("the end of a session", () => {
  it("AU6 applies to the next request", async () => {
    const token = randomToken();
    const identity = await identities.of(token);
    await end("session");
    await delivered();
    expect(identities.stillHolds(identity)).toBe(false);
    expect(await codeOf(identities.of(token))).toBe("AUTH_INVALID revoked");
  });

  it("AU6 leaves other sessions of the account alone", async () => {
    answer = async (token) => ({ sessionId: token, userId: "user" });
    const [ended, sibling] = [randomToken(), randomToken()];
    const kept = await identities.of(sibling);
    await identities.of(ended);
    await end(ended);
    await delivered();
    expect(await identities.of(sibling)).toBe(kept);
  });

  it("AU6 invalidates an answer that auth gave before it", async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<Answer>();
    answer = () => gate;
    const token = randomToken();
    const waiting = [codeOf(identities.of(token)), codeOf(identities.of(token))];
    await delivered();
    await end("session");
    await delivered();
    open({ sessionId: "session", userId: "user" });
    expect(await Promise.all(waiting)).toEqual(["AUTH_INVALID revoked", "AUTH_INVALID revoked"]);
    expect(await codeOf(identities.of(token))).toBe("AUTH_INVALID revoked");
  });

  it("AU6 may be announced twice", async () => {
    const token = randomToken();
    await identities.of(token);
    await Promise.all([end("session"), end("session")]);
    await delivered();
    expect(await codeOf(identities.of(token))).toBe("AUTH_INVALID revoked");
  });

  it("AU6 is remembered for longer than a request to auth takes, and then forgotten", async () => {
    await end("session");
    await delivered();
    clock.advance(119_000);
    await end("another");
    await delivered();
    expect(await codeOf(identities.of(randomToken()))).toBe("AUTH_INVALID revoked");
    clock.advance(2_000);
    await end("a third");
    await delivered();
    expect(await codeOf(identities.of(randomToken()))).toBe("ok");
  });
});

/** A small generator of pseudo-random numbers, so that a failing seed can be run again. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("a session that ends while tokens are exchanged", () => {
  it("AU6 X5 never lets its token through afterwards, 1,000 seeded interleavings", async () => {
    for (let seed = 1; seed <= 1_000; seed += 1) {
      const next = random(seed);
      const turns = async (most: number): Promise<void> => {
        for (let left = Math.floor(next() * most); left > 0; left -= 1) await turn();
      };
      const sessionId = newId();
      const token = randomToken();
      let valid = true;
      let heard = false;
      answer = async () => {
        const found = valid;
        await turns(4);
        if (!found) throw new ProblemError("AUTH_INVALID", undefined, { reason: "unknown" });
        return { sessionId, userId: "user" };
      };
      const subscription = bus.subscribe(authSubjects.sessionEnded, (event) => {
        if (event.sessionId === sessionId) heard = true;
      });
      const requests = Array.from({ length: 6 }, async () => {
        await turns(8);
        const code = await codeOf(identities.of(token));
        if (code === "ok" && heard) throw new Error(`seed ${seed}: the token went through after the end`);
      });
      await turns(8);
      valid = false;
      await end(sessionId);
      await Promise.all(requests);
      await delivered();
      expect([seed, (await codeOf(identities.of(token))).split(" ")[0]]).toEqual([seed, "AUTH_INVALID"]);
      subscription.close();
    }
  });
});
