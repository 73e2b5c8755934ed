import { describe, expect, it } from "@jest/globals";
import { describeCarrierContract } from "./carrier.contract.ts";
import { createCarrierHub, createMemoryCarrier } from "./carrier.memory.ts";

describeCarrierContract("the carrier in memory", async () => {
  const connectCarrier = createCarrierHub();
  return { connect: async () => connectCarrier(), close: async () => undefined };
});

describe("the carrier of a node alone", () => {
  it("returns no promise", () => {
    const parcel = { room: "r", message: {}, ephemeral: false, exceptConnectionId: null };
    expect(createMemoryCarrier().publish(parcel)).toBeUndefined();
  });
});
