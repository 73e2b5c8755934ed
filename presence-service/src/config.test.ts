import { describe, expect, it } from "@jest/globals";
import { LIMITS } from "@hearth/contracts";
import { readPresenceConfig } from "./config.ts";

describe("the settings of presence", () => {
  it("AB5 are the protocol's budgets by default", () => {
    const { strangerMessages, ...budgets } = readPresenceConfig({}).budgets;
    const { strangerMessages: standard, ...others } = LIMITS.budgets;
    expect(budgets).toEqual(others);
    expect(strangerMessages.burst).toBe(standard.burst);
    expect(strangerMessages.perSecond).toBeCloseTo(standard.perSecond);
  });

  it("AB6 change a rate and its burst alike", () => {
    const { budgets } = readPresenceConfig({
      STRANGER_MESSAGES_PER_MINUTE: "60",
      DIRECT_KIB_PER_SECOND: "1",
    });
    expect(budgets.strangerMessages).toEqual({ perSecond: 1, burst: 60 });
    expect(budgets.directBytes).toEqual({ perSecond: 1024, burst: 4096 });
  });

  it("name every value that is not a number above zero", () => {
    const env = { ACCOUNT_KIB_PER_SECOND: "0", ROOM_KIB_PER_SECOND: "much" };
    expect(() => readPresenceConfig(env)).toThrow(/ACCOUNT_KIB_PER_SECOND[^]*ROOM_KIB_PER_SECOND/);
  });
});
