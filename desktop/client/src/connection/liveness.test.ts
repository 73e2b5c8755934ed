import { describe, expect, it } from "@jest/globals";
import type { FakePlatform } from "../testing/fake-platform.ts";
import { networkReturns, SERVER_ID, stageWith } from "./testing/connection-stage.ts";

describe("liveness", () => {
  it("WS11 pings every heartbeat, and treats 5 s of silence as the end of a socket that still claims OPEN", async () => {
    let isDead = false;
    const { platform, last, connection } = await stageWith(({ type }) =>
      type === "ping" && isDead ? { type: "nothing" } : null,
    );
    await platform.clock.advance(75_000);
    expect(last().sentOf("ping")).toHaveLength(3);
    isDead = true;
    const dead = last();
    // A dead socket sends nothing.
    dead.onSent = () => undefined;
    await platform.clock.advance(29_999);
    expect([platform.sockets.length, dead.readyState]).toEqual([1, 1]);
    isDead = false;
    await platform.clock.advance(1);
    expect(connection.state.getState()).toMatchObject({ status: "waiting", reason: "silent" });
    await platform.clock.advance(1_000);
    expect([platform.sockets.length, connection.state.getState().status]).toEqual([2, "online"]);
  });

  it.each([
    ["the machine wakes", (platform: FakePlatform) => platform.resume()],
    ["the network returns", networkReturns],
    [
      "the page is shown",
      (platform: FakePlatform) => {
        platform.attend({ isVisible: false });
        platform.attend({ isVisible: true });
      },
    ],
  ])("CL6 pings at once when %s", async (_what, happen) => {
    const { platform, last } = await stageWith();
    last().onSent = () => undefined;
    happen(platform);
    expect(last().sentOf("ping")).toHaveLength(1);
    await platform.clock.advance(4_999);
    expect(platform.sockets).toHaveLength(1);
    await platform.clock.advance(1_001);
    expect(platform.sockets).toHaveLength(2);
  });

  it("treats a large message under way in either direction as a sign of life, while it moves", async () => {
    const { platform, last } = await stageWith();
    const socket = last();
    socket.onSent = () => undefined;
    socket.bufferedAmount = 900_000;
    platform.resume();
    for (const left of [600_000, 300_000, 100]) {
      await platform.clock.advance(4_999);
      socket.bufferedAmount = left;
      await platform.clock.advance(1);
      expect(platform.sockets).toHaveLength(1);
    }
    socket.receive({ type: "server_left", serverId: SERVER_ID });
    await platform.clock.advance(5_000);
    expect(socket.closedWith).toBeNull();
    platform.resume();
    await platform.clock.advance(5_000);
    expect(socket.closedWith).not.toBeNull();
  });
});
