import { describe, expect, it } from "@jest/globals";
import { ProblemError, authSubjects } from "@hearth/contracts";
import { createMemoryBus, silentLog } from "@hearth/runtime";
import { audited } from "./audit.ts";

describe("the audit of the operator's command for servers", () => {
  const world = (isWritten: (outcome: string) => boolean = () => true) => {
    const bus = createMemoryBus({ log: silentLog });
    const outcomes: string[] = [];
    bus.answer(authSubjects.audit, async ({ actor, action, target, outcome }) => {
      if (!isWritten(outcome)) throw new ProblemError("UNAVAILABLE");
      expect({ actor, action }).toEqual({ actor: "ada", action: "servers delete" });
      expect(target).toHaveLength(200);
      outcomes.push(outcome);
      return {};
    });
    return { use: { bus, actor: "ada", argv: ["delete", "x".repeat(300)] }, outcomes };
  };

  it.each([
    [0, "done"],
    [1, "not done"],
  ])("AB11 records code %i as %s, and that it was begun", async (code, outcome) => {
    const { use, outcomes } = world();
    expect(await audited(use, async () => code)).toBe(code);
    expect(outcomes).toEqual(["begun", outcome]);
  });

  it("AB11 records a failure", async () => {
    const { use, outcomes } = world();
    const run = () => Promise.reject(new ProblemError("TIMEOUT"));
    await expect(audited(use, run)).rejects.toMatchObject({ code: "TIMEOUT" });
    expect(outcomes).toEqual(["begun", "failed"]);
  });

  it("AB11 does nothing if the log cannot be written", async () => {
    const { use, outcomes } = world(() => false);
    const run = () => Promise.reject(new Error("It was done"));
    await expect(audited(use, run)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(outcomes).toEqual([]);
  });

  it("AB11 does not record a use as failed that was done and could not be recorded", async () => {
    const { use, outcomes } = world((outcome) => outcome !== "done");
    await expect(audited(use, async () => 0)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(outcomes).toEqual(["begun"]);
  });
});
