import { describe, expect, it } from "@jest/globals";
import { presenceSubjects, ProblemError } from "@hearth/contracts";
import { createScene, LAPTOP, SERVER, World } from "../testing/index.ts";
import { reportActivity } from "./upkeep.ts";

const voice = { type: "voice_state", serverId: SERVER, channelId: LAPTOP };

describe("upkeep", () => {
  it.each([["roster.renew"], ["roster.reap"], ["leases.renew"], ["leases.expire"]])(
    "VO3 WS5 a failed step stops no other: %s",
    async (step) => {
      const world = new World({
        nodes: 2,
        point: () => async (name) => {
          if (name === `${step} asked`) throw new ProblemError("UNAVAILABLE");
        },
      });
      const idle = world.connect();
      const ada = world.services.logIn(world.time.now() + 10_000);
      const device = await world.arrive(ada, { joins: [SERVER] });
      device.say(voice);
      await world.pass(16);
      expect([idle.closeCode, device.closeCode]).toEqual([4009, 4502]);
      expect(world.warnings.some(({ msg }) => msg === "upkeep step failed")).toBe(true);
      await world.close();
    },
  );

  it("I16 VO3 nobody loses connection, room or voice while the roster is away for half a minute", async () => {
    const trouble = { lasts: false };
    const world = new World({
      nodes: 2,
      point: () => async (name) => {
        if (trouble.lasts && /^(roster|leases)/.test(name)) throw new ProblemError("UNAVAILABLE");
      },
    });
    const { laptop, friend, forget } = await createScene(world);
    await world.pass(5);
    await world.ask(laptop, voice);
    forget();
    trouble.lasts = true;
    await world.pass(30);
    trouble.lasts = false;
    await world.pass(30);
    expect([laptop.open, friend.open]).toEqual([true, true]);
    expect([...laptop.received, ...friend.received]).toEqual([]);
    expect(await world.roster.online([SERVER])).toEqual({ [SERVER]: 2 });
    await world.close();
  });

  it("DI2 a failed report is lost, and stops nothing", async () => {
    const world = new World();
    const { node } = world.at(0);
    const reports: unknown[] = [];
    world.bus.subscribe(presenceSubjects.activity, (report) => void reports.push(report));
    node.activity.count(SERVER);
    await reportActivity(node);
    await reportActivity(node);
    await world.settle();
    expect(reports).toEqual([{ items: [{ serverId: SERVER, messages: 1 }] }]);
    await world.close();
    node.activity.count(SERVER);
    await reportActivity(node);
    expect(world.warnings).toHaveLength(1);
  });

  it("forgets ended sessions, connections and voice", async () => {
    const world = new World();
    const { node } = world.at(0);
    const ended = world.logIn();
    const device = await world.arrive(world.logIn(), { joins: [SERVER] });
    await world.services.endSession(ended);
    device.say(voice);
    await world.settle();
    expect(node.voiceOwners.size).toBe(1);
    device.hangUp();
    await world.settle();
    expect(node.revocations.reasonFor(ended.sessionId)).toBe("revoked");
    await world.pass(121);
    expect(node.revocations.reasonFor(ended.sessionId)).toBeNull();
    expect([
      node.connections.size,
      node.voiceOwners.size,
      node.unregistering.size,
      node.pendingAnnouncements.size,
    ]).toEqual([0, 0, 0, 0]);
    await world.close();
  });
});
