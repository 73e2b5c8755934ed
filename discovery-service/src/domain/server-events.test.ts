import { describe, expect, it } from "@jest/globals";
import { aServer } from "../testing/records.ts";
import { announceServer } from "./server-events.ts";
import { OnlineCounts } from "./online.ts";
import { Presentation } from "./presentation.ts";
import { manualClock, recordedLog } from "@hearth/runtime/testing";

describe("news of a server", () => {
  it("DI2 reaches this replica's own searches before anything is waited for, and then the others", async () => {
    const order: string[] = [];
    const online = new OnlineCounts({ ask: async () => ({}), clock: manualClock(), log: recordedLog().log });
    const announced = announceServer(
      {
        written: (id) => void order.push(`written ${id}`),
        presentation: new Presentation(online, { ids: async () => [] }),
        announce: async ({ name }) => void order.push(name),
      },
      aServer({ id: "s1" }),
    );
    expect(order).toEqual(["written s1"]);
    await announced;
    expect(order).toEqual(["written s1", "discovery.server.updated"]);
  });
});
