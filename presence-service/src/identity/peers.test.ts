import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { LAPTOP, PHONE, type Session, World } from "../testing/index.ts";

const online = "account_sync_peer_online";
const OTHERS = ["desk", "sofa", "train"];

describe.each([1, 2])("a device comes online, with %i node(s)", (nodes) => {
  let world: World;
  let ada: Session;
  beforeEach(() => {
    world = new World({ nodes });
    ada = world.logIn();
  });
  afterEach(() => world.close());

  it("WS7 the account's other connections learn of it, and exactly one of them is the responder", async () => {
    const devices = [];
    for (const [node] of OTHERS.entries()) devices.push(await world.arrive(ada, { node }));
    const stranger = await world.arrive(world.logIn());
    for (const device of devices) device.take();
    const phone = world.connect(1);
    const device = { name: "Phone", kind: "mobile" };
    phone.say({ type: "identify", token: ada.token, clientInstanceId: PHONE, device });
    await world.settle();
    const news = { type: online, clientInstanceId: PHONE, connectionId: phone.id, device };
    expect(devices.map(({ received }) => received)).toEqual([
      [{ ...news, responder: true }],
      [{ ...news, responder: false }],
      [{ ...news, responder: false }],
    ]);
    expect([...phone.all(online), ...stranger.received]).toEqual([]);
  });

  it("WS7 X9 does not happen if a connection identifies again", async () => {
    const [laptop, phone] = [await world.arrive(ada, { node: 1 }), await world.arrive(ada)];
    laptop.take();
    phone.say({ type: "identify", token: ada.token });
    await world.settle();
    expect([...laptop.all(online), ...phone.all(online)]).toEqual([]);
  });

  it("WS7 X9 happens again for a new connection of the same device", async () => {
    const laptop = await world.arrive(ada, { node: 1 });
    await world.arrive(ada, { clientInstanceId: PHONE });
    await world.arrive(ada, { clientInstanceId: PHONE, node: 1 });
    expect(laptop.all(online)).toHaveLength(2);
  });

  it("WS7 does not make a connection the responder that is about to close", async () => {
    const leaving = world.connect(0, { lingers: true });
    leaving.say({ type: "identify", token: ada.token, clientInstanceId: LAPTOP });
    await world.settle();
    const stays = await world.arrive(ada, { node: 1 });
    const other = world.logIn(ada.oderId);
    leaving.say({ type: "identify", token: other.token });
    await world.settle();
    await world.services.endSession(other);
    await world.settle();
    expect(leaving.open || leaving.gone).toBe(false);
    await world.arrive(ada);
    expect(stays.all(online)).toMatchObject([{ responder: true }]);
  });

  it("WS7 does not make a connection the responder that is closing for another reason", async () => {
    const closing = world.connect(0, { lingers: true });
    closing.say({ type: "identify", token: ada.token });
    await world.settle();
    const stays = await world.arrive(ada, { node: 1 });
    while (closing.open) closing.say({ type: "ping" });
    await world.arrive(ada, { node: 0 });
    expect(stays.all(online)).toMatchObject([{ responder: true }]);
  });

  it("WS7 of two that connect at once, one learns of the other, after its own identified", async () => {
    const distance = (there: World) => () => there.time.sleep(there.random.below(5));
    const far = new World({ nodes, seed: 7, point: distance });
    for (let round = 0; round < 200; round++) {
      const session = far.logIn();
      const pair = [far.connect(0), far.connect(1)];
      for (const device of pair) device.say({ type: "identify", token: session.token });
      await far.settle();
      const types = pair
        .map(({ received }) => received.map(({ type }) => type))
        .sort((a, b) => a.length - b.length);
      expect(types).toEqual([["identified"], ["identified", online]]);
    }
    await far.close();
  });
});
