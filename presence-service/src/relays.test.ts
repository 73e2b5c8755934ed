import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { discoverySubjects, ProblemError } from "@hearth/contracts";
import {
  CHANNEL,
  type Device,
  LAPTOP,
  type Message,
  OTHER_SERVER,
  PHONE,
  SERVER,
  type Session,
  World,
} from "./testing/index.ts";

const room = { serverId: SERVER, channelId: CHANNEL };
const chat = { type: "chat_message", ...room, message: { id: "m1", content: "hello", reply: { to: "m0" } } };

const ROOM_MESSAGES: Message[] = [
  chat,
  { type: "message_revision", ...room, messageId: "m1", revision: { content: "changed" } },
  { type: "message_delete", ...room, messageId: "m1" },
  { type: "reaction", ...room, messageId: "m1", emoji: "🔥", action: "remove" },
  { type: "user_typing", ...room, isTyping: false },
  { type: "status_update", serverId: SERVER, status: "away", statusText: "tea" },
];

const DIRECT_MESSAGES: Message[] = [
  { type: "direct_message", message: { id: "m1", content: "psst" } },
  { type: "direct_message_revision", messageId: "m1", revision: { content: "shh" } },
  { type: "direct_typing", isTyping: true },
  { type: "direct_call", call: { id: "c1", action: "ring" } },
];

const SIGNALS: Message[] = [
  { type: "offer", sdp: "v=0" },
  { type: "answer", sdp: "v=0" },
  { type: "ice_candidate", candidate: { candidate: "candidate:1", sdpMid: "0" } },
];

const ICONS: Message[] = [
  { type: "server_icon_request", serverId: SERVER },
  { type: "server_icon_full", serverId: SERVER, icon: "data" },
  { type: "server_icon_chunk", serverId: SERVER, index: 0, total: 2, data: "AA" },
];

const named = (messages: Message[]): [string, Message][] =>
  messages.map((message) => [String(message["type"]), message]);

describe.each([1, 2])("what is said, with %i node(s)", (nodes) => {
  let world: World;
  let ada: Session;
  let bob: Session;
  let laptop: Device;
  let phone: Device;
  let friend: Device;
  let elsewhere: Device;
  beforeEach(async () => {
    world = new World({ nodes });
    [ada, bob] = [world.logIn(undefined, "Ada"), world.logIn(undefined, "Bob")];
    laptop = await world.arrive(ada, { clientInstanceId: LAPTOP, joins: [SERVER], node: 0 });
    phone = await world.arrive(ada, { clientInstanceId: PHONE, joins: [SERVER], node: 1 });
    friend = await world.arrive(bob, { joins: [SERVER], node: 1 });
    elsewhere = await world.arrive(world.logIn(), { joins: [OTHER_SERVER], node: 1 });
    for (const device of [laptop, phone, friend, elsewhere]) device.take();
  });
  afterEach(async () => {
    expect(world.complaints).toEqual([]);
    await world.close();
  });

  const stampOf = (session: Session, fromDisplayName: string) => ({
    fromUserId: session.oderId,
    fromDisplayName,
    sentAt: world.time.now(),
  });

  it.each(named(ROOM_MESSAGES))(
    "WS9 %s goes to every other connection in the room, the sender's own devices included",
    async (_, message) => {
      laptop.say(message);
      await world.settle();
      const copy = { ...message, ...stampOf(ada, "Ada") };
      expect([phone.received, friend.received]).toEqual([[copy], [copy]]);
      expect([laptop.received, elsewhere.received]).toEqual([[], []]);
    },
  );

  it.each(named(ROOM_MESSAGES))(
    "WS9 W28 %s carries what the server knows of its sender, whatever it claims",
    async (_, message) => {
      const lies = {
        fromUserId: bob.oderId,
        fromDisplayName: "Bob",
        sentAt: 1,
        fromClientInstanceId: LAPTOP,
      };
      laptop.say({ ...message, ...lies, oderId: bob.oderId });
      await world.settle();
      expect(friend.received).toEqual([{ ...message, ...stampOf(ada, "Ada"), oderId: ada.oderId }]);
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

  it("WS9 a status without a server goes to every room that its user is in", async () => {
    laptop.say({ type: "join_server", serverId: OTHER_SERVER });
    await world.settle();
    for (const device of [laptop, elsewhere]) device.take();
    phone.say({ type: "status_update", status: "busy" });
    await world.settle();
    expect(friend.received).toEqual([
      { type: "status_update", status: "busy", serverId: SERVER, ...stampOf(ada, "Ada") },
    ]);
    expect(elsewhere.received).toMatchObject([{ type: "status_update", serverId: OTHER_SERVER }]);
    expect(laptop.received.map(({ serverId }) => serverId)).toEqual([SERVER, OTHER_SERVER]);
    expect(phone.received).toEqual([]);
  });

  it.each(named([...ROOM_MESSAGES, ...DIRECT_MESSAGES, ...SIGNALS, ...ICONS]))(
    "WS9 %s is acknowledged where it asks for that, by requestId or by a Socket.IO acknowledgement",
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
    elsewhere.ask(chat);
    await world.settle();
    expect(elsewhere.acknowledged).toMatchObject([{ type: "error", code: "NOT_JOINED" }]);
  });

  it("WS9 keeps the order of what one connection says, to everybody", async () => {
    for (let n = 0; n < 50; n++) laptop.say({ ...chat, message: { id: String(n), content: "" } });
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
    sender.say({ ...chat, requestId: "r1" });
    await far.time.pass(900);
    expect(near.all("chat_message")).toHaveLength(1);
    expect(sender.received).toEqual([]);
    await far.settle();
    expect(sender.received).toMatchObject([{ type: "ack", requestId: "r1" }]);
    await far.close();
  });

  it("WS9 ER6 says that it could not be handed to the cluster, and may be sent again", async () => {
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
    sender.say({ ...chat, requestId: "r1" });
    await far.settle();
    expect(sender.received).toMatchObject([
      { type: "error", code: "UNAVAILABLE", retryable: true, requestId: "r1" },
    ]);
    expect(near.all("chat_message")).toHaveLength(1);
    await far.close();
  });

  it.each(named(DIRECT_MESSAGES))(
    "WS10 %s goes to all of the addressee's connections and to the sender's other devices, rooms or not",
    async (_, message) => {
      const second = await world.arrive(bob, { node: 0 });
      friend.say({ type: "leave_server", serverId: SERVER });
      await world.settle();
      for (const device of [laptop, phone, friend, second]) device.take();
      laptop.say({ ...message, toUserId: bob.oderId, fromUserId: bob.oderId });
      await world.settle();
      const copy = { ...message, toUserId: bob.oderId, ...stampOf(ada, "Ada"), fromClientInstanceId: LAPTOP };
      expect([friend.received, second.received, phone.received]).toEqual([[copy], [copy], [copy]]);
      expect([laptop.received, elsewhere.received]).toEqual([[], []]);
    },
  );

  it("WS10 a message to oneself reaches each of the other devices once", async () => {
    laptop.say({ ...DIRECT_MESSAGES[0], toUserId: ada.oderId });
    await world.settle();
    expect(phone.received).toHaveLength(1);
    expect(laptop.received).toEqual([]);
  });

  it.each(named(SIGNALS))("WS10 %s goes to the addressee alone, shared server or not", async (_, message) => {
    world.services.strangers.add(`${ada.oderId} ${bob.oderId}`);
    laptop.say({ ...message, toUserId: bob.oderId });
    await world.settle();
    const copy = { ...message, toUserId: bob.oderId, ...stampOf(ada, "Ada"), fromClientInstanceId: LAPTOP };
    expect(friend.received).toEqual([copy]);
    expect([...laptop.received, ...phone.received, ...elsewhere.received]).toEqual([]);
  });

  it.each(named(SIGNALS))("WS10 %s goes to one device where it names one", async (_, message) => {
    friend.say({ ...message, toUserId: ada.oderId, toClientInstanceId: PHONE });
    await world.settle();
    expect(phone.all(String(message["type"]) as "offer")).toHaveLength(1);
    expect(laptop.received).toEqual([]);
    laptop.say({ ...message, toUserId: ada.oderId, toClientInstanceId: LAPTOP });
    await world.settle();
    expect(laptop.received).toEqual([]);
  });

  it.each(named(ICONS))("WS10 %s only where the two share a server", async (_, message) => {
    laptop.say({ ...message, toUserId: bob.oderId });
    await world.settle();
    expect(friend.received).toMatchObject([{ ...message, fromUserId: ada.oderId }]);
    friend.take();
    const eve = world.logIn();
    world.services.strangers.add(`${eve.oderId} ${bob.oderId}`);
    const stranger = await world.arrive(eve);
    stranger.say({ ...message, toUserId: bob.oderId, requestId: "r1" });
    await world.settle();
    expect(stranger.received).toMatchObject([{ type: "error", code: "NO_SHARED_SERVER", requestId: "r1" }]);
    expect(friend.received).toEqual([]);
  });

  it("WS10 ER6 does not take trouble for strangeness", async () => {
    world.services.before = async (subject) => {
      if (subject === "discovery.shared") throw new ProblemError("TIMEOUT");
    };
    laptop.say({ ...ICONS[0], toUserId: bob.oderId });
    await world.settle();
    expect(laptop.received).toMatchObject([{ type: "error", code: "TIMEOUT", retryable: true }]);
    expect(friend.received).toEqual([]);
    world.log.lines.length = 0;
  });

  it("WS13 marks what a slow reader may miss, and nothing else", async () => {
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

  it("DI2 counts what is said in a room for the trending list", async () => {
    for (let n = 0; n < 3; n++) laptop.say(chat);
    laptop.say({ type: "user_typing", ...room });
    await world.settle();
    expect(world.at(0).node.activity.take()).toEqual([{ serverId: SERVER, messages: 3 }]);
    expect(world.at(0).node.activity.take()).toEqual([]);
  });
});

describe("shared servers", () => {
  let world: World;
  let ada: Session;
  let bob: Session;
  let laptop: Device;
  let friend: Device;
  let asked: number;
  beforeEach(async () => {
    world = new World();
    [ada, bob] = [world.logIn(), world.logIn()];
    [laptop, friend] = [await world.arrive(ada), await world.arrive(bob)];
    asked = 0;
    world.services.before = async (subject) => {
      if (subject === "discovery.shared") asked += 1;
    };
  });
  afterEach(() => world.close());

  const sendIcon = async (): Promise<void> => {
    laptop.say({ ...ICONS[2], toUserId: bob.oderId });
    await world.settle();
  };
  const part = async (): Promise<void> => {
    world.services.strangers.add(`${ada.oderId} ${bob.oderId}`);
    const ended = { serverId: SERVER, userId: bob.oderId, reason: "left" as const };
    await world.bus.publish(discoverySubjects.membershipEnded, ended);
    await world.time.pass(0);
  };

  it("WS10 are remembered for moments, a lack of them is not", async () => {
    for (let n = 0; n < 5; n++) await sendIcon();
    expect(asked).toBe(1);
    await world.time.pass(11_000);
    world.services.strangers.add(`${ada.oderId} ${bob.oderId}`);
    await sendIcon();
    await sendIcon();
    expect(asked).toBe(3);
    expect(friend.all("server_icon_chunk")).toHaveLength(5);
    expect(laptop.all("error")).toHaveLength(2);
  });

  it("WS10 are asked for again when somebody has left a server", async () => {
    await sendIcon();
    await part();
    await sendIcon();
    expect(laptop.last("error")).toMatchObject({ code: "NO_SHARED_SERVER" });
    expect(friend.all("server_icon_chunk")).toHaveLength(1);
  });

  it("WS10 an answer from before somebody left serves once and is not kept", async () => {
    world.services.before = () => world.time.sleep(100);
    laptop.say({ ...ICONS[2], toUserId: bob.oderId });
    await world.time.pass(50);
    await part();
    await world.settle();
    await sendIcon();
    expect(laptop.last("error")).toMatchObject({ code: "NO_SHARED_SERVER" });
  });

  it("WS10 one always shares with oneself", async () => {
    const phone = await world.arrive(ada);
    laptop.say({ ...ICONS[2], toUserId: ada.oderId });
    await world.settle();
    expect(phone.all("server_icon_chunk")).toHaveLength(1);
    expect(asked).toBe(0);
  });
});
