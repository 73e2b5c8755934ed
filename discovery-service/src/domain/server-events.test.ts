import { describe, expect, it } from "@jest/globals";
import { aServer } from "../testing/records.ts";
import { announceServer } from "./server-events.ts";
import { createOnlineCounts } from "./online.ts";
import { createPresentation } from "./presentation.ts";
import { manualClock, recordedLog } from "@hearth/runtime/testing";

describe("the events of a server", () => {
  it("DI2 reach this replica's own search first, and then the others", async () => {
    const order: string[] = [];
    const online = createOnlineCounts({
      ask: async () => ({}),
      clock: manualClock(),
      log: recordedLog().log,
    });
    const announced = announceServer(
      {
        onServerWritten: (id) => void order.push(`written ${id}`),
        presentation: createPresentation(online, { ids: async () => [] }),
        announce: async ({ name }) => void order.push(name),
      },
      aServer({ id: "s1" }),
    );
    expect(order).toEqual(["written s1"]);
    await announced;
    expect(order).toEqual(["written s1", "discovery.server.updated"]);
  });
});
