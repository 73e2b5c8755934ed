import { describe, expect, it } from "@jest/globals";
import { ClientProblem } from "@hearth/device";
import { problemOf } from "@hearth/client";
import { problemSentence } from "./problem-sentence.ts";
import { strings } from "./strings.ts";

const answered = (code: string, reason?: string): ClientProblem =>
  problemOf(new Response(null, { status: 403 }), { code, reason }, 0);

describe("the sentence about a refusal", () => {
  it.each(Object.entries(strings.problems.quotas))("AB4 names the quota %s", (quota, sentence) =>
    expect(problemSentence(answered("QUOTA_EXCEEDED", quota))).toBe(sentence),
  );

  it.each([undefined, "something_new", "<b>"])("AB4 says that a quota is used up when it is %s", (quota) =>
    expect(problemSentence(answered("QUOTA_EXCEEDED", quota))).toBe(strings.problems.QUOTA_EXCEEDED),
  );

  it("AB11 says what it takes to register", () => {
    const { registration } = strings.problems;
    expect(problemSentence(answered("REGISTRATION_CLOSED", "invite_required"))).toBe(
      registration["invite_required"],
    );
    expect(problemSentence(answered("REGISTRATION_CLOSED"))).toBe(strings.problems.REGISTRATION_CLOSED);
    expect(problemSentence(answered("ACCOUNT_SUSPENDED"))).toBe(strings.problems.ACCOUNT_SUSPENDED);
  });

  it("ER5 says how long to wait", () => {
    const wait = new ClientProblem("RATE_LIMITED", { retryAfterMs: 1_200 });
    expect(problemSentence(wait)).toBe(strings.problems.waitSeconds(2));
  });
});
