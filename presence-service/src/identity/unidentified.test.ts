import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { CLOSE } from "@hearth/contracts";
import { SERVER, type Session, World } from "../testing/index.ts";

const NO_SUCH_TOKEN = "f".repeat(64);
const join = { type: "join_server", serverId: SERVER, requestId: "join-1" };

let world: World;
let ada: Session;
beforeEach(() => {
  world = new World();
  ada = world.logIn();
});
afterEach(() => world.close());

describe("a connection that is not identified", () => {
  const missing = { type: "auth_required", code: "AUTH_REQUIRED", reason: "missing" };
  const refused = { type: "auth_error", code: "AUTH_INVALID" };

  it.each([
    ["nothing", undefined],
    ["null", null],
    ["an empty text", ""],
  ])("WS5 W4 receives auth_required if it presents %s", async (_, token) => {
    const device = world.connect();
    device.say({ type: "identify", ...(token === undefined ? {} : { token }) });
    await world.settle();
    expect(device.received).toMatchObject([missing]);
  });

  it.each([
    ["a number", 7],
    ["true", true],
    ["an object", { $ne: null }],
    ["a list", ["a"]],
    ["an unknown token", NO_SUCH_TOKEN],
  ])("WS5 W5 W6 receives auth_error if it presents %s", async (_, token) => {
    const device = world.connect();
    device.say({ type: "identify", token });
    await world.settle();
    expect(device.received).toMatchObject([{ ...refused, reason: "unknown" }]);
    device.say({ type: "identify", token: ada.token });
    await world.settle();
    expect(device.last("identified")).toBeDefined();
  });

  it.each(["revoked", "expired"] as const)(
    "WS5 W6 receives auth_error with the reason %s",
    async (reason) => {
      await world.services.endSession(ada, reason);
      const device = world.connect();
      device.say({ type: "identify", token: ada.token });
      await world.settle();
      expect(device.received).toMatchObject([{ ...refused, reason }]);
    },
  );

  it("WS5 W7 receives auth_error if oderId is not the user of the token", async () => {
    const device = world.connect();
    device.say({ type: "identify", token: ada.token, oderId: world.logIn().oderId });
    device.say(join);
    await world.settle();
    expect(device.received).toMatchObject([
      { ...refused, reason: "mismatch" },
      { ...refused, reason: "mismatch" },
    ]);
  });

  it("WS5 is closed for good after five failures", async () => {
    const device = world.connect();
    for (let n = 0; n < 4; n++) device.say({ type: "identify", token: NO_SUCH_TOKEN });
    await world.settle();
    expect(device.open).toBe(true);
    device.say({ type: "identify", token: NO_SUCH_TOKEN });
    device.say({ type: "identify", token: ada.token });
    await world.settle();
    expect(device.closeCode).toBe(CLOSE.REFUSED.code);
    expect(device.received.at(-1)).toMatchObject({ type: "closing", closeCode: 4500, reconnect: false });
    expect(device.all("identified")).toEqual([]);
  });

  it("WS5 a success forgives the failures before it", async () => {
    const device = world.connect();
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 4; n++) device.say({ type: "identify", token: NO_SUCH_TOKEN });
      device.say({ type: "identify", token: ada.token });
    }
    await world.settle();
    expect(device.open).toBe(true);
    expect(device.all("identified")).toHaveLength(3);
  });

  it("WS5 is closed after five messages without an identify", async () => {
    const device = world.connect();
    for (let n = 0; n < 7; n++) device.say(join);
    await world.settle();
    expect(device.all("auth_required")).toHaveLength(5);
    expect(device.closeCode).toBe(CLOSE.REFUSED.code);
  });

  it("WS5 is closed after 15 s, and may reconnect", async () => {
    const silent = world.connect();
    const slow = world.connect();
    const good = await world.arrive(ada);
    world.services.before = () => world.time.sleep(60_000);
    slow.say({ type: "identify", token: world.logIn().token });
    await world.pass(14);
    expect([silent.open, slow.open]).toEqual([true, true]);
    await world.pass(1);
    expect([silent.closeCode, slow.closeCode]).toEqual([4009, 4009]);
    expect(silent.received).toMatchObject([{ type: "closing", reason: "identify_timeout", reconnect: true }]);
    expect(good.open).toBe(true);
  });
});
