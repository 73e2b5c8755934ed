import { describe, expect, it } from "@jest/globals";
import { Results } from "../../figures/results.ts";
import { alternating } from "./part.ts";

describe("a part with two sets of processes", () => {
  it("warms both up, measures them by turns, and stops both", async () => {
    const seen: string[] = [];
    let started = 0;
    const part = await alternating(async () => {
      const set = ++started;
      return {
        measure: async (results) => void seen.push(`${results ? "measure" : "warm up"} ${set}`),
        stop: async () => void seen.push(`stop ${set}`),
      };
    });
    await part.measure(undefined, true);
    for (let repetition = 0; repetition < 3; repetition += 1) await part.measure(new Results(), false);
    await part.stop();
    const measured = ["measure 1", "measure 2", "measure 1"];
    expect(seen).toEqual(["warm up 1", "warm up 2", ...measured, "stop 1", "stop 2"]);
  });
});
