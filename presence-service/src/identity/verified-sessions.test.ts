import { beforeEach, describe, expect, it } from "@jest/globals";
import { ProblemError, authSubjects, type VerifiedSession } from "@hearth/contracts";
import { createMemoryBus, silentLog } from "@hearth/runtime";
import { manualClock } from "@hearth/runtime/testing";
import { VerifiedSessions } from "./verified-sessions.ts";

const session: VerifiedSession = {
  userId: "u",
  username: "ada",
  displayName: "Ada",
  sessionId: "s",
  expiresAt: Number.MAX_SAFE_INTEGER,
};

describe("auth's answers about tokens", () => {
  const clock = manualClock();
  let asked: { token: string; deviceName?: string | undefined }[];
  let connected: boolean;
  let answer: () => VerifiedSession;
  let verified: VerifiedSessions;
  beforeEach(() => {
    asked = [];
    connected = true;
    answer = () => session;
    const memory = createMemoryBus({ log: silentLog });
    memory.answer(authSubjects.verify, async (question) => {
      asked.push(question);
      return answer();
    });
    Object.defineProperty(memory, "connected", { get: () => connected });
    verified = new VerifiedSessions({ bus: memory, clock });
  });

  it("are used for 30 s, and then requested again", async () => {
    for (let n = 0; n < 3; n++) expect(await verified.of("t", undefined)).toEqual(session);
    clock.advance(29_999);
    await verified.of("t", undefined);
    expect(asked).toHaveLength(1);
    clock.advance(1);
    await verified.of("t", undefined);
    expect(asked).toHaveLength(2);
  });

  it("are requested once for simultaneous callers, accepted or refused", async () => {
    const all = await Promise.all([1, 2, 3].map(() => verified.of("t", undefined)));
    expect(all).toEqual([session, session, session]);
    expect(asked).toHaveLength(1);
    answer = () => {
      throw new ProblemError("UNAVAILABLE");
    };
    const refused = await Promise.allSettled([1, 2].map(() => verified.of("other", undefined)));
    expect(refused.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(asked).toHaveLength(2);
    answer = () => session;
    expect(await verified.of("other", undefined)).toEqual(session);
  });

  it.each([
    ["the session ended", () => verified.forgetSession("s")],
    ["the account changed", () => verified.forgetUser("u")],
    ["something may have been missed", () => verified.clear()],
  ])("is neither kept nor shared when %s while it was asked for", async (_what, happens) => {
    const before = verified.of("t", undefined);
    happens();
    await Promise.all([before, verified.of("t", undefined)]);
    expect(asked).toHaveLength(2);
    await verified.of("t", undefined);
    expect(asked).toHaveLength(2);
  });

  it("are requested again for another device name", async () => {
    for (const name of ["laptop", "laptop", "phone", undefined]) await verified.of("t", name);
    expect(asked.map(({ deviceName }) => deviceName)).toEqual(["laptop", "phone", undefined]);
  });

  it.each([
    ["the session ended", () => verified.forgetSession("s")],
    ["the account changed", () => verified.forgetUser("u")],
    ["something may have been missed", () => verified.clear()],
    ["the bus is away", () => void (connected = false)],
  ])("is not used once %s", async (_what, happens) => {
    await verified.of("t", undefined);
    happens();
    await verified.of("t", undefined);
    expect(asked).toHaveLength(2);
  });

  it("stay in use for other sessions when one session ends", async () => {
    await verified.of("t", undefined);
    verified.forgetSession("another");
    verified.forgetUser("another");
    await verified.of("t", undefined);
    expect(asked).toHaveLength(1);
  });

  it("are not kept if they refuse, nor beyond the session's end", async () => {
    answer = () => {
      throw new ProblemError("AUTH_INVALID");
    };
    for (let n = 0; n < 2; n++)
      await expect(verified.of("t", undefined)).rejects.toMatchObject({ code: "AUTH_INVALID" });
    answer = () => ({ ...session, expiresAt: clock.now() + 1_000 });
    await verified.of("t", undefined);
    clock.advance(1_000);
    await verified.of("t", undefined);
    expect(asked).toHaveLength(4);
  });

  it("are kept for the latest ten thousand tokens", async () => {
    for (let n = 0; n <= 10_000; n++) await verified.of(`t${n}`, undefined);
    await verified.of("t10000", undefined);
    await verified.of("t1", undefined);
    expect(asked).toHaveLength(10_001);
    await verified.of("t0", undefined);
    expect(asked).toHaveLength(10_002);
  });
});
