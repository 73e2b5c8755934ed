import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ProblemError } from "@hearth/contracts";
import {
  CHAT,
  closeWithoutWarnings,
  type Device,
  DIRECT_MESSAGES,
  createScene,
  ICONS,
  LAPTOP,
  type Message,
  named,
  OTHER_SERVER,
  ROOM_MESSAGES,
  SERVER,
  type Session,
  SIGNALS,
  stampOf,
  World,
} from "../testing/index.ts";

describe.each([1, 2])("messages in a room, with %i node(s)", (nodes) => {
  let world: World;
  let ada: Session;
  let bob: Session;
  let laptop: Device;
  let phone: Device;
  let friend: Device;
  let elsewhere: Device;
  beforeEach(async () => {
    world = new World({ nodes });
    ({ ada, bob, laptop, phone, friend, elsewhere } = await createScene(world));
  });
  afterEach(() => closeWithoutWarnings(world));

  it.each(named(ROOM_MESSAGES))(
    "WS9 %s goes to every other connection in the room, the sender's own devices included",
    async (_, message) => {
      laptop.say(message);
      await world.settle();
      const copy = { ...message, ...stampOf(world, ada, "Ada") };
      expect([phone.received, friend.received]).toEqual([[copy], [copy]]);
      expect([laptop.received, elsewhere.received]).toEqual([[], []]);
    },
  );

  it.each(named(ROOM_MESSAGES))(
    "WS9 W28 %s carries the sender's fields as the server knows them, whatever it claims",
    async (_, message) => {
      const lies = {
        fromUserId: bob.oderId,
        fromDisplayName: "Bob",
        sentAt: 1,
        fromClientInstanceId: LAPTOP,
      };
      laptop.say({ ...message, ...lies, oderId: bob.oderId });
      await world.settle();
      expect(friend.received).toEqual([{ ...message, ...stampOf(world, ada, "Ada"), oderId: ada.oderId }]);
    },
  );

  it.each(named(ROOM_MESSAGES))(
    "WS9 W26 %s is refused with NOT_JOINED from outside the room",
    async (_, message) => {
      elsewhere.say({ ...message, requestId: "r1" });
      await world.settle();
      expect(elsewhere.received).toEqual([
        {
          type: "error",
          code: "NOT_JOINED",
          message: expect.any(String),
          retryable: false,
          requestId: "r1",
          inReplyTo: message["type"],
          serverId: SERVER,
        },
      ]);
      expect([...laptop.received, ...friend.received]).toEqual([]);
    },
  );

  it("WS9 a status without a server goes to every room of its user", async () => {
    laptop.say({ type: "join_server", serverId: OTHER_SERVER });
    await world.settle();
    for (const device of [laptop, elsewhere]) device.take();
    phone.say({ type: "status_update", status: "busy" });
    await world.settle();
    expect(friend.received).toEqual([
      { type: "status_update", status: "busy", serverId: SERVER, ...stampOf(world, ada, "Ada") },
    ]);
    expect(elsewhere.received).toMatchObject([{ type: "status_update", serverId: OTHER_SERVER }]);
    expect(laptop.received.map(({ serverId }) => serverId)).toEqual([SERVER, OTHER_SERVER]);
    expect(phone.received).toEqual([]);
  });

  it.each(named([...ROOM_MESSAGES, ...DIRECT_MESSAGES, ...SIGNALS, ...ICONS]))(
    "WS9 %s is acknowledged if it asks for that, by requestId or by a Socket.IO acknowledgement",
    async (_, message) => {
      const addressed =
        "serverId" in message && !("sdp" in message) ? message : { ...message, toUserId: bob.oderId };
      const full = ICONS.includes(message) ? { ...message, toUserId: bob.oderId } : addressed;
      laptop.say({ ...full, requestId: "r1" });
      laptop.ask(full);
      laptop.say(full);
      await world.settle();
      expect(laptop.received).toEqual([{ type: "ack", inReplyTo: message["type"], requestId: "r1" }]);
      expect(laptop.acknowledged).toEqual([{ type: "ack", inReplyTo: message["type"] }]);
      expect(friend.received).toHaveLength(3);
      for (const copy of friend.received) expect(copy).not.toHaveProperty("requestId");
    },
  );

  it("WS9 a refusal answers the Socket.IO acknowledgement too", async () => {
    elsewhere.ask(CHAT);
    await world.settle();
    expect(elsewhere.acknowledged).toMatchObject([{ type: "error", code: "NOT_JOINED" }]);
  });

  it("WS9 keeps the order of one connection's messages for everybody", async () => {
    for (let n = 0; n < 50; n++) laptop.say({ ...CHAT, message: { id: String(n), content: "" } });
    await world.settle();
    const inOrder = Array.from({ length: 50 }, (_, n) => String(n));
    for (const device of [phone, friend]) {
      expect(device.received.map(({ message }) => (message as Message)["id"])).toEqual(inOrder);
    }
  });

  it("WS9 acknowledges when the message has been handed to the cluster, not before", async () => {
    const far = new World({
      nodes,
      point: (there) => async (name) => {
        if (name === "carrier.publish asked") await there.time.sleep(1_000);
      },
    });
    const sender = await far.arrive(far.logIn(), { joins: [SERVER] });
    const near = await far.arrive(far.logIn(), { joins: [SERVER] });
    sender.take();
    sender.say({ ...CHAT, requestId: "r1" });
    await far.time.pass(900);
    expect(near.all("chat_message")).toHaveLength(1);
    expect(sender.received).toEqual([]);
    await far.settle();
    expect(sender.received).toMatchObject([{ type: "ack", requestId: "r1" }]);
    await far.close();
  });

  it("WS9 ER6 answers with a retryable error if the cluster cannot be reached", async () => {
    const away = { is: false };
    const far = new World({
      nodes: 2,
      point: () => async (name) => {
        if (away.is && name === "carrier.publish asked") throw new ProblemError("UNAVAILABLE");
      },
    });
    const sender = await far.arrive(far.logIn(), { joins: [SERVER] });
    const near = await far.arrive(far.logIn(), { joins: [SERVER] });
    for (const device of [sender, near]) device.take();
    away.is = true;
    sender.say({ ...CHAT, requestId: "r1" });
    await far.settle();
    expect(sender.received).toMatchObject([
      { type: "error", code: "UNAVAILABLE", retryable: true, requestId: "r1" },
    ]);
    expect(near.all("chat_message")).toHaveLength(1);
    await far.close();
  });

  it("WS13 marks messages that a slow reader may miss, and no others", async () => {
    const kinds = new Map<string, boolean>();
    const send = friend.send.bind(friend);
    friend.send = (frame) => {
      send(frame);
      kinds.set(String(friend.received.at(-1)?.["type"]), frame.ephemeral);
    };
    for (const message of ROOM_MESSAGES) laptop.say(message);
    for (const message of [...DIRECT_MESSAGES, ...SIGNALS]) laptop.say({ ...message, toUserId: bob.oderId });
    await world.settle();
    const missable = [...kinds].filter(([, ephemeral]) => ephemeral).map(([type]) => type);
    expect(missable.sort()).toEqual(["direct_typing", "status_update", "user_typing"]);
    expect(kinds.size).toBe(ROOM_MESSAGES.length + DIRECT_MESSAGES.length + SIGNALS.length);
  });

  it("WS11 ping is answered with the time", async () => {
    laptop.say({ type: "ping", requestId: "r1" });
    await world.settle();
    expect(laptop.received).toEqual([{ type: "pong", serverTime: world.time.now(), requestId: "r1" }]);
  });

  it("DI2 counts chat messages of a room for the trending list", async () => {
    for (let n = 0; n < 3; n++) laptop.say(CHAT);
    laptop.say({ type: "user_typing", serverId: SERVER });
    await world.settle();
    expect(world.at(0).node.activity.take()).toEqual([{ serverId: SERVER, messages: 3 }]);
    expect(world.at(0).node.activity.take()).toEqual([]);
  });
});
