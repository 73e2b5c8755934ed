import { describe, expect, it } from "@jest/globals";
import { createHandClock } from "../testing/hand-clock.ts";
import { createQuestion } from "./answer.ts";
import { NoAnswer, answerWithin } from "./time-limit.ts";
import { troubleOf } from "./trouble.ts";

const never = (): Promise<never> => new Promise(() => undefined);

describe("an answer with a time limit", () => {
  it("is the answer, and the limit is called off", async () => {
    const clock = createHandClock();
    await expect(answerWithin(() => Promise.resolve(7), clock.wait)).resolves.toBe(7);
    expect(clock.waiting()).toBe(0);
  });

  it("is NoAnswer once the time is over", async () => {
    const clock = createHandClock();
    const answer = answerWithin(never, clock.wait);
    clock.expire();
    await expect(answer).rejects.toBeInstanceOf(NoAnswer);
  });

  it("passes a rejection on, and calls the limit off", async () => {
    const clock = createHandClock();
    const failure = { name: "BridgeFailure", code: "INTERNAL", message: "It broke." };
    const { promise, reject } = Promise.withResolvers<never>();
    reject(failure);
    await expect(answerWithin(() => promise, clock.wait)).rejects.toBe(failure);
    expect(clock.waiting()).toBe(0);
  });
});

describe("a question to the app", () => {
  it("is asked, then known", async () => {
    const question = createQuestion(() => Promise.resolve("yes"), createHandClock().wait);
    const asked = question.ask();
    expect(question.get()).toEqual({ phase: "asking" });
    await asked;
    expect(question.get()).toEqual({ phase: "known", value: "yes" });
  });

  it("is unanswered when the time is over, and can be asked again", async () => {
    const clock = createHandClock();
    let isSilent = true;
    const question = createQuestion(() => (isSilent ? never() : Promise.resolve("yes")), clock.wait);
    const asked = question.ask();
    clock.expire();
    await asked;
    expect(question.get()).toEqual({ phase: "unanswered" });
    isSilent = false;
    await question.ask();
    expect(question.get()).toEqual({ phase: "known", value: "yes" });
  });
});

describe("the trouble behind a rejected call", () => {
  it("is the app's own sentence where it gave one", () => {
    const failure = { name: "BridgeFailure", code: "UNAVAILABLE", message: "Try again soon." };
    expect(troubleOf(failure)).toEqual({ kind: "refused", message: "Try again soon." });
  });

  it.each([new NoAnswer(), new Error("Object has been destroyed"), undefined, "text"])(
    "is that there was no answer for anything else",
    (error) => expect(troubleOf(error)).toEqual({ kind: "no-answer" }),
  );
});
