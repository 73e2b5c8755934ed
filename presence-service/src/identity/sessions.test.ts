import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { CLOSE } from "@hearth/contracts";
import { accountRoom, serverRoom, sessionRoom } from "../delivery/rooms.ts";
import {
  CHANNEL,
  closeWithoutWarnings,
  type Device,
  LAPTOP,
  SERVER,
  type Session,
  World,
  type WorldOptions,
} from "../testing/index.ts";

const chat = { type: "chat_message", serverId: SERVER, message: { id: "m", content: "" } };
const YEAR_MS = 365 * 24 * 3_600_000;

describe.each([1, 2])("the end of a session, with %i node(s)", (nodes) => {
  let world: World;
  let ada: Session;
  let friend: Device;
  beforeEach(async () => {
    world = new World({ nodes });
    ada = world.logIn();
    friend = await world.arrive(world.logIn(), { joins: [SERVER], node: 1 });
  });
  afterEach(() => closeWithoutWarnings(world));

  it.each([
    ["revoked", CLOSE.SESSION_REVOKED],
    ["expired", CLOSE.SESSION_EXPIRED],
  ] as const)("AU6 closes exactly its own connections on every node when it is %s", async (reason, kind) => {
    const sibling = world.logIn(ada.oderId);
    const closing = [await world.arrive(ada, { node: 0 }), await world.arrive(ada, { node: 1 })];
    const staying = [await world.arrive(sibling, { node: 0 }), await world.arrive(sibling, { node: 1 })];
    for (const device of closing) device.take();
    await world.services.endSession(ada, reason);
    await world.settle();
    for (const { received } of closing) {
      expect(received).toMatchObject([
        { type: "auth_required", code: "AUTH_INVALID", reason },
        { type: "closing", closeCode: kind.code, reconnect: false },
      ]);
    }
    expect(closing.map(({ gone }) => gone)).toEqual([true, true]);
    expect([...staying, friend].map(({ open }) => open)).toEqual([true, true, true]);
    expect(await world.registered(ada.oderId)).toEqual(staying.map(({ id }) => id));
  });

  it("AU6 from then on nothing reaches the connection or comes from it, however long it takes to close", async () => {
    const lost = world.connect(1, { lingers: true });
    lost.say({ type: "identify", token: ada.token });
    lost.say({ type: "join_server", serverId: SERVER });
    await world.settle();
    await world.services.endSession(ada);
    await world.settle();
    lost.take();
    friend.take();
    lost.say(chat);
    friend.say(chat);
    friend.say({ type: "direct_message", toUserId: ada.oderId, message: { id: "d", content: "" } });
    await world.settle();
    expect(lost.gone).toBe(false);
    expect([...lost.received, ...friend.received]).toEqual([]);
    // The others learn of it before the socket has closed.
    expect(await world.roster.serversOf(ada.oderId)).toEqual([]);
    lost.end();
    await world.settle();
  });

  it("AU6 a repeated end, or that of an unknown session, does no harm", async () => {
    const device = await world.arrive(ada);
    device.take();
    await world.services.endSession(world.logIn());
    await world.services.endSession(ada);
    await world.services.endSession(ada);
    await world.settle();
    expect(device.received.map(({ type }) => type)).toEqual(["auth_required", "closing"]);
  });

  it("AU6 refuses the token everywhere afterwards, even if the check had answered before", async () => {
    world.services.before = () => world.time.sleep(100);
    const late = world.connect(1);
    late.say({ type: "identify", token: ada.token });
    await world.time.pass(50);
    await world.services.endSession(ada);
    await world.settle();
    expect(late.received).toMatchObject([{ type: "auth_error", reason: "revoked" }]);
  });

  it("AU6 WS6 a token that is refused in the end has superseded nobody", async () => {
    const identity = { clientInstanceId: LAPTOP };
    const older = await world.arrive(world.logIn(ada.oderId), { ...identity, node: 1 });
    world.services.before = () => world.time.sleep(100);
    const late = world.connect();
    late.say({ type: "identify", token: ada.token, ...identity });
    await world.time.pass(50);
    await world.services.endSession(ada);
    await world.settle();
    expect(late.received).toMatchObject([{ type: "auth_error" }]);
    expect(older.open).toBe(true);
  });

  it("AU6 a session that expires closes its connections", async () => {
    const short = world.services.logIn(world.time.now() + 5_500, ada.oderId);
    const device = await world.arrive(short, { node: 1 });
    await world.pass(5);
    expect(device.open).toBe(true);
    await world.pass(1);
    expect(device.received.slice(-2)).toMatchObject([
      { type: "auth_required", reason: "expired" },
      { closeCode: CLOSE.SESSION_EXPIRED.code },
    ]);
  });
});

describe("a session of ten years", () => {
  it("AU6 neither ends at once nor overflows a timer", async () => {
    const timers = jest.spyOn(globalThis, "setTimeout");
    const world = new World();
    try {
      const session = world.services.logIn(world.time.now() + 10 * YEAR_MS);
      const device = await world.arrive(session);
      await world.pass(30);
      expect(device.open).toBe(true);
      expect(device.received).toEqual([]);
      expect(timers).toHaveBeenCalled();
      expect(Math.max(...timers.mock.calls.map(([, ms]) => ms ?? 0))).toBeLessThan(2 ** 31);
      await world.time.pass(10 * YEAR_MS - 31_000);
      await world.tick();
      expect(device.open).toBe(true);
      await world.pass(1);
      expect(device.closeCode).toBe(CLOSE.SESSION_EXPIRED.code);
    } finally {
      timers.mockRestore();
      await world.close();
    }
  });
});

describe("a session that ends at any point of its connection's work", () => {
  /** Ends the session at the n-th point where a node waits. Returns false if there are fewer points. */
  const endAt = async (
    at: number,
    options: WorldOptions,
    act: (world: World, device: Device, session: Session) => Promise<void>,
    check: (world: World, device: Device, session: Session, witness: Device) => Promise<void>,
  ): Promise<boolean> => {
    const count = { points: 0, watching: false };
    const world = new World({
      ...options,
      point: (there) => async () => {
        if (!count.watching) return;
        count.points += 1;
        if (count.points !== at + 1) return;
        await there.services.endSession(session);
        await there.time.sleep(1);
      },
    });
    const session = world.logIn();
    const witness = await world.arrive(world.logIn(), { node: 1, joins: [SERVER] });
    const device = world.connect(0, { lingers: true });
    count.watching = true;
    await act(world, device, session);
    await world.settle();
    count.watching = false;
    const reached = count.points > at;
    if (reached) await check(world, device, session, witness);
    await closeWithoutWarnings(world);
    return reached;
  };

  const isOut = async (world: World, device: Device, session: Session, witness: Device): Promise<void> => {
    const heard = device.received.length;
    witness.say(chat);
    witness.say({ type: "direct_message", toUserId: session.oderId, message: { id: "d", content: "" } });
    await world.settle();
    expect(device.received).toHaveLength(heard);
    expect(await world.roster.serversOf(session.oderId)).toEqual([]);
    expect(await world.registered(session.oderId)).toEqual([]);
    const rooms = [accountRoom(session.oderId), sessionRoom(session.sessionId), serverRoom(SERVER)];
    expect(world.roomsOf(device, rooms)).toEqual([]);
    const news = witness.received.filter(({ type }) => /^user_(joined|left)$/.test(String(type)));
    expect(news.at(-1)?.["type"] ?? "user_left").toBe("user_left");
  };

  it.each([1, 2])("AU6 X5 identify and join: never identified, or closed, with %i node(s)", async (nodes) => {
    let at = 0;
    const act = async (_: World, device: Device, { token }: Session): Promise<void> => {
      device.say({ type: "identify", token, clientInstanceId: LAPTOP });
      device.say({ type: "join_server", serverId: SERVER });
    };
    const check = async (world: World, device: Device, session: Session, witness: Device): Promise<void> => {
      const refused = device.received.some(
        ({ type, reason }) => type === "auth_error" && reason === "revoked",
      );
      if (device.open) expect(refused && device.all("identified").length === 0).toBe(true);
      else expect(device.closeCode).toBe(CLOSE.SESSION_REVOKED.code);
      await isOut(world, device, session, witness);
    };
    while (await endAt(at, { nodes }, act, check)) at += 1;
    expect(at).toBeGreaterThan(12);
  });

  it("AU6 X5 a second identify with another session: the first identity is in force, or none", async () => {
    let at = 0;
    const act = async (world: World, device: Device, session: Session): Promise<void> => {
      device.say({ type: "identify", token: world.logIn(session.oderId).token, clientInstanceId: LAPTOP });
      device.say({ type: "join_server", serverId: SERVER });
      device.say({ type: "identify", token: session.token, clientInstanceId: CHANNEL });
    };
    const check = async (
      world: World,
      device: Device,
      { oderId }: Session,
      witness: Device,
    ): Promise<void> => {
      if (!device.open) {
        expect(device.closeCode).toBe(CLOSE.SESSION_REVOKED.code);
        expect(await world.registered(oderId)).toEqual([]);
        return;
      }
      expect(device.last("auth_error")).toMatchObject({ reason: "revoked" });
      device.take();
      witness.say(chat);
      await world.settle();
      expect(device.all("chat_message")).toHaveLength(1);
      expect(await world.registered(oderId)).toEqual([device.id]);
      // It holds its first tuple again: the same device, when it reconnects, supersedes it.
      await world.arrive(world.logIn(oderId), { clientInstanceId: LAPTOP, node: 1 });
      expect(device.closeCode).toBe(CLOSE.SUPERSEDED.code);
    };
    while (await endAt(at, { nodes: 2 }, act, check)) at += 1;
    expect(at).toBeGreaterThan(12);
  });

  it("AU6 X8 a voice that is claimed or taken over ends", async () => {
    let at = 0;
    const voice = { type: "voice_state", serverId: SERVER, channelId: CHANNEL };
    const act = async (world: World, device: Device, { token }: Session): Promise<void> => {
      device.say({ type: "identify", token, clientInstanceId: LAPTOP });
      device.say({ type: "join_server", serverId: SERVER });
      await world.time.pass(20);
      device.say(voice);
      device.say({ type: "voice_client_takeover" });
    };
    const check = async (world: World, device: Device, session: Session, witness: Device): Promise<void> => {
      await isOut(world, device, session, witness);
      await world.pass(12);
      expect(await world.leases.get(session.oderId)).toBeNull();
      const heard = witness.all("voice_state").map(({ channelId }) => channelId);
      if (heard.length > 0) expect(heard.at(-1)).toBeNull();
    };
    while (await endAt(at, { nodes: 2 }, act, check)) at += 1;
    expect(at).toBeGreaterThan(20);
  });
});
