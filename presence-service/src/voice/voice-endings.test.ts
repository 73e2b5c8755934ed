import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { discoverySubjects, LIMITS } from "@hearth/contracts";
import {
  CHANNEL,
  closeWithoutWarnings,
  type Scene,
  type Device,
  createScene,
  LAPTOP,
  OTHER_SERVER,
  SERVER,
  type Session,
  SPEAK,
  voicesHeard,
  World,
} from "../testing/index.ts";

const GRACE_S = LIMITS.voiceGraceMs / 1_000;

describe.each([1, 2])("the end of voice, with %i node(s)", (nodes) => {
  let world: World;
  let ada: Session;
  let laptop: Device;
  let phone: Device;
  let friend: Device;
  let forget: Scene["forget"];
  let fenceOf: Scene["fenceOf"];
  beforeEach(async () => {
    world = new World({ nodes });
    ({ ada, laptop, phone, friend, forget, fenceOf } = await createScene(world, [SERVER, OTHER_SERVER]));
  });
  afterEach(() => closeWithoutWarnings(world));

  it("VO3 ends ten seconds after its owner's connection, and the room learns of it", async () => {
    await world.ask(laptop, SPEAK);
    laptop.hangUp();
    await world.settle();
    expect((await world.leases.get(ada.oderId))?.connectionId).toBeNull();
    forget();
    await world.pass(GRACE_S - 1);
    expect(friend.received).toEqual([]);
    expect(await world.ask(phone, SPEAK)).toMatchObject({ code: "VOICE_NOT_OWNER" });
    forget();
    await world.pass(1);
    expect(voicesHeard(friend)).toEqual([[SERVER, null]]);
    expect(phone.last("voice_client_takeover")).toMatchObject({ ownerClientInstanceId: null });
    expect(await world.ask(phone, SPEAK)).toMatchObject({ type: "ack" });
  });

  it("VO3 continues if the same device comes back in time, on any node", async () => {
    const fence = await fenceOf(laptop, SPEAK);
    laptop.hangUp();
    await world.settle();
    await world.pass(GRACE_S - 2);
    const back = await world.arrive(ada, { clientInstanceId: LAPTOP, joins: [SERVER], node: 1 });
    await world.pass(3 * GRACE_S);
    expect(voicesHeard(friend)).toEqual([]);
    expect(await world.ask(back, { ...SPEAK, fence })).toMatchObject({ type: "ack", fence });
  });

  it("VO3 continues if the device comes back before its old connection closes", async () => {
    await fenceOf(laptop, SPEAK);
    const back = await world.arrive(ada, { clientInstanceId: LAPTOP, joins: [SERVER], node: 1 });
    expect(laptop.gone).toBe(true);
    await world.pass(3 * GRACE_S);
    expect(voicesHeard(friend)).toEqual([]);
    expect((await world.leases.get(ada.oderId))?.connectionId).toBe(back.id);
  });

  it("VO3 another device coming online does not count as coming back", async () => {
    await fenceOf(laptop, SPEAK);
    laptop.hangUp();
    await world.settle();
    await world.arrive(ada, { joins: [SERVER], node: 0 });
    await world.pass(GRACE_S);
    expect(voicesHeard(friend)).toEqual([[SERVER, null]]);
  });

  it("VO3 lasts as long as its owner is connected, even without messages", async () => {
    await world.ask(laptop, SPEAK);
    forget();
    await world.pass(60);
    expect(friend.received).toEqual([]);
    expect((await world.leases.get(ada.oderId))?.clientInstanceId).toBe(LAPTOP);
  });

  it("VO3 a device that becomes another one leaves its voice behind", async () => {
    await world.ask(laptop, SPEAK);
    laptop.say({ type: "identify", token: ada.token, clientInstanceId: CHANNEL });
    await world.settle();
    forget();
    await world.pass(GRACE_S);
    expect(voicesHeard(friend)).toEqual([[SERVER, null]]);
    expect(await world.ask(laptop, SPEAK)).toMatchObject({ type: "ack" });
  });

  it.each([
    ["leaves the room", async () => laptop.say({ type: "leave_server", serverId: SERVER })],
    ["is removed from it", async () => end(ada.oderId)],
  ])("VO3 ends at once when its owner %s", async (_, act) => {
    await world.ask(laptop, SPEAK);
    forget();
    await act();
    await world.settle();
    expect(voicesHeard(friend)).toEqual([[SERVER, null]]);
    expect(await world.leases.get(ada.oderId)).toBeNull();
  });

  it("VO3 continues if another device leaves the room", async () => {
    await world.ask(laptop, SPEAK);
    phone.say({ type: "leave_server", serverId: SERVER });
    await world.settle();
    expect((await world.leases.get(ada.oderId))?.clientInstanceId).toBe(LAPTOP);
  });

  it("VO3 DI7 ends with a removal during its grace period", async () => {
    await world.ask(laptop, SPEAK);
    laptop.hangUp();
    await world.settle();
    forget();
    await end(ada.oderId);
    await world.settle();
    expect(voicesHeard(friend)).toEqual([[SERVER, null]]);
  });

  const end = async (userId: string): Promise<void> => {
    await world.bus.publish(discoverySubjects.membershipEnded, {
      serverId: SERVER,
      userId,
      reason: "removed",
    });
  };
});

describe("voice and the death of a node", () => {
  it("VO3 a dead node's leases end by themselves", async () => {
    const world = new World({ nodes: 2 });
    const ada = world.logIn();
    const friend = await world.arrive(world.logIn(), { joins: [SERVER], node: 0 });
    const laptop = await world.arrive(ada, { clientInstanceId: LAPTOP, joins: [SERVER], node: 1 });
    laptop.say(SPEAK);
    await world.settle();
    friend.take();
    await world.kill(1);
    await world.pass(8);
    expect(friend.received).toEqual([]);
    await world.pass(4);
    expect(friend.received.map(({ type, channelId }) => [type, channelId])).toEqual(
      expect.arrayContaining([
        ["voice_state", null],
        ["user_left", undefined],
      ]),
    );
    expect(friend.received).toHaveLength(2);
    await world.close();
  });

  it("VO1 a claim that a removal of its connection overtakes has no effect", async () => {
    for (let at = 0; ; at++) {
      const count = { points: 0, watching: false };
      const world = new World({
        nodes: 2,
        point: (there) => async () => {
          if (!count.watching) return;
          count.points += 1;
          if (count.points !== at + 1) return;
          const ended = { serverId: SERVER, userId: ada.oderId, reason: "banned" as const };
          await there.bus.publish(discoverySubjects.membershipEnded, ended);
          await there.time.sleep(1);
        },
      });
      const ada = world.logIn();
      const friend = await world.arrive(world.logIn(), { joins: [SERVER], node: 1 });
      const laptop = await world.arrive(ada, { joins: [SERVER], node: 0 });
      count.watching = true;
      laptop.say(SPEAK);
      await world.settle();
      count.watching = false;
      const over = count.points <= at;
      if (!over) {
        expect(await world.leases.get(ada.oderId)).toBeNull();
        const heard = friend.all("voice_state").map(({ channelId }) => channelId);
        if (heard.length > 0) expect(heard.at(-1)).toBeNull();
      }
      await world.close();
      if (!over) continue;
      expect(at).toBeGreaterThan(1);
      break;
    }
  });
});
