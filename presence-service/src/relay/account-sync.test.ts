import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { CLOSE, ProblemError, syncSubjects } from "@hearth/contracts";
import { type Device, LAPTOP, PHONE, SERVER, type Session, World } from "../testing/index.ts";

const envelope = {
  type: "account_sync",
  clientInstanceId: LAPTOP,
  payload: { type: "friend-added", friend: {} },
};

/** A second sync-service that freezes at once: it receives requests, does not answer in time, and continues later. */
const frozenSync = ({ bus }: World) => {
  const late: (() => Promise<void>)[] = [];
  const asked = bus.answer(syncSubjects.relay, async ({ oderId, connectionId, sequence, envelope: sent }) => {
    const delivery = { oderId, exceptConnectionId: connectionId, sequence, envelope: sent };
    late.push(() => bus.publish(syncSubjects.deliver, delivery));
    throw new ProblemError("TIMEOUT");
  });
  return {
    thaw: async () => {
      asked.close();
      for (const publish of late) await publish();
      return late.length;
    },
  };
};

describe.each([1, 2])("account_sync, with %i node(s)", (nodes) => {
  let world: World;
  let ada: Session;
  let laptop: Device;
  let phone: Device;
  let desk: Device;
  let friend: Device;
  beforeEach(async () => {
    world = new World({ nodes });
    ada = world.logIn();
    laptop = await world.arrive(ada, { clientInstanceId: LAPTOP, joins: [SERVER], node: 0 });
    phone = await world.arrive(ada, { clientInstanceId: PHONE, node: 1 });
    desk = await world.arrive(ada, { node: 0 });
    friend = await world.arrive(world.logIn(), { joins: [SERVER], node: 1 });
    for (const device of [laptop, phone, desk, friend]) device.take();
  });
  afterEach(() => world.close());

  it("AS1 reaches every other connection of the account with fromUserId, and nobody else", async () => {
    laptop.say({ ...envelope, extra: { kept: [1, null] }, fromUserId: "somebody else" });
    await world.settle();
    const copy = { ...envelope, extra: { kept: [1, null] }, fromUserId: ada.oderId };
    expect([phone.received, desk.received]).toEqual([[copy], [copy]]);
    expect([laptop.received, friend.received]).toEqual([[], []]);
  });

  it("AS1 is acknowledged on request, and leaves the payload unchanged", async () => {
    const payload = JSON.parse('{"type":"x","__proto__":{"admin":true},"a":[{"constructor":1}]}') as object;
    laptop.say({ ...envelope, payload, requestId: "r1" });
    laptop.ask(envelope);
    await world.settle();
    expect(laptop.received).toEqual([{ type: "ack", inReplyTo: "account_sync", requestId: "r1" }]);
    expect(laptop.acknowledged).toHaveLength(1);
    expect(JSON.stringify(phone.received[0]?.["payload"])).toBe(JSON.stringify(payload));
  });

  it("AS1 keeps the order of a connection, however long each takes", async () => {
    world.services.before = () => world.time.sleep(world.random.below(50));
    for (let n = 0; n < 100; n++) laptop.say({ ...envelope, payload: { type: "x", n } });
    await world.settle();
    const inOrder = Array.from({ length: 100 }, (_, n) => n);
    for (const device of [phone, desk]) {
      expect(device.received.map(({ payload }) => (payload as { n: number }).n)).toEqual(inOrder);
    }
  });

  it("AS1 A11 succeeds with no other device there", async () => {
    const alone = await world.arrive(world.logIn(), { clientInstanceId: LAPTOP });
    alone.say({ ...envelope, requestId: "r1" });
    await world.settle();
    expect(alone.received).toMatchObject([{ type: "ack" }]);
  });

  it("AS1 A4 is refused if it names another device than the one that identified", async () => {
    laptop.say({ ...envelope, clientInstanceId: PHONE, requestId: "r1" });
    await world.settle();
    expect(laptop.received).toMatchObject([
      { type: "error", code: "INVALID_REQUEST", requestId: "r1", errors: [{ path: "clientInstanceId" }] },
    ]);
    expect(phone.received).toEqual([]);
  });

  it("AS1 may name any device if identify named none", async () => {
    const anonymous = world.connect(1);
    anonymous.say({ type: "identify", token: ada.token });
    await world.settle();
    phone.take();
    anonymous.say({ ...envelope, clientInstanceId: "d0000000-0000-4000-8000-00000000000f" });
    await world.settle();
    expect(phone.all("account_sync")).toHaveLength(1);
  });

  it.each([
    ["A1 no payload", { payload: undefined }],
    ["A1 null", { payload: null }],
    ["A1 a text", { payload: "chat-message" }],
    ["A1 a list", { payload: [] }],
    ["A2 no type in it", { payload: {} }],
    ["A2 a number as type", { payload: { type: 7 } }],
  ])("AS1 is refused with %s, and the connection lives", async (_, part) => {
    laptop.say({ ...envelope, ...part });
    laptop.say(envelope);
    await world.settle();
    expect(laptop.received).toMatchObject([
      { type: "error", code: "INVALID_REQUEST", inReplyTo: "account_sync" },
    ]);
    expect(phone.received).toHaveLength(1);
  });

  it.each(["UNAVAILABLE", "TIMEOUT"] as const)("AS1 ER6 may be sent again after %s", async (code) => {
    const failures = [new ProblemError(code)];
    world.services.before = async () => {
      const failure = failures.pop();
      if (failure) throw failure;
    };
    laptop.say({ ...envelope, requestId: "r1" });
    laptop.say({ ...envelope, requestId: "r2" });
    await world.settle();
    expect(laptop.received).toMatchObject([
      { type: "error", code, retryable: true, requestId: "r1" },
      { type: "ack", requestId: "r2" },
    ]);
  });

  const said = (n: number) => ({ ...envelope, payload: { type: "x", n } });
  const heard = (device: Device): unknown[] =>
    device.all("account_sync").map(({ payload }) => (payload as { readonly n: number }).n);

  it("AS1 does not deliver an old envelope of a frozen sync-service after newer ones", async () => {
    const frozen = frozenSync(world);
    for (let n = 1; n <= 5; n += 1) laptop.say({ ...said(n), requestId: `r${n}` });
    await world.settle();
    expect(laptop.received.map(({ type, requestId }) => [requestId, type])).toEqual([
      ["r1", "ack"],
      ["r2", "error"],
      ["r3", "ack"],
      ["r4", "error"],
      ["r5", "ack"],
    ]);
    expect(await frozen.thaw()).toBe(2);
    for (const n of [2, 4]) laptop.say(said(n));
    await world.settle();
    for (const device of [phone, desk]) expect(heard(device)).toEqual([1, 3, 5, 2, 4]);
  });

  it("AS1 delivers a late envelope if nothing newer of its connection has overtaken it", async () => {
    const frozen = frozenSync(world);
    for (const n of [1, 2]) laptop.say(said(n));
    await world.settle();
    phone.say({ ...said(7), clientInstanceId: PHONE });
    await world.settle();
    expect(heard(desk)).toEqual([1, 7]);
    expect(await frozen.thaw()).toBe(1);
    await world.settle();
    expect(heard(desk)).toEqual([1, 7, 2]);
    expect(heard(phone)).toEqual([1, 2]);
  });

  it("AS1 delivers every envelope without a sequence, as from an earlier version", async () => {
    for (const n of [2, 1, 1]) {
      const delivery = { oderId: ada.oderId, exceptConnectionId: laptop.id, envelope: said(n) };
      await world.bus.publish(syncSubjects.deliver, delivery);
    }
    await world.settle();
    expect(heard(desk)).toEqual([2, 1, 1]);
  });

  it("remembers nothing of an account whose last connection on the node has closed", async () => {
    const memories = world.nodes.map(({ node }) => node.syncSequences);
    const isRemembered = (): boolean[] => memories.map((memory) => !memory.take(ada.oderId, laptop.id, 1));
    laptop.say(envelope);
    await world.settle();
    expect(isRemembered()).toEqual(memories.map(() => true));
    for (const device of [laptop, phone, desk]) device.hangUp();
    await world.settle();
    expect(isRemembered()).toEqual(memories.map(() => false));
  });

  it("AS1 A12 reaches no connection whose session has ended, nor leaves one", async () => {
    const other = world.logIn(ada.oderId);
    const lost = await world.arrive(other, { node: 1 });
    await world.services.endSession(other);
    laptop.say(envelope);
    lost.say({ ...envelope, payload: { type: "too late" } });
    await world.settle();
    expect(lost.closeCode).toBe(CLOSE.SESSION_REVOKED.code);
    expect(lost.all("account_sync")).toEqual([]);
    expect(phone.all("account_sync")).toMatchObject([envelope]);
  });
});
