import { manualClock } from "@hearth/runtime/testing";
import { describeRosterContract } from "./roster.contract.ts";
import { MemoryRoster } from "./roster.memory.ts";

describeRosterContract("the roster in memory", async () => {
  const clock = manualClock();
  const roster = new MemoryRoster(clock);
  return { roster, elsewhere: roster, pass: async (ms) => clock.advance(ms) };
});
