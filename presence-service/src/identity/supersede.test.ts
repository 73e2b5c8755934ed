import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { CLOSE } from "@hearth/contracts";
import {
  closeWithoutWarnings,
  type Device,
  LAPTOP,
  PHONE,
  SERVER,
  type Session,
  World,
} from "../testing/index.ts";

const SCOPE = "ws://chat.test";
const tuple = { clientInstanceId: LAPTOP, connectionScope: SCOPE };

const identify = (device: Device, { token }: Session, identity: object = tuple): void =>
  device.say({ type: "identify", token, ...identity });

describe.each([1, 2])("the same device again, with %i node(s)", (nodes) => {
  let world: World;
  let ada: Session;
  beforeEach(() => {
    world = new World({ nodes });
    ada = world.logIn();
  });
  afterEach(() => world.close());

  it("WS6 closes the older connection on any node, with superseded first", async () => {
    const older = await world.arrive(ada, { ...tuple, node: 1 });
    const newer = await world.arrive(ada, { ...tuple, node: 0 });
    expect(older.received).toEqual([
      { type: "superseded", clientInstanceId: LAPTOP },
      {
        type: "closing",
        closeCode: CLOSE.SUPERSEDED.code,
        reason: "superseded",
        message: expect.any(String),
        reconnect: false,
      },
    ]);
    expect(older.gone).toBe(true);
    expect(newer.open).toBe(true);
    expect(await world.registered(ada.oderId)).toEqual([newer.id]);
  });

  it.each([
    ["another device", { ...tuple, clientInstanceId: PHONE }],
    ["another scope", { ...tuple, connectionScope: "ws://other.test" }],
    ["no scope", { clientInstanceId: LAPTOP }],
  ])("WS6 leaves %s alone", async (_, identity) => {
    const older = await world.arrive(ada, { ...tuple, node: 1 });
    await world.arrive(ada, identity);
    expect(older.open).toBe(true);
  });

  it("WS6 does not affect another user with the same device id", async () => {
    const older = await world.arrive(ada, { ...tuple, node: 1 });
    await world.arrive(world.logIn(), tuple);
    expect(older.open).toBe(true);
  });

  it("WS6 a connection does not supersede itself by identifying again", async () => {
    const device = await world.arrive(ada, tuple);
    identify(device, ada);
    await world.settle();
    expect(device.received).toMatchObject([{ type: "identified" }]);
    expect(device.open).toBe(true);
  });

  it("WS6 a device that changes its tuple releases the old one and takes the new one", async () => {
    const device = await world.arrive(ada, tuple);
    const phone = await world.arrive(ada, { ...tuple, clientInstanceId: PHONE, node: 1 });
    identify(device, ada, { clientInstanceId: PHONE });
    await world.settle();
    expect(phone.closeCode).toBe(CLOSE.SUPERSEDED.code);
    const laptop = await world.arrive(ada, tuple);
    expect([device.open, laptop.open]).toEqual([true, true]);
  });

  it("WS6 its user stays in the room if the newer connection joins before the older one closes", async () => {
    const watcher = await world.arrive(world.logIn(), { joins: [SERVER], node: 1 });
    const older = world.connect(1, { lingers: true });
    identify(older, ada);
    older.say({ type: "join_server", serverId: SERVER });
    await world.settle();
    watcher.take();
    const newer = world.connect(0);
    identify(newer, ada);
    newer.say({ type: "join_server", serverId: SERVER });
    await world.settle();
    older.end();
    await world.settle();
    expect(newer.all("server_joined")).toHaveLength(1);
    expect(watcher.received).toEqual([]);
  });

  it("WS6 X3 the late close of the old connection does not affect the new one", async () => {
    const older = world.connect(1, { lingers: true });
    identify(older, ada);
    older.say({ type: "join_server", serverId: SERVER });
    await world.settle();
    const newer = await world.arrive(ada, { ...tuple, joins: [SERVER] });
    const watcher = await world.arrive(world.logIn(), { joins: [SERVER] });
    expect(older.gone).toBe(false);
    older.end();
    await world.settle();
    expect(await world.registered(ada.oderId)).toEqual([newer.id]);
    expect(watcher.received).toEqual([]);
    watcher.say({ type: "chat_message", serverId: SERVER, message: { id: "m", content: "" } });
    await world.settle();
    expect(newer.all("chat_message")).toHaveLength(1);
    expect(older.all("chat_message")).toEqual([]);
  });

  it("WS6 X3 of ten rapid reconnects the last survives, in whichever order the others close", async () => {
    for (let round = 0; round < 20; round++) {
      const session = world.logIn();
      const devices: Device[] = [];
      for (let n = 0; n < 10; n++) {
        const device = world.connect(n, { lingers: true });
        identify(device, session);
        devices.push(device);
        await world.settle();
      }
      const closing = devices.filter(({ open }) => !open);
      while (closing.length > 0) {
        closing.splice(world.random.below(closing.length), 1)[0]?.end();
        await world.settle();
      }
      expect(devices.map(({ open }) => open)).toEqual([...Array<boolean>(9).fill(false), true]);
      expect(await world.registered(session.oderId)).toEqual([devices.at(-1)?.id]);
    }
  });
});

describe("the same device on two nodes at once", () => {
  const race = async (world: World, session: Session, devices: Device[]): Promise<Device[]> => {
    for (const device of devices) {
      void world.time.sleep(world.random.below(4)).then(() => identify(device, session));
    }
    await world.settle();
    return devices.filter(({ open }) => open);
  };

  it.each([
    ["stores at hand", undefined],
    ["stores at a distance", (world: World) => () => world.time.sleep(world.random.below(5))],
  ])("WS6 X2 exactly one survives, a thousand times, with %s", async (_, point) => {
    const world = new World({ nodes: 2, seed: 6, ...(point && { point }) });
    for (let round = 0; round < 500; round++) {
      const session = world.logIn();
      const rivals = Array.from({ length: 2 + (round % 2) }, (__, n) => world.connect(n));
      const survivors = await race(world, session, rivals);
      expect(survivors).toHaveLength(1);
      expect(await world.registered(session.oderId)).toEqual(survivors.map(({ id }) => id));
      for (const device of rivals.filter(({ open }) => !open)) {
        expect(device.received.slice(-2)).toMatchObject([{ type: "superseded" }, { closeCode: 4503 }]);
      }
    }
    await closeWithoutWarnings(world);
  });

  it("WS6 a node that missed the parcel closes the connection at its next renewal", async () => {
    const world = new World({ nodes: 2 });
    const ada = world.logIn();
    const older = await world.arrive(ada, { ...tuple, node: 1 });
    world.at(1).node.carrier.receive(() => undefined);
    await world.arrive(ada, { ...tuple, node: 0 });
    expect(older.open).toBe(true);
    await world.pass(1);
    expect(older.received).toMatchObject([{ type: "superseded" }, { closeCode: CLOSE.SUPERSEDED.code }]);
    await world.close();
  });

  it("WS6 a superseded connection that does not know it yet cannot take the tuple back", async () => {
    const world = new World({ nodes: 2 });
    const ada = world.logIn();
    const older = await world.arrive(ada, { ...tuple, node: 1 });
    world.at(1).node.carrier.receive(() => undefined);
    const newer = await world.arrive(ada, { ...tuple, node: 0 });
    identify(older, ada);
    await world.settle();
    expect(older.closeCode).toBe(CLOSE.SUPERSEDED.code);
    expect(newer.open).toBe(true);
    await world.close();
  });
});
