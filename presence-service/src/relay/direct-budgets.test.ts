import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { authSubjects, ProblemError } from "@hearth/contracts";
import {
  type Device,
  DIRECT_MESSAGES,
  type Message,
  type Session,
  SIGNALS,
  World,
} from "../testing/index.ts";

const KIB = 1024;
const limited = { type: "error", code: "RATE_LIMITED", retryable: true, retryAfterMs: expect.any(Number) };
const [DIRECT = {}] = DIRECT_MESSAGES;
const ICE = SIGNALS[2] ?? {};

let world: World;
let ada: Session;
let bob: Session;
let laptop: Device;
let friend: Device;
beforeEach(async () => {
  world = new World();
  [ada, bob] = [world.logIn(undefined, "Ada"), world.logIn(undefined, "Bob")];
  [laptop, friend] = [await world.arrive(ada), await world.arrive(bob)];
});
afterEach(() => world.close());

const areStrangers = (...sessions: Session[]): void => {
  for (const { oderId } of sessions) world.services.strangers.add(`${oderId} ${bob.oderId}`);
};

const send = async (device: Device, message: Message, times = 1, bytes = 100): Promise<void> => {
  for (let n = 0; n < times; n++) device.say({ toUserId: bob.oderId, ...message, requestId: `r${n}` }, bytes);
  await world.settle();
};

describe("what one account sends to one addressee", () => {
  it("AB6 is a burst of direct messages, then ten a second; other addressees are not affected", async () => {
    const carol = world.logIn();
    const other = await world.arrive(carol);
    await send(laptop, DIRECT, 41);
    expect(laptop.all("error")).toEqual([expect.objectContaining({ ...limited, requestId: "r40" })]);
    await send(laptop, { ...DIRECT, toUserId: carol.oderId });
    expect(other.all("direct_message")).toHaveLength(1);
    await world.time.pass(1_000);
    await send(laptop, DIRECT, 11);
    expect(friend.all("direct_message")).toHaveLength(50);
  });

  it("AB6 has a limit of bytes for all of its devices", async () => {
    const phone = await world.arrive(ada);
    await send(laptop, DIRECT, 2, 64 * KIB);
    await send(phone, DIRECT, 3, 64 * KIB);
    expect(friend.all("direct_message")).toHaveLength(4);
    expect(phone.all("error")).toMatchObject([limited]);
  });

  it("AB6 lets a call through with all its candidates", async () => {
    await send(laptop, { ...SIGNALS[0] });
    await send(laptop, ICE, 100, 300);
    expect(laptop.all("error")).toEqual([]);
    await send(laptop, ICE, 200, 300);
    expect(laptop.all("error").length).toBeGreaterThan(0);
  });
});

describe("messages of strangers", () => {
  it("AB6 are limited to twenty a minute together; users who share a server are not affected", async () => {
    const others = [world.logIn(), world.logIn()];
    areStrangers(ada, ...others);
    const strangers = [laptop, await world.arrive(others[0] ?? ada), await world.arrive(others[1] ?? ada)];
    for (const each of strangers) await send(each, DIRECT, 7);
    expect(friend.all("direct_message")).toHaveLength(20);
    expect(strangers[2]?.all("error")).toMatchObject([limited]);
    await send(await world.arrive(world.logIn()), DIRECT);
    expect(friend.all("direct_message")).toHaveLength(21);
    await world.time.pass(3_000);
    await send(laptop, DIRECT, 2);
    expect(friend.all("direct_message")).toHaveLength(22);
  });

  it("AB6 still let a call begin: its candidates are counted separately", async () => {
    areStrangers(ada);
    await send(laptop, { ...SIGNALS[0] });
    await send(laptop, ICE, 60, 300);
    expect(laptop.all("error")).toEqual([]);
    await send(laptop, DIRECT, 20);
    expect(laptop.all("error")).toHaveLength(1);
  });

  it("AB6 a user who received a message is no stranger", async () => {
    areStrangers(ada);
    friend.say({ ...DIRECT, toUserId: ada.oderId });
    await world.settle();
    await send(laptop, DIRECT, 30);
    expect(friend.all("direct_message")).toHaveLength(30);
  });

  it("AB6 WS2 a message whose contact is unknown is not overtaken", async () => {
    let waits = [30, 5, 1];
    world.services.before = async (subject) => {
      if (subject === "discovery.shared") await world.time.sleep(waits.shift() ?? 0);
    };
    const carol = world.logIn();
    const other = await world.arrive(carol);
    laptop.say({ ...DIRECT, toUserId: bob.oderId, requestId: "a" });
    laptop.say({ ...DIRECT, toUserId: carol.oderId, requestId: "b" });
    laptop.say({ ...DIRECT, toUserId: bob.oderId, requestId: "c" });
    await world.settle();
    expect(laptop.all("ack").map(({ requestId }) => requestId)).toEqual(["a", "b", "c"]);
    expect([friend.all("direct_message").length, other.all("direct_message").length]).toEqual([2, 1]);
    waits = [];
  });
});

describe("a block", () => {
  const block = async (blocked: boolean): Promise<void> => {
    const pair = `${bob.oderId} ${ada.oderId}`;
    if (blocked) world.services.blocked.add(pair);
    else world.services.blocked.delete(pair);
    const change = { userId: bob.oderId, otherUserId: ada.oderId, blocked };
    await world.bus.publish(authSubjects.blockChanged, change);
    await world.settle();
  };

  it.each([...DIRECT_MESSAGES, ...SIGNALS].map((message) => [String(message["type"]), message] as const))(
    "AB12 acknowledges %s of a blocked sender, and does not deliver it",
    async (type, message) => {
      await send(laptop, message);
      expect(friend.take().map((received) => received["type"])).toEqual([type]);
      await block(true);
      await send(laptop, message);
      expect(friend.received).toEqual([]);
      expect(laptop.all("ack")).toHaveLength(2);
      await block(false);
      await send(laptop, message);
      expect(friend.received).toHaveLength(1);
    },
  );

  it("AB12 is invisible on the sender's other devices", async () => {
    const phone = await world.arrive(ada);
    await block(true);
    await send(laptop, DIRECT);
    expect(phone.all("direct_message")).toHaveLength(1);
  });

  it("AB12 while auth cannot be asked the last answer counts; without one the message goes through", async () => {
    await block(true);
    await send(laptop, DIRECT);
    world.services.before = async (subject) => {
      if (subject === "auth.blocked") throw new ProblemError("UNAVAILABLE");
    };
    await world.time.pass(61_000);
    await send(laptop, DIRECT);
    expect(friend.received).toEqual([]);
    await send(await world.arrive(world.logIn()), DIRECT);
    expect(friend.all("direct_message")).toHaveLength(1);
  });
});

describe("an account's other devices", () => {
  it("AB11 receive news of a new session; its own connections do not", async () => {
    const again = world.logIn(ada.oderId);
    const phone = await world.arrive(again);
    laptop.take();
    const session = {
      ...{ sessionId: again.sessionId, openedAt: 1, deviceName: "Phone", ip: "192.0.2.1", userAgent: null },
    };
    await world.bus.publish(authSubjects.sessionOpened, { userId: ada.oderId, ...session });
    await world.settle();
    expect(laptop.received).toEqual([{ type: "session_opened", ...session }]);
    expect([phone.received, friend.received]).toEqual([[], []]);
  });

  it("AB12 are closed when the account is deleted, and cannot identify again", async () => {
    await world.bus.publish(authSubjects.userDeleted, { userId: ada.oderId, ownedServers: "delete" });
    await world.settle();
    expect(laptop.closeCode).toBe(4501);
    expect(friend.open).toBe(true);
    const late = world.connect();
    late.say({ type: "identify", token: ada.token });
    await world.settle();
    expect(late.last("auth_error")).toMatchObject({ reason: "revoked" });
  });
});
