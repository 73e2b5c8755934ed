import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { authSubjects, CLOSE, LIMITS, ProblemError } from "@hearth/contracts";
import { accountRoom, serverRoom } from "../delivery/rooms.ts";
import { LAPTOP, SERVER, type Session, World } from "../testing/index.ts";

const SCOPE = "ws://chat.test:8080";
const NO_SUCH_TOKEN = "f".repeat(64);
const join = { type: "join_server", serverId: SERVER, requestId: "join-1" };

let world: World;
let ada: Session;
beforeEach(() => {
  world = new World();
  ada = world.logIn();
});
afterEach(() => world.close());

const failWith = (...failures: ProblemError[]): void => {
  world.services.before = async (subject) => {
    const failure = subject === "auth.verify" ? failures.shift() : undefined;
    if (failure) throw failure;
  };
};

describe("identify", () => {
  it("WS3 tells a connection who it is and what it may do", async () => {
    const device = world.connect();
    const identify = { type: "identify", token: ada.token, oderId: ada.oderId, requestId: "r1" };
    const optional = { displayName: "Ada L.", connectionScope: SCOPE, clientInstanceId: LAPTOP };
    device.say({ ...identify, ...optional, device: { name: "Laptop", kind: "desktop" } });
    await world.settle();
    expect(device.received).toEqual([
      {
        type: "identified",
        oderId: ada.oderId,
        username: "ada",
        displayName: "Ada",
        connectionId: device.id,
        clientInstanceId: LAPTOP,
        connectionScope: SCOPE,
        sessionExpiresAt: expect.any(Number),
        serverTime: world.time.now(),
        heartbeatMs: LIMITS.heartbeat.intervalMs,
        limits: { messageBytes: 65_536, accountSyncBytes: 1_048_576, messagesPerSecond: 60, burst: 240 },
        requestId: "r1",
      },
    ]);
  });

  it("WS3 W11 needs only a token: it uses the account's name, a generated device id and no scope", async () => {
    const device = world.connect();
    device.say({ type: "identify", token: ada.token });
    await world.settle();
    expect(device.last("identified")).toMatchObject({
      displayName: "Ada",
      connectionScope: null,
      clientInstanceId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it("AB8 returns the account's name, whatever name identify claims", async () => {
    const device = world.connect();
    device.say({ type: "identify", token: ada.token, displayName: "Bob" });
    await world.settle();
    device.say({ type: "identify", token: ada.token, displayName: "Bob" });
    await world.settle();
    const named = expect.objectContaining({ username: "ada", displayName: "Ada" });
    expect(device.all("identified")).toEqual([named, named]);
  });

  it("AB8 an account that is renamed while it identifies has the new name", async () => {
    const watcher = await world.arrive(world.logIn(), { joins: [SERVER] });
    world.services.before = async (subject) => {
      if (subject !== authSubjects.verify.name) return;
      await world.bus.publish(authSubjects.userUpdated, { userId: ada.oderId, displayName: "Countess" });
      await world.time.sleep(10);
    };
    const device = world.connect();
    device.say({ type: "identify", token: ada.token });
    device.say(join);
    await world.settle();
    expect(device.last("identified")).toMatchObject({ displayName: "Countess" });
    expect(watcher.last("user_joined")).toMatchObject({ user: { displayName: "Countess" } });
  });

  it("WS3 allows a second identify of the same user, which keeps the fields that it leaves out", async () => {
    const device = await world.arrive(ada, { clientInstanceId: LAPTOP, connectionScope: SCOPE });
    const again = world.logIn(ada.oderId);
    device.say({ type: "identify", token: again.token });
    device.say(join);
    await world.settle();
    expect(device.last("identified")).toMatchObject({ clientInstanceId: LAPTOP, connectionScope: SCOPE });
    expect(device.all("server_joined")).toHaveLength(1);
    expect(await world.registered(ada.oderId)).toEqual([device.id]);
  });

  it("WS3 after a second identify only the second session counts", async () => {
    const device = await world.arrive(ada);
    const again = world.logIn(ada.oderId);
    device.say({ type: "identify", token: again.token });
    await world.settle();
    await world.services.endSession(ada);
    await world.settle();
    expect(device.open).toBe(true);
    await world.services.endSession(again);
    await world.settle();
    expect(device.closeCode).toBe(CLOSE.SESSION_REVOKED.code);
  });

  it("WS3 W8 refuses a second identify as another user; the first identity stays", async () => {
    const device = await world.arrive(ada, { joins: [SERVER] });
    device.say({ type: "identify", token: world.logIn().token, requestId: "r2" });
    device.say({
      type: "chat_message",
      serverId: SERVER,
      message: { id: "m", content: "" },
      requestId: "r3",
    });
    await world.settle();
    expect(device.received).toMatchObject([
      { type: "error", code: "CONFLICT", requestId: "r2", inReplyTo: "identify" },
      { type: "ack", requestId: "r3" },
    ]);
  });

  it("WS3 a failed second identify leaves the first in force", async () => {
    const device = await world.arrive(ada, { joins: [SERVER] });
    device.say({ type: "identify", token: NO_SUCH_TOKEN });
    device.say({ type: "leave_server", serverId: SERVER });
    await world.settle();
    expect(device.received.map(({ type }) => type)).toEqual(["auth_error", "server_left"]);
  });
});

describe("identify and join back to back", () => {
  it("WS4 the join takes effect after identify, however long that takes", async () => {
    world.services.before = () => world.time.sleep(500);
    const device = world.connect();
    device.say({ type: "identify", token: ada.token });
    device.say(join);
    await world.settle();
    expect(device.received.map(({ type }) => type)).toEqual(["identified", "server_joined"]);
  });

  it("WS4 messages behind a failing identify get the same failure, and do not count as failures", async () => {
    const device = world.connect();
    device.say({ type: "identify", token: NO_SUCH_TOKEN });
    for (let n = 0; n < 20; n++) device.say({ ...join, requestId: `r${n}` });
    await world.settle();
    const refused = { type: "auth_error", code: "AUTH_INVALID", reason: "unknown" };
    expect(device.received).toHaveLength(21);
    for (const answer of device.received) expect(answer).toMatchObject(refused);
    expect(device.received.at(-1)).toMatchObject({ requestId: "r19", inReplyTo: "join_server" });
    expect(device.open).toBe(true);
  });

  it("WS4 a valid identify behind an invalid one succeeds", async () => {
    const device = world.connect();
    device.say({ type: "identify", token: NO_SUCH_TOKEN });
    device.say(join);
    device.say({ type: "identify", token: ada.token });
    device.say(join);
    await world.settle();
    const types = device.received.map(({ type }) => type);
    expect(types).toEqual(["auth_error", "auth_error", "identified", "server_joined"]);
  });

  it.each([
    ["the bus is away", new ProblemError("UNAVAILABLE")],
    ["nobody answers in time", new ProblemError("TIMEOUT")],
    ["auth fails", new ProblemError("INTERNAL")],
  ])("WS4 ER6 is an error to retry, and never an authentication failure, where %s", async (_, failure) => {
    failWith(failure);
    const device = world.connect();
    device.say({ type: "identify", token: ada.token, requestId: "r1" });
    device.say(join);
    await world.settle();
    device.say({ type: "ping" });
    await world.settle();
    expect(device.received).toHaveLength(3);
    for (const answer of device.received) expect(answer).toMatchObject({ type: "error", retryable: true });
    expect(device.received[0]).toMatchObject({ requestId: "r1", inReplyTo: "identify" });
    device.say({ type: "identify", token: ada.token });
    device.say(join);
    await world.settle();
    expect(device.last("server_joined")).toBeDefined();
  });

  it("ER6 an internal failure leaves nothing of one user on a connection that becomes another's", async () => {
    const away = { is: true };
    const far = new World({
      point: () => async (name) => {
        if (away.is && name === "leases.attach asked") throw new ProblemError("UNAVAILABLE");
      },
    });
    const [first, second] = [far.logIn(), far.logIn()];
    const device = far.connect();
    device.say({ type: "identify", token: first.token });
    await far.settle();
    expect(device.received).toMatchObject([{ type: "error", code: "UNAVAILABLE" }]);
    // Sent to the first user during the identify; the second user must not receive it.
    await far.arrive(first);
    away.is = false;
    await far.arrive(first);
    device.say({ type: "identify", token: second.token });
    await far.settle();
    expect(device.received.slice(1)).toMatchObject([{ type: "identified", oderId: second.oderId }]);
    expect(await far.registered(first.oderId)).not.toContain(device.id);
    expect(await far.registered(second.oderId)).toEqual([device.id]);
    await far.close();
  });

  it("ER6 no number of internal failures counts as a failure to identify", async () => {
    failWith(...Array.from({ length: 12 }, () => new ProblemError("UNAVAILABLE")));
    const device = world.connect();
    for (let n = 0; n < 12; n++) device.say({ type: "identify", token: ada.token });
    for (let n = 0; n < 12; n++) device.say(join);
    await world.settle();
    expect(device.open).toBe(true);
    expect(device.received.filter(({ type }) => type !== "error")).toEqual([]);
  });
});

describe("a connection that closes while it identifies", () => {
  it("WS6 X4 leaves nothing behind, whenever it closes", async () => {
    for (let at = 0; ; at++) {
      const count = { points: 0 };
      const closing = new World({
        nodes: 2,
        point: () => async () => {
          count.points += 1;
          if (count.points === at + 1) device.hangUp();
          await Promise.resolve();
        },
      });
      const session = closing.logIn();
      const watcher = closing.connect(1);
      const device = closing.connect(0);
      device.say({ type: "identify", token: session.token, clientInstanceId: LAPTOP });
      device.say(join);
      await closing.settle();
      const over = count.points <= at;
      if (over) device.hangUp();
      await closing.settle();
      expect(await closing.registered(session.oderId)).toEqual([]);
      expect(await closing.roster.online([SERVER])).toEqual({ [SERVER]: 0 });
      expect(closing.roomsOf(device, [accountRoom(session.oderId), serverRoom(SERVER)])).toEqual([]);
      expect(await closing.at(0).metrics.text()).toContain("hearth_presence_identified_connections 0");
      expect(watcher.received).toEqual([]);
      expect(closing.warnings).toEqual([]);
      await closing.close();
      if (!over) continue;
      expect(at).toBeGreaterThan(10);
      break;
    }
  });
});
