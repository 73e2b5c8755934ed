import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ProblemError } from "@hearth/contracts";
import {
  closeWithoutWarnings,
  type Device,
  DIRECT_MESSAGES,
  createScene,
  ICONS,
  LAPTOP,
  named,
  PHONE,
  SERVER,
  type Session,
  SIGNALS,
  stampOf,
  World,
} from "../testing/index.ts";

describe.each([1, 2])("messages to one user, with %i node(s)", (nodes) => {
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

  it.each(named(DIRECT_MESSAGES))(
    "WS10 %s goes to all of the addressee's connections and to the sender's other devices, in rooms or not",
    async (_, message) => {
      const second = await world.arrive(bob, { node: 0 });
      friend.say({ type: "leave_server", serverId: SERVER });
      await world.settle();
      for (const device of [laptop, phone, friend, second]) device.take();
      laptop.say({ ...message, toUserId: bob.oderId, fromUserId: bob.oderId });
      await world.settle();
      const copy = {
        ...message,
        toUserId: bob.oderId,
        ...stampOf(world, ada, "Ada"),
        fromClientInstanceId: LAPTOP,
      };
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
    const copy = {
      ...message,
      toUserId: bob.oderId,
      ...stampOf(world, ada, "Ada"),
      fromClientInstanceId: LAPTOP,
    };
    expect(friend.received).toEqual([copy]);
    expect([...laptop.received, ...phone.received, ...elsewhere.received]).toEqual([]);
  });

  it.each(named(SIGNALS))("WS10 %s goes to one device if it names one", async (_, message) => {
    friend.say({ ...message, toUserId: ada.oderId, toClientInstanceId: PHONE });
    await world.settle();
    expect(phone.all(String(message["type"]) as "offer")).toHaveLength(1);
    expect(laptop.received).toEqual([]);
    laptop.say({ ...message, toUserId: ada.oderId, toClientInstanceId: LAPTOP });
    await world.settle();
    expect(laptop.received).toEqual([]);
  });

  it.each(named(ICONS))("WS10 %s only if the two share a server", async (_, message) => {
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

  it("WS10 ER6 does not take a failure of discovery for strangers", async () => {
    world.services.before = async (subject) => {
      if (subject === "discovery.shared") throw new ProblemError("TIMEOUT");
    };
    laptop.say({ ...ICONS[0], toUserId: bob.oderId });
    await world.settle();
    expect(laptop.received).toMatchObject([{ type: "error", code: "TIMEOUT", retryable: true }]);
    expect(friend.received).toEqual([]);
    world.log.lines.length = 0;
  });
});
