import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import {
  CHANNEL,
  closeWithoutWarnings,
  type Scene,
  type Device,
  createScene,
  LAPTOP,
  type Message,
  OTHER_CHANNEL,
  OTHER_SERVER,
  PHONE,
  SERVER,
  type Session,
  SILENCE,
  SPEAK,
  TAKEOVER,
  voicesHeard,
  World,
} from "../testing/index.ts";

describe.each([1, 2])("voice, with %i node(s)", (nodes) => {
  let world: World;
  let ada: Session;
  let laptop: Device;
  let phone: Device;
  let friend: Device;
  let elsewhere: Device;
  let forget: Scene["forget"];
  let fenceOf: Scene["fenceOf"];
  beforeEach(async () => {
    world = new World({ nodes });
    ({ ada, laptop, phone, friend, elsewhere, forget, fenceOf } = await createScene(world, [
      SERVER,
      OTHER_SERVER,
    ]));
  });
  afterEach(() => closeWithoutWarnings(world));

  it("VO1 belongs to the first device that speaks; the room and the other devices learn of it", async () => {
    const answer = await world.ask(laptop, { ...SPEAK, muted: true });
    const fence = Number(answer?.["fence"]);
    expect(answer).toEqual({ type: "ack", inReplyTo: "voice_state", requestId: expect.any(String), fence });
    const state = { ...SPEAK, muted: true, deafened: false, fence, fromUserId: ada.oderId };
    const owner = { ...TAKEOVER, ownerClientInstanceId: LAPTOP, fence, serverId: SERVER, channelId: CHANNEL };
    expect(friend.received).toMatchObject([state]);
    expect(phone.received).toMatchObject([owner, state]);
    expect(laptop.all("voice_state")).toEqual([]);
  });

  it("VO1 another device learns the owner", async () => {
    const fence = await fenceOf(laptop, SPEAK);
    expect(await world.ask(phone, SPEAK)).toMatchObject({
      type: "error",
      code: "VOICE_NOT_OWNER",
      ownerClientInstanceId: LAPTOP,
      fence,
    });
    expect(await world.ask(phone, SILENCE)).toMatchObject({ code: "VOICE_NOT_OWNER" });
    expect(friend.received).toEqual([]);
  });

  it("VO1 another user has a voice of their own", async () => {
    await world.ask(laptop, SPEAK);
    expect(await world.ask(friend, SPEAK)).toMatchObject({ type: "ack" });
  });

  it("VO1 two devices at once: one owner, the same for everybody", async () => {
    for (let round = 0; round < 200; round++) {
      for (const device of [laptop, phone]) {
        void world.time.sleep(world.random.below(3)).then(() => device.say(SPEAK));
      }
      await world.settle();
      const refused = [laptop, phone].filter((device) => device.all("error").length > 0);
      expect(refused).toHaveLength(1);
      const owner = refused[0] === laptop ? PHONE : LAPTOP;
      expect((await world.leases.get(ada.oderId))?.clientInstanceId).toBe(owner);
      expect(refused[0]?.last("error")).toMatchObject({ ownerClientInstanceId: owner });
      expect(friend.all("voice_state")).toHaveLength(1);
      (owner === LAPTOP ? laptop : phone).say(SILENCE);
      await world.settle();
      await world.time.pass(1_000);
      forget();
    }
  });

  it("VO1 its owner changes state and channel under the same fence; fields that are left out stay", async () => {
    const fence = await fenceOf(laptop, { ...SPEAK, muted: true });
    expect(await fenceOf(laptop, { ...SPEAK, channelId: OTHER_CHANNEL, deafened: true })).toBe(fence);
    expect(await world.leases.get(ada.oderId)).toMatchObject({
      channelId: OTHER_CHANNEL,
      muted: true,
      deafened: true,
    });
    await world.ask(laptop, { ...SPEAK, channelId: OTHER_CHANNEL });
    expect(friend.received).toMatchObject([{ channelId: OTHER_CHANNEL, muted: true, deafened: true, fence }]);
  });

  it("VO1 a newcomer sees who speaks, and an account's new device sees the owner of its voice", async () => {
    const fence = await fenceOf(laptop, { ...SPEAK, muted: true });
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

  it("VO1 moving to another server's channel is announced in both rooms", async () => {
    await world.ask(laptop, SPEAK);
    forget();
    await world.ask(laptop, { ...SPEAK, serverId: OTHER_SERVER, channelId: OTHER_CHANNEL });
    expect(voicesHeard(friend)).toEqual([[SERVER, null]]);
    expect(voicesHeard(elsewhere)).toEqual([[OTHER_SERVER, OTHER_CHANNEL]]);
    expect(phone.last("voice_client_takeover")).toMatchObject({
      serverId: OTHER_SERVER,
      channelId: OTHER_CHANNEL,
    });
  });

  it("VO1 needs the room", async () => {
    friend.say({ ...SPEAK, serverId: OTHER_SERVER });
    friend.say({ ...TAKEOVER, serverId: OTHER_SERVER, channelId: CHANNEL });
    await world.settle();
    expect(friend.received).toMatchObject([{ code: "NOT_JOINED" }, { code: "NOT_JOINED" }]);
  });

  it("VO2 moves to the device that takes it over; the room notices no interruption", async () => {
    const before = await fenceOf(laptop, { ...SPEAK, muted: true });
    const fence = Number((await world.ask(phone, TAKEOVER))?.["fence"]);
    expect(fence).toBeGreaterThan(before);
    const news = { ...TAKEOVER, ownerClientInstanceId: PHONE, fence, serverId: SERVER, channelId: CHANNEL };
    expect(laptop.received).toEqual([news]);
    expect(phone.received).toMatchObject([news, { type: "ack" }]);
    expect(friend.received).toEqual([]);
    expect(await world.ask(phone, { ...SPEAK, fence })).toMatchObject({ type: "ack", fence });
  });

  it("VO2 the device that lost it is refused, with its older fence or without one", async () => {
    const stale = await fenceOf(laptop, SPEAK);
    const fence = await fenceOf(phone, TAKEOVER);
    const owner = { type: "error", ownerClientInstanceId: PHONE, fence };
    for (const message of [SPEAK, SILENCE, TAKEOVER]) {
      expect(await world.ask(laptop, { ...message, fence: stale })).toMatchObject({
        ...owner,
        code: "STALE_FENCE",
      });
      laptop.take();
    }
    expect(await world.ask(laptop, SPEAK)).toMatchObject({ ...owner, code: "VOICE_NOT_OWNER" });
    expect(friend.received).toEqual([]);
    expect((await world.leases.get(ada.oderId))?.clientInstanceId).toBe(PHONE);
  });

  it("VO2 W27 is refused if nobody has voice, or if the device is not in the room", async () => {
    expect(await world.ask(phone, TAKEOVER)).toMatchObject({ type: "error", code: "NOT_FOUND" });
    phone.say({ type: "leave_server", serverId: SERVER });
    await world.ask(laptop, SPEAK);
    forget();
    expect(await world.ask(phone, TAKEOVER)).toMatchObject({ type: "error", code: "NOT_JOINED" });
    expect((await world.leases.get(ada.oderId))?.clientInstanceId).toBe(LAPTOP);
  });

  it("VO2 may name a channel: both rooms learn of the move", async () => {
    await world.ask(laptop, SPEAK);
    forget();
    const place = { serverId: OTHER_SERVER, channelId: OTHER_CHANNEL };
    const fence = Number((await world.ask(phone, { ...TAKEOVER, ...place }))?.["fence"]);
    expect(voicesHeard(friend)).toEqual([[SERVER, null]]);
    expect(elsewhere.all("voice_state")).toMatchObject([{ ...place, fence, fromUserId: ada.oderId }]);
  });

  it("VO2 X8 two takeovers at once on two nodes: one owner everywhere, the one with the highest fence", async () => {
    await world.ask(laptop, SPEAK);
    const third = await world.arrive(ada, { joins: [SERVER], node: 1 });
    for (let round = 0; round < 200; round++) {
      const takers = [laptop, phone, third];
      for (const device of takers) {
        device.take();
        void world.time.sleep(world.random.below(3)).then(() => device.say(TAKEOVER));
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

  it("VO1 hanging up releases it and notifies the room and the devices; without a voice it is no error", async () => {
    const fence = await fenceOf(laptop, SPEAK);
    expect(await world.ask(laptop, SILENCE)).toMatchObject({ type: "ack", fence });
    expect(friend.received).toMatchObject([{ ...SILENCE, muted: false, fence, fromUserId: ada.oderId }]);
    const nobody = { ...TAKEOVER, ownerClientInstanceId: null, fence, serverId: null, channelId: null };
    expect(phone.received).toMatchObject([SILENCE, nobody]);
    expect(laptop.all("voice_state")).toEqual([]);
    forget();
    expect(await world.ask(laptop, SILENCE)).toEqual({
      type: "ack",
      inReplyTo: "voice_state",
      requestId: expect.any(String),
    });
    expect(friend.received).toEqual([]);
    expect(await fenceOf(phone, SPEAK)).toBeGreaterThan(fence);
  });

  it("VO1 hanging up in one server does not end voice in another", async () => {
    await world.ask(laptop, SPEAK);
    await world.ask(laptop, { ...SILENCE, serverId: OTHER_SERVER });
    expect((await world.leases.get(ada.oderId))?.serverId).toBe(SERVER);
  });
});
