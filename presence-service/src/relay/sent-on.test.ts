import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { CLOSE, ProblemError } from "@hearth/contracts";
import { type Device, createScene, OTHER_SERVER, SERVER, type Session, World } from "../testing/index.ts";

/** Delays the answers of the carrier until the test ends the delay. */
class Gate {
  private open = true;
  private release: (problem?: ProblemError) => void = () => undefined;
  private opened: Promise<void> = Promise.resolve();

  close(): void {
    this.open = false;
    this.opened = new Promise((resolve, reject) => {
      this.release = (problem) => (problem ? reject(problem) : resolve());
    });
  }

  end(problem?: ProblemError): void {
    this.open = true;
    this.release(problem);
  }

  readonly point = async (name: string): Promise<void> => {
    if (!this.open && name === "carrier.publish asked") await this.opened;
  };
}

/** Long enough for all work that does not wait for the gate; `settle` would wait for it. */
const soon = async (): Promise<void> => {
  for (let turns = 0; turns < 20; turns += 1) await turn();
};

describe("messages that are relayed while the cluster is slow", () => {
  let world: World;
  let gate: Gate;
  let bob: Session;
  let laptop: Device;
  let friend: Device;
  const chat = (requestId: string, serverId = SERVER) => ({
    type: "chat_message",
    serverId,
    requestId,
    message: { id: requestId, content: "hello" },
  });
  const answers = () => laptop.received.map(({ type, requestId }) => [type, requestId]);

  beforeEach(async () => {
    gate = new Gate();
    world = new World({ point: () => gate.point });
    ({ bob, laptop, friend } = await createScene(world));
    gate.close();
  });
  afterEach(() => world.close());

  it("WS9 are delivered at once, and answered in order when the cluster has them", async () => {
    laptop.say(chat("r1"));
    laptop.say(chat("r2"));
    laptop.say({ type: "ping", requestId: "r3" });
    laptop.say(chat("r4"));
    await soon();
    expect(friend.received.map(({ message }) => message)).toEqual([
      { id: "r1", content: "hello" },
      { id: "r2", content: "hello" },
    ]);
    expect(answers()).toEqual([]);
    gate.end();
    await world.settle();
    expect(answers()).toEqual([
      ["ack", "r1"],
      ["ack", "r2"],
      ["pong", "r3"],
      ["ack", "r4"],
    ]);
  });

  it("WS10 do not wait for themselves if another service is asked first", async () => {
    laptop.say({ type: "server_icon_request", serverId: SERVER, toUserId: bob.oderId, requestId: "r1" });
    laptop.say(chat("r2"));
    await soon();
    gate.end();
    await world.settle();
    expect(answers()).toEqual([
      ["ack", "r1"],
      ["ack", "r2"],
    ]);
  });

  it("WS2 are refused in order", async () => {
    laptop.say(chat("r1"));
    laptop.say(chat("r2", OTHER_SERVER));
    laptop.say(chat("r3"));
    await soon();
    expect(answers()).toEqual([]);
    gate.end();
    await world.settle();
    expect(answers()).toEqual([
      ["ack", "r1"],
      ["error", "r2"],
      ["ack", "r3"],
    ]);
  });

  it("ER6 each report whether the cluster has them", async () => {
    laptop.say(chat("r1"));
    laptop.say(chat("r2"));
    await soon();
    gate.end(new ProblemError("UNAVAILABLE"));
    await world.settle();
    expect(laptop.received).toMatchObject([
      { type: "error", code: "UNAVAILABLE", requestId: "r1" },
      { type: "ack", requestId: "r2" },
    ]);
  });

  it("WS15 reach the cluster before their draining connection closes", async () => {
    laptop.say(chat("r1"));
    laptop.closeWhenIdle(CLOSE.RESTARTING, "The server restarts");
    await soon();
    expect([laptop.open, answers()]).toEqual([true, []]);
    gate.end();
    await world.settle();
    expect(answers()[0]).toEqual(["ack", "r1"]);
    expect(laptop.open).toBe(false);
  });
});
