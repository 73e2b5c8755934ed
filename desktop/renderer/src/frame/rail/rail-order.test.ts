import { describe, expect, it } from "@jest/globals";
import { createFakeClient } from "../../testing/fake-client.ts";
import { railOf } from "./rail-order.ts";

describe("the rail", () => {
  const client = createFakeClient({ now: Date.UTC(2026, 4, 6) });
  const { instances } = client.accounts.state.getState();
  const { servers } = client.servers.state.getState();

  it("groups servers by instance, in the user's order", () => {
    const rail = railOf([...instances].reverse(), servers);
    expect(rail.map(({ instance }) => instance.url)).toEqual([client.foreign, client.home]);
    expect(rail.map((group) => group.servers.map(({ room }) => room.signalServerUrl))).toEqual([
      [client.foreign, client.foreign],
      [client.home, client.home],
    ]);
  });

  it("keeps instances without a server, and servers whose instance is not listed", () => {
    expect(railOf(instances, new Map()).map((group) => group.servers.length)).toEqual([0, 0]);
    const rail = railOf(instances.slice(0, 1), servers);
    expect(rail.at(-1)).toMatchObject({ instance: { url: client.foreign, authorization: "needs-sign-in" } });
    expect(rail.at(-1)?.servers).toHaveLength(2);
  });

  it("sorts servers by when they were joined", () => {
    const [newest] = [...servers.values()].filter(({ room }) => room.signalServerUrl === client.home);
    if (newest === undefined) throw new Error("The sample has no room");
    const later = new Map(servers).set(newest.room.id, {
      ...newest,
      room: { ...newest.room, joinedAt: newest.room.joinedAt + 1e12 },
    });
    expect(railOf(instances, later)[0]?.servers.at(-1)?.room.id).toBe(newest.room.id);
  });
});
