import { describe, expect, it } from "@jest/globals";
import { ProblemError } from "@hearth/contracts";
import { problemHeaders } from "@hearth/runtime";
import type { Caller } from "./local-access.ts";
import { BODY, from, HERE, stageAccess } from "./testing/access-stage.ts";

type Stage = ReturnType<typeof stageAccess>;

describe("login throttle", () => {
  const statuses = async ({ access }: Stage, count: number, caller: Caller): Promise<readonly string[]> => {
    const codes: string[] = [];
    for (let at = 0; at < count; at += 1) {
      const outcome = await access.login(BODY, caller).catch((error: unknown) => error);
      codes.push(outcome instanceof ProblemError ? outcome.code : "ok");
    }
    return codes;
  };

  it("LA6 ten a minute per address, then 429 as ER5 requires, without a request", async () => {
    const stage = stageAccess();
    const { asked, loginRefusal } = stage;
    expect(new Set(await statuses(stage, 10, HERE))).toEqual(new Set(["ok"]));
    const refused = await loginRefusal(BODY, from("::ffff:127.0.0.1"));
    expect(refused).toMatchObject({ code: "RATE_LIMITED", status: 429 });
    expect(asked).toHaveLength(10);
    expect(problemHeaders(refused)).toMatchObject({
      "Retry-After": expect.stringMatching(/^\d+$/),
      "RateLimit-Policy": '"local-login";q=10;w=60',
      RateLimit: expect.stringMatching(/^"local-login";r=0;t=\d+$/),
      "X-RateLimit-Limit": "10",
      "X-RateLimit-Remaining": "0",
      "X-RateLimit-Reset": expect.stringMatching(/^\d+$/),
    });
    expect(await statuses(stage, 1, from("192.168.1.7"))).toEqual(["ok"]);
  });

  it("LA6 requests that never reach the instance do not count", async () => {
    const stage = stageAccess();
    const { loginRefusal } = stage;
    for (let at = 0; at < 20; at += 1) {
      expect((await loginRefusal({ ...BODY, password: "" })).code).toBe("INVALID_REQUEST");
      expect((await loginRefusal({ ...BODY, serverUrl: "http://x.example" })).code).toBe(
        "SERVER_NOT_ALLOWED",
      );
    }
    expect(await statuses(stage, 1, HERE)).toEqual(["ok"]);
  });

  it("LA6 an IPv6 network counts as one address, and the total limit is sixty", async () => {
    const stage = stageAccess();
    const { asked } = stage;
    for (let host = 1; host <= 10; host += 1) await statuses(stage, 1, from(`fd00::${host}`));
    expect(await statuses(stage, 1, from("fd00::abcd"))).toEqual(["RATE_LIMITED"]);
    for (let host = 1; host <= 5; host += 1) await statuses(stage, 10, from(`10.0.0.${host}`));
    expect(await statuses(stage, 1, from("10.0.0.99"))).toEqual(["RATE_LIMITED"]);
    expect(asked).toHaveLength(60);
  });
});
