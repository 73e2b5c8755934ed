import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { CLOSE, LIMITS, ProblemError } from "@hearth/contracts";
import { CHANNEL, type Device, LAPTOP, SERVER, type Session, World } from "../testing/index.ts";

const { burst, perSecond } = LIMITS.messageRate;
const typing = { type: "user_typing", serverId: SERVER };
const chat = { type: "chat_message", serverId: SERVER, message: { id: "m", content: "" } };
const limited = { type: "error", code: "RATE_LIMITED", retryable: true };

let world: World;
let ada: Session;
let device: Device;
let friend: Device;
beforeEach(async () => {
  world = new World();
  ada = world.logIn();
  device = await world.arrive(ada, { joins: [SERVER] });
  friend = await world.arrive(world.logIn(), { joins: [SERVER] });
  await world.time.pass(60_000);
  device.take();
});
afterEach(() => world.close());

describe("the rate of one connection", () => {
  it("WS12 accepts a burst, then messages at its rate", async () => {
    for (let n = 0; n < burst + 10; n++) device.say(chat);
    await world.settle();
    expect(friend.all("chat_message")).toHaveLength(burst);
    await world.time.pass(1_000);
    for (let n = 0; n < perSecond + 10; n++) device.say(chat);
    await world.settle();
    expect(friend.all("chat_message")).toHaveLength(burst + perSecond);
    expect(device.all("error")).toHaveLength(20);
  });

  it("WS12 refuses with the time to wait and the requestId, so that the text can be sent again", async () => {
    for (let n = 0; n < burst; n++) device.say(chat);
    device.say({ ...chat, requestId: "r1" });
    device.ask(chat);
    await world.settle();
    const [refusal] = device.all("error");
    expect(refusal).toMatchObject({ ...limited, requestId: "r1", inReplyTo: "chat_message" });
    expect(device.acknowledged).toMatchObject([limited]);
    await world.time.pass(Number(refusal?.["retryAfterMs"]));
    device.take();
    device.say({ ...chat, requestId: "r1" });
    await world.settle();
    expect(device.received).toMatchObject([{ type: "ack" }]);
  });

  it.each(["user_typing", "direct_typing", "voice_state", "ice_candidate"])(
    "WS12 %s has a rate of its own",
    async (type) => {
      const message = { type, serverId: SERVER, channelId: CHANNEL, toUserId: ada.oderId };
      for (let n = 0; n < burst + 10; n++) device.say(message);
      for (let n = 0; n < burst + 10; n++) device.say(chat);
      await world.settle();
      expect(device.all("error").map(({ inReplyTo }) => inReplyTo)).toEqual([
        ...Array<string>(10).fill(type),
        ...Array<string>(10).fill("chat_message"),
      ]);
    },
  );

  it("WS12 counts malformed, unknown and unidentified messages as well", async () => {
    const stranger = world.connect();
    for (let n = 0; n < burst; n++) world.at(0).edge.malformed(device, new ProblemError("INVALID_REQUEST"));
    device.say({ type: "no such thing" });
    for (let n = 0; n < burst; n++) world.at(0).edge.malformed(stranger, new ProblemError("INVALID_REQUEST"));
    stranger.say({ type: "identify", token: ada.token });
    await world.settle();
    for (const { received } of [device, stranger]) {
      expect(received).toHaveLength(burst + 1);
      expect(received.at(-1)).toMatchObject(limited);
    }
  });

  it("WS12 closes a connection that goes on regardless with 4008, and no other", async () => {
    for (let n = 0; n < 2_000 && device.open; n++) device.say(typing);
    await world.settle();
    expect(device.closeCode).toBe(CLOSE.RATE.code);
    expect(device.received.at(-1)).toMatchObject({ type: "closing", reason: "rate", reconnect: true });
    expect(friend.open).toBe(true);
    expect(friend.all("user_typing")).toHaveLength(burst);
  });

  it("WS12 does not close a client that is merely eager", async () => {
    for (let second = 0; second < 60; second++) {
      for (let n = 0; n < perSecond + 15; n++) device.say(typing);
      await world.time.pass(1_000);
    }
    expect(device.open).toBe(true);
  });

  it("WS12 one connection's excess does not limit another", async () => {
    for (let n = 0; n < burst + 1; n++) device.say(chat);
    const sibling = await world.arrive(ada, { joins: [SERVER] });
    sibling.say({ ...chat, requestId: "r1" });
    await world.settle();
    expect(sibling.last("ack")).toBeDefined();
  });
});

describe("the size of one message", () => {
  it("WS12 is at most 64 KiB, and 1 MiB only for account_sync", async () => {
    const sync = { type: "account_sync", clientInstanceId: LAPTOP, payload: { type: "x" } };
    const own = await world.arrive(ada, { clientInstanceId: LAPTOP });
    own.say({ ...chat, serverId: SERVER, requestId: "r0" }, LIMITS.messageBytes + 1);
    own.say({ ...sync, requestId: "r1" }, LIMITS.frameBytes);
    device.say({ ...chat, requestId: "r2" }, LIMITS.messageBytes);
    await world.settle();
    expect(own.received).toMatchObject([
      { type: "error", code: "PAYLOAD_TOO_LARGE", requestId: "r0", inReplyTo: "chat_message" },
      { type: "ack", requestId: "r1" },
    ]);
    expect(device.last("ack")).toMatchObject({ requestId: "r2" });
  });
});

describe("the connections of one user", () => {
  it.each([1, 2])(
    "WS12 are at most a hundred over %i node(s); the next one is closed for good",
    async (nodes) => {
      const crowd = new World({ nodes });
      const session = crowd.logIn();
      const devices = Array.from({ length: LIMITS.connectionsPerUser + 5 }, (_, node) => crowd.connect(node));
      for (const each of devices) each.say({ type: "identify", token: session.token });
      await crowd.settle();
      const refused = devices.filter(({ open }) => !open);
      expect(refused).toHaveLength(5);
      for (const each of refused) {
        expect(each.received).toMatchObject([{ type: "closing", closeCode: 4505, reconnect: false }]);
      }
      devices.find(({ open }) => open)?.hangUp();
      await crowd.settle();
      const next = crowd.connect();
      next.say({ type: "identify", token: session.token });
      await crowd.settle();
      expect(next.last("identified")).toBeDefined();
      await crowd.close();
    },
  );
});
