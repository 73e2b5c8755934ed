import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { CLOSE, LIMITS } from "@hearth/contracts";
import { CHAT, type Device, LAPTOP, SERVER, type Session, World } from "../testing/index.ts";

const KIB = 1024;
const BIG = 64 * KIB;
const ping = { type: "ping" };
const limited = { type: "error", code: "RATE_LIMITED", retryable: true, retryAfterMs: expect.any(Number) };
const { budgets } = LIMITS;

let world: World;
let ada: Session;
let device: Device;
beforeEach(async () => {
  world = new World();
  ada = world.logIn();
  device = await world.arrive(ada, { clientInstanceId: LAPTOP, joins: [SERVER] });
  await world.time.pass(60_000);
  device.take();
});
afterEach(() => world.close());

const repeat = (times: number, act: () => void): void => {
  for (let n = 0; n < times; n++) act();
};

describe("the bytes of one connection", () => {
  it("AB5 are limited; a refusal says how long to wait, and then the message goes through", async () => {
    repeat(budgets.connectionBytes.burst / BIG, () => device.say(ping, BIG));
    device.say({ ...ping, requestId: "r1" }, BIG);
    await world.settle();
    expect(device.all("pong")).toHaveLength(16);
    expect(device.all("error")).toEqual([expect.objectContaining({ ...limited, requestId: "r1" })]);
    await world.time.pass(Number(device.last("error")?.["retryAfterMs"]));
    device.say(ping, BIG);
    await world.settle();
    expect(device.all("pong")).toHaveLength(17);
  });

  it("AB5 WS12 a connection that sends big messages in spite of refusals is closed soon", async () => {
    repeat(1, () => device.say(ping, budgets.connectionBytes.burst));
    repeat(20, () => device.say(ping, LIMITS.frameBytes));
    await world.settle();
    expect(device.closeCode).toBe(CLOSE.RATE.code);
  });
});

describe("an account, over all of its connections", () => {
  it("AB5 has a limit of bytes, which a new connection does not raise", async () => {
    const siblings = [device, ...(await Promise.all([1, 2, 3].map(() => world.arrive(ada))))];
    await world.time.pass(60_000);
    for (const each of siblings) repeat(16, () => each.say(ping, BIG));
    for (const each of siblings) each.hangUp();
    const late = await world.arrive(ada);
    const another = await world.arrive(world.logIn());
    for (const each of [late, another]) each.say({ ...ping, requestId: "r1" }, BIG);
    await world.settle();
    expect(late.received).toMatchObject([{ ...limited, requestId: "r1", inReplyTo: "ping" }]);
    expect(another.received).toMatchObject([{ type: "pong" }]);
  });

  it("AB5 has a limit of messages", async () => {
    const { burst } = budgets.accountMessages;
    const devices = await Promise.all([1, 2, 3, 4, 5].map(() => world.arrive(ada)));
    await world.time.pass(60_000);
    for (const each of devices) repeat(LIMITS.messageRate.burst, () => each.say(ping));
    await world.settle();
    expect(devices.flatMap((each) => each.all("pong"))).toHaveLength(burst);
    expect(devices.at(-1)?.all("error")).toHaveLength(5 * LIMITS.messageRate.burst - burst);
  });

  it("AB5 has a budget of its own for account_sync", async () => {
    const sync = { type: "account_sync", clientInstanceId: LAPTOP, payload: { type: "x" } };
    repeat(20, () => device.say(ping, BIG));
    device.take();
    const fitting = budgets.accountSyncBytes.burst / LIMITS.frameBytes;
    for (let n = 0; n < fitting; n++) device.say({ ...sync, requestId: `r${n}` }, LIMITS.frameBytes);
    device.say({ ...sync, requestId: "surplus" }, LIMITS.frameBytes);
    await world.settle();
    expect(device.all("ack")).toHaveLength(fitting);
    expect(device.all("error")).toEqual([expect.objectContaining({ ...limited, requestId: "surplus" })]);
  });

  it("AB5 is forgotten a while after its last connection", async () => {
    const node = world.at(0).node;
    const account = node.accountBudgets.enter("someone", 0);
    node.accountBudgets.leave(account, 0);
    node.accountBudgets.sweep(1_000);
    const again = node.accountBudgets.enter("someone", 1_000);
    expect(again).toBe(account);
    node.accountBudgets.leave(again, 1_000);
    node.accountBudgets.sweep(61_000);
    expect(node.accountBudgets.enter("someone", 61_000)).not.toBe(account);
  });
});

describe("a flood into a room", () => {
  it("AB5 does not get its readers closed, and quiet accounts are still heard", async () => {
    const reader = await world.arrive(world.logIn(), { joins: [SERVER] });
    const quiet = await world.arrive(world.logIn(), { joins: [SERVER] });
    const loud = [];
    for (let n = 0; n < 20; n++) {
      if (n % 4 === 0) ada = world.logIn();
      loud.push(await world.arrive(ada, { joins: [SERVER] }));
    }
    reader.take();
    for (const each of loud) repeat(16, () => each.say(CHAT, BIG));
    quiet.say({ ...CHAT, requestId: "r1" });
    await world.settle();
    expect(quiet.received.at(-1)).toMatchObject({ type: "ack", requestId: "r1" });
    const heard = reader.all("chat_message").length * BIG;
    expect(heard).toBeGreaterThan(budgets.roomBytes.burst);
    expect(heard).toBeLessThan(LIMITS.unsent.close / 2);
    expect(loud.some((each) => each.all("error").length > 0)).toBe(true);
    expect(reader.open).toBe(true);
  });
});
