import { manualClock } from "@hearth/runtime/testing";
import { describeVoiceLeasesContract, LEASE_MS } from "./voice-leases.contract.ts";
import { createMemoryVoiceLeases } from "./voice-leases.memory.ts";

describeVoiceLeasesContract("voice leases in memory", async () => {
  const clock = manualClock();
  const reopen = async () => createMemoryVoiceLeases(clock, LEASE_MS);
  const leases = await reopen();
  return { leases, elsewhere: leases, reopen, pass: async (ms) => clock.advance(ms) };
});
