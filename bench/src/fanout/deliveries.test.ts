import { describe, expect, it } from "@jest/globals";
import { wrongDelivery } from "./deliveries.ts";

describe("deliveries", () => {
  const tally = (sent: number, receivedBytes: number) => ({ sent, receivedBytes });

  it("are right when everybody has what the others sent", () => {
    expect(wrongDelivery([tally(3, 100), tally(1, 300), tally(0, 400)], 4, 100)).toBeUndefined();
  });

  it.each([
    ["lost", 300],
    ["doubled", 500],
    ["cut short", 399],
  ])("are wrong when one was %s", (_, receivedBytes) => {
    expect(wrongDelivery([tally(4, 0), tally(0, 400), tally(0, receivedBytes)], 4, 100)).toContain(
      `${receivedBytes} bytes instead of 400`,
    );
  });

  it("are wrong when a sender gets its own message back, even if another then lacks one", () => {
    expect(wrongDelivery([tally(1, 100), tally(0, 0)], 1, 100)).toContain("100 bytes instead of 0");
  });
});
