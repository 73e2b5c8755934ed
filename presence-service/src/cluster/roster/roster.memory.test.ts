import { manualClock } from "@hearth/runtime/testing";
import { describeRosterContract } from "./roster.contract.ts";
import { createMemoryRoster } from "./roster.memory.ts";

describeRosterContract("the roster in memory", async () => {
  const clock = manualClock();
  const reopen = async () => createMemoryRoster(clock);
  const roster = await reopen();
  return { roster, elsewhere: roster, reopen, pass: async (ms) => clock.advance(ms) };
});
