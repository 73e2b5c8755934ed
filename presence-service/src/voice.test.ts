import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { discoverySubjects, LIMITS } from "@hearth/contracts";
import {
  CHANNEL,
  type Device,
  LAPTOP,
  type Message,
  OTHER_CHANNEL,
  OTHER_SERVER,
  PHONE,
  SERVER,
  type Session,
  World,
} from "./testing/index.ts";

const speak = { type: "voice_state", serverId: SERVER, channelId: CHANNEL };
const silence = { ...speak, channelId: null };
const takeover = { type: "voice_client_takeover" };
const GRACE_S = LIMITS.voiceGraceMs / 1_000;

describe.each([1, 2])("voice, with %i node(s)", (nodes) => {
  let world: World;
  let ada: Session;
  let laptop: Device;
  let phone: Device;
  let friend: Device;
  let asked = 0;
  beforeEach(async () => {
    world = new World({ nodes });
    ada = world.logIn();
    laptop = await world.arrive(ada, { clientInstanceId: LAPTOP, joins: [SERVER, OTHER_SERVER], node: 0 });
    phone = await world.arrive(ada, { clientInstanceId: PHONE, joins: [SERVER, OTHER_SERVER], node: 1 });
    friend = await world.arrive(world.logIn(), { joins: [SERVER], node: 1 });
    forget();
  });
  afterEach(async () => {
    expect(world.complaints).toEqual([]);
    await world.close();
  });

  const forget = (): void => {
    for (const device of [laptop, phone, friend]) device.take();
  };
  const say = async (device: Device, message: Message): Promise<Message | undefined> => {
    const requestId = `r${(asked += 1)}`;
    device.say({ ...message, requestId });
    await world.settle();
    return device.received.find((received) => received["requestId"] === requestId);
  };
  const fenceOf = async (device: Device, message: Message): Promise<number> => {
    const fence = Number((await say(device, message))?.["fence"]);
    forget();
    return fence;
  };
  const heard = (device: Device): unknown[] =>
    device.all("voice_state").map(({ serverId, channelId }) => [serverId, channelId]);

  it("VO1 belongs to the first device that speaks; the room and the other devices hear it", async () => {
    const answer = await say(laptop, { ...speak, muted: true });
    const fence = Number(answer?.["fence"]);
    expect(answer).toEqual({ type: "ack", inReplyTo: "voice_state", requestId: expect.any(String), fence });
    const state = { ...speak, muted: true, deafened: false, fence, fromUserId: ada.oderId };
    const owner = { ...takeover, ownerClientInstanceId: LAPTOP, fence, serverId: SERVER, channelId: CHANNEL };
    expect(friend.received).toMatchObject([state]);
    expect(phone.received).toMatchObject([owner, state]);
    expect(laptop.all("voice_state")).toEqual([]);
  });

  it("VO1 another device is told whose it is", async () => {
    const fence = await fenceOf(laptop, speak);
    expect(await say(phone, speak)).toMatchObject({
      type: "error",
      code: "VOICE_NOT_OWNER",
      ownerClientInstanceId: LAPTOP,
      fence,
    });
    expect(await say(phone, silence)).toMatchObject({ code: "VOICE_NOT_OWNER" });
    expect(friend.received).toEqual([]);
  });

  it("VO1 another user's is their own", async () => {
    await say(laptop, speak);
    expect(await say(friend, speak)).toMatchObject({ type: "ack" });
  });

  it("VO1 two devices at once: one owner, the same for everybody", async () => {
    for (let round = 0; round < 200; round++) {
      for (const device of [laptop, phone]) {
        void world.time.sleep(world.random.below(3)).then(() => device.say(speak));
      }
      await world.settle();
      const refused = [laptop, phone].filter((device) => device.all("error").length > 0);
      expect(refused).toHaveLength(1);
      const owner = refused[0] === laptop ? PHONE : LAPTOP;
      expect((await world.leases.get(ada.oderId))?.clientInstanceId).toBe(owner);
      expect(refused[0]?.last("error")).toMatchObject({ ownerClientInstanceId: owner });
      expect(friend.all("voice_state")).toHaveLength(1);
      (owner === LAPTOP ? laptop : phone).say(silence);
      await world.settle();
      await world.time.pass(1_000);
      forget();
    }
  });

  it("VO1 its owner changes state and channel under the same fence; what is left out stays", async () => {
    const fence = await fenceOf(laptop, { ...speak, muted: true });
    expect(await fenceOf(laptop, { ...speak, channelId: OTHER_CHANNEL, deafened: true })).toBe(fence);
    expect(await world.leases.get(ada.oderId)).toMatchObject({
      channelId: OTHER_CHANNEL,
      muted: true,
      deafened: true,
    });
    await say(laptop, { ...speak, channelId: OTHER_CHANNEL });
    expect(friend.received).toMatchObject([{ channelId: OTHER_CHANNEL, muted: true, deafened: true, fence }]);
  });

  it("VO1 a newcomer sees who speaks, and an account's new device who has its voice", async () => {
    const fence = await fenceOf(laptop, { ...speak, muted: true });
    const newcomer = world.connect(1);
    newcomer.say({ type: "identify", token: ada.token });
    newcomer.say({ type: "join_server", serverId: SERVER });
    await world.settle();
    expect(newcomer.last("identified")?.["voice"]).toEqual({
      ownerClientInstanceId: LAPTOP,
      fence,
      serverId: SERVER,
      channelId: CHANNEL,
    });
    const users = newcomer.last("server_joined")?.["users"] as Message[];
    expect(users.find(({ oderId }) => oderId === ada.oderId)?.["voice"]).toEqual({
      channelId: CHANNEL,
      muted: true,
      deafened: false,
    });
    expect(users.filter(({ voice }) => voice !== undefined)).toHaveLength(1);
  });

  it("VO1 moving to another server's channel tells the room that is left, and the one that is entered", async () => {
    const there = await world.arrive(world.logIn(), { joins: [OTHER_SERVER], node: 1 });
    await say(laptop, speak);
    forget();
    await say(laptop, { ...speak, serverId: OTHER_SERVER, channelId: OTHER_CHANNEL });
    expect(heard(friend)).toEqual([[SERVER, null]]);
    expect(heard(there)).toEqual([[OTHER_SERVER, OTHER_CHANNEL]]);
    expect(phone.last("voice_client_takeover")).toMatchObject({
      serverId: OTHER_SERVER,
      channelId: OTHER_CHANNEL,
    });
  });

  it("VO1 needs the room", async () => {
    friend.say({ ...speak, serverId: OTHER_SERVER });
    friend.say({ ...takeover, serverId: OTHER_SERVER, channelId: CHANNEL });
    await world.settle();
    expect(friend.received).toMatchObject([{ code: "NOT_JOINED" }, { code: "NOT_JOINED" }]);
  });

  it("VO2 moves to the device that takes it over; the room hears no break", async () => {
    const before = await fenceOf(laptop, { ...speak, muted: true });
    const fence = Number((await say(phone, takeover))?.["fence"]);
    expect(fence).toBeGreaterThan(before);
    const news = { ...takeover, ownerClientInstanceId: PHONE, fence, serverId: SERVER, channelId: CHANNEL };
    expect(laptop.received).toEqual([news]);
    expect(phone.received).toMatchObject([news, { type: "ack" }]);
    expect(friend.received).toEqual([]);
    expect(await say(phone, { ...speak, fence })).toMatchObject({ type: "ack", fence });
  });

  it("VO2 the device that lost it is told so, by its older fence or without one", async () => {
    const stale = await fenceOf(laptop, speak);
    const fence = await fenceOf(phone, takeover);
    const owner = { type: "error", ownerClientInstanceId: PHONE, fence };
    for (const message of [speak, silence, takeover]) {
      expect(await say(laptop, { ...message, fence: stale })).toMatchObject({
        ...owner,
        code: "STALE_FENCE",
      });
      laptop.take();
    }
    expect(await say(laptop, speak)).toMatchObject({ ...owner, code: "VOICE_NOT_OWNER" });
    expect(friend.received).toEqual([]);
    expect((await world.leases.get(ada.oderId))?.clientInstanceId).toBe(PHONE);
  });

  it("VO2 W27 is refused where nobody has voice, and where the taker is not in the room", async () => {
    expect(await say(phone, takeover)).toMatchObject({ type: "error", code: "NOT_FOUND" });
    phone.say({ type: "leave_server", serverId: SERVER });
    await say(laptop, speak);
    forget();
    expect(await say(phone, takeover)).toMatchObject({ type: "error", code: "NOT_JOINED" });
    expect((await world.leases.get(ada.oderId))?.clientInstanceId).toBe(LAPTOP);
  });

  it("VO2 may name the place: the room that is left and the one that is entered hear it", async () => {
    const there = await world.arrive(world.logIn(), { joins: [OTHER_SERVER], node: 0 });
    await say(laptop, speak);
    forget();
    const place = { serverId: OTHER_SERVER, channelId: OTHER_CHANNEL };
    const fence = Number((await say(phone, { ...takeover, ...place }))?.["fence"]);
    expect(heard(friend)).toEqual([[SERVER, null]]);
    expect(there.all("voice_state")).toMatchObject([{ ...place, fence, fromUserId: ada.oderId }]);
  });

  it("VO2 X8 taken over by two at once on two nodes: one owner everywhere, the one with the highest fence", async () => {
    await say(laptop, speak);
    const third = await world.arrive(ada, { joins: [SERVER], node: 1 });
    for (let round = 0; round < 200; round++) {
      const takers = [laptop, phone, third];
      for (const device of takers) {
        device.take();
        void world.time.sleep(world.random.below(3)).then(() => device.say(takeover));
      }
      await world.settle();
      const lease = await world.leases.get(ada.oderId);
      for (const device of takers) {
        const news = device.all("voice_client_takeover");
        const highest = news.reduce((one, other) =>
          Number(other["fence"]) > Number(one["fence"]) ? other : one,
        );
        expect(highest["ownerClientInstanceId"]).toBe(lease?.clientInstanceId);
      }
      await world.time.pass(1_000);
    }
    expect(friend.received.filter(({ channelId }) => channelId === null)).toEqual([]);
  });

  it("VO1 hanging up frees it, tells the room and the devices, and is no error with nothing to hang up", async () => {
    const fence = await fenceOf(laptop, speak);
    expect(await say(laptop, silence)).toMatchObject({ type: "ack", fence });
    expect(friend.received).toMatchObject([{ ...silence, muted: false, fence, fromUserId: ada.oderId }]);
    const nobody = { ...takeover, ownerClientInstanceId: null, fence, serverId: null, channelId: null };
    expect(phone.received).toMatchObject([silence, nobody]);
    expect(laptop.all("voice_state")).toEqual([]);
    forget();
    expect(await say(laptop, silence)).toEqual({
      type: "ack",
      inReplyTo: "voice_state",
      requestId: expect.any(String),
    });
    expect(friend.received).toEqual([]);
    expect(await fenceOf(phone, speak)).toBeGreaterThan(fence);
  });

  it("VO1 hanging up in one server does not end what goes on in another", async () => {
    await say(laptop, speak);
    await say(laptop, { ...silence, serverId: OTHER_SERVER });
    expect((await world.leases.get(ada.oderId))?.serverId).toBe(SERVER);
  });

  it("VO3 ends ten seconds after its owner's connection, and the room is told", async () => {
    await say(laptop, speak);
    laptop.hangUp();
    await world.settle();
    expect((await world.leases.get(ada.oderId))?.connectionId).toBeNull();
    forget();
    await world.pass(GRACE_S - 1);
    expect(friend.received).toEqual([]);
    expect(await say(phone, speak)).toMatchObject({ code: "VOICE_NOT_OWNER" });
    forget();
    await world.pass(1);
    expect(heard(friend)).toEqual([[SERVER, null]]);
    expect(phone.last("voice_client_takeover")).toMatchObject({ ownerClientInstanceId: null });
    expect(await say(phone, speak)).toMatchObject({ type: "ack" });
  });

  it("VO3 goes on when the same device comes back in time, on whichever node", async () => {
    const fence = await fenceOf(laptop, speak);
    laptop.hangUp();
    await world.settle();
    await world.pass(GRACE_S - 2);
    const back = await world.arrive(ada, { clientInstanceId: LAPTOP, joins: [SERVER], node: 1 });
    await world.pass(3 * GRACE_S);
    expect(heard(friend)).toEqual([]);
    expect(await say(back, { ...speak, fence })).toMatchObject({ type: "ack", fence });
  });

  it("VO3 goes on when the device comes back before its old connection is gone", async () => {
    await fenceOf(laptop, speak);
    const back = await world.arrive(ada, { clientInstanceId: LAPTOP, joins: [SERVER], node: 1 });
    expect(laptop.gone).toBe(true);
    await world.pass(3 * GRACE_S);
    expect(heard(friend)).toEqual([]);
    expect((await world.leases.get(ada.oderId))?.connectionId).toBe(back.id);
  });

  it("VO3 another device coming online does not count as coming back", async () => {
    await fenceOf(laptop, speak);
    laptop.hangUp();
    await world.settle();
    await world.arrive(ada, { joins: [SERVER], node: 0 });
    await world.pass(GRACE_S);
    expect(heard(friend)).toEqual([[SERVER, null]]);
  });

  it("VO3 lasts as long as its owner is connected, silent or not", async () => {
    await say(laptop, speak);
    forget();
    await world.pass(60);
    expect(friend.received).toEqual([]);
    expect((await world.leases.get(ada.oderId))?.clientInstanceId).toBe(LAPTOP);
  });

  it("VO3 a device that becomes another has left its voice behind", async () => {
    await say(laptop, speak);
    laptop.say({ type: "identify", token: ada.token, clientInstanceId: CHANNEL });
    await world.settle();
    forget();
    await world.pass(GRACE_S);
    expect(heard(friend)).toEqual([[SERVER, null]]);
    expect(await say(laptop, speak)).toMatchObject({ type: "ack" });
  });

  it.each([
    ["leaves the room", async () => laptop.say({ type: "leave_server", serverId: SERVER })],
    ["is removed from it", async () => end(ada.oderId)],
  ])("VO3 ends at once when its owner %s", async (_, act) => {
    await say(laptop, speak);
    forget();
    await act();
    await world.settle();
    expect(heard(friend)).toEqual([[SERVER, null]]);
    expect(await world.leases.get(ada.oderId)).toBeNull();
  });

  it("VO3 goes on when another device leaves the room", async () => {
    await say(laptop, speak);
    phone.say({ type: "leave_server", serverId: SERVER });
    await world.settle();
    expect((await world.leases.get(ada.oderId))?.clientInstanceId).toBe(LAPTOP);
  });

  it("VO3 DI7 does not outlive a removal in its grace", async () => {
    await say(laptop, speak);
    laptop.hangUp();
    await world.settle();
    forget();
    await end(ada.oderId);
    await world.settle();
    expect(heard(friend)).toEqual([[SERVER, null]]);
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
    laptop.say(speak);
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

  it("VO1 a claim that its connection's removal overtakes does not stand", async () => {
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
      laptop.say(speak);
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
