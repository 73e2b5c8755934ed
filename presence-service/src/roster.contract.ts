import { beforeEach, describe, expect, it } from "@jest/globals";
import type { ConnectionRecord, Registered, Registration, Roster } from "./roster.ts";

/** What a factory of the contract hands over. */
export interface RosterUnderTest {
  readonly roster: Roster;
  /** The same cluster as another node sees it; a twin without a network may hand over the same object. */
  readonly elsewhere: Roster;
  /** Lets that much time pass for the roster, by moving its clock or by waiting. */
  readonly pass: (ms: number) => Promise<void>;
}

const LIMIT = 5;
const ROUNDS = 50;

let made = 0;
const unique = (what: string): string => `${what}-${(made += 1)}`;

const recordOf = (given: Partial<ConnectionRecord> = {}): ConnectionRecord => ({
  connectionId: unique("connection"),
  nodeId: "node-1",
  oderId: "user-1",
  connectionScope: "ws://one.test",
  clientInstanceId: unique("tab"),
  device: { name: "Laptop", kind: "desktop" },
  displayName: "Ada",
  ...given,
});

const registered = (registration: Registration): Registered => {
  if (registration.outcome === "registered") return registration;
  throw new Error(`Not registered: ${registration.outcome}`);
};

const idsOf = (records: readonly ConnectionRecord[]): string[] =>
  records.map(({ connectionId }) => connectionId);

/** The suite that every twin of the roster passes. */
export function describeRosterContract(name: string, factory: () => Promise<RosterUnderTest>): void {
  let roster: Roster;
  let elsewhere: Roster;
  let pass: (ms: number) => Promise<void>;

  const add = async (given: Partial<ConnectionRecord> = {}): Promise<ConnectionRecord> => {
    const record = recordOf(given);
    registered(await roster.register(record, LIMIT));
    return record;
  };
  const othersOf = async (oderId: string): Promise<string[]> => {
    const probe = recordOf({ oderId });
    const { others } = registered(await roster.register(probe, 1_000));
    await roster.unregister(probe.connectionId);
    return idsOf(others);
  };

  beforeEach(async () => {
    ({ roster, elsewhere, pass } = await factory());
  });

  describe(`${name} registers connections`, () => {
    it("WS7 answers the user's other connections, longest identified first, and nobody else's", async () => {
      const first = await add();
      const second = await add();
      await add({ oderId: "user-2" });
      const { others, superseded } = registered(await elsewhere.register(recordOf(), LIMIT));
      expect(others).toEqual([first, second]);
      expect(superseded).toBeNull();
    });

    it("WS3 lets a connection register again: it changes what it is known as and keeps its place", async () => {
      const first = await add();
      const second = await add();
      const changed = { ...first, clientInstanceId: unique("tab"), displayName: "Grace" };
      const again = registered(await roster.register(changed, LIMIT));
      expect(idsOf(again.others)).toEqual([second.connectionId]);
      expect(again.superseded).toBeNull();
      const { others } = registered(await roster.register(recordOf(), LIMIT));
      expect(others).toEqual([changed, second]);
      // The tuple that it gave up is free: whoever takes it supersedes nobody.
      const heir = recordOf({ clientInstanceId: first.clientInstanceId });
      expect(registered(await roster.register(heir, LIMIT)).superseded).toBeNull();
    });

    it("WS6 answers whom the tuple was taken from, and counts it among the others no more", async () => {
      const older = await add();
      const newer = { ...older, connectionId: unique("connection"), nodeId: "node-2" };
      const { superseded, others } = registered(await elsewhere.register(newer, LIMIT));
      expect(superseded).toEqual(older);
      expect(others).toEqual([]);
      expect(await othersOf("user-1")).toEqual([newer.connectionId]);
    });

    it.each([
      ["user", { oderId: "user-2" }],
      ["scope", { connectionScope: "ws://two.test" }],
      ["missing scope", { connectionScope: null }],
      ["device", { clientInstanceId: "another" }],
    ])("WS6 does not take a tuple for another's that differs in its %s", async (_, difference) => {
      const older = await add();
      const other = { ...older, ...difference, connectionId: unique("connection") };
      expect(registered(await roster.register(other, LIMIT)).superseded).toBeNull();
    });

    it("WS6 takes two missing scopes for the same", async () => {
      const older = await add({ connectionScope: null });
      const newer = { ...older, connectionId: unique("connection") };
      expect(registered(await roster.register(newer, LIMIT)).superseded).toEqual(older);
    });

    it("WS6 does not let a superseded connection take its tuple back", async () => {
      const older = await add();
      const newer = { ...older, connectionId: unique("connection") };
      registered(await roster.register(newer, LIMIT));
      expect(await roster.register(older, LIMIT)).toEqual({ outcome: "superseded" });
      expect(await othersOf("user-1")).toEqual([newer.connectionId]);
    });

    it("WS6 X3 forgetting the older connection late takes nothing from the newer", async () => {
      const older = await add();
      const newer = await add({ clientInstanceId: older.clientInstanceId });
      await roster.unregister(older.connectionId);
      expect(await othersOf("user-1")).toEqual([newer.connectionId]);
      const newest = { ...older, connectionId: unique("connection") };
      expect(registered(await roster.register(newest, LIMIT)).superseded).toEqual(newer);
    });

    it("WS6 X2 of several connections that take one tuple at once exactly one survives", async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const tuple = { oderId: unique("user"), clientInstanceId: "tab" };
        const rivals = Array.from({ length: 3 }, () => recordOf(tuple));
        const outcomes = await Promise.all(
          rivals.map((rival, at) => (at % 2 === 0 ? roster : elsewhere).register(rival, LIMIT)),
        );
        const beaten = outcomes.map((outcome) => registered(outcome).superseded?.connectionId ?? null);
        const survivors = idsOf(rivals).filter((id) => !beaten.includes(id));
        expect(survivors).toHaveLength(1);
        expect(beaten.filter((id) => id === null)).toHaveLength(1);
        expect(new Set(beaten).size).toBe(3);
        expect(await othersOf(tuple.oderId)).toEqual(survivors);
      }
    });

    it("WS12 refuses the connection past the limit; one that registers again or takes a tuple over is not past it", async () => {
      const known = [];
      for (let n = 0; n < LIMIT; n++) known.push(await add());
      const [first] = known;
      if (first) expect(await roster.register(first, LIMIT)).toMatchObject({ outcome: "registered" });
      expect(await roster.register(recordOf(), LIMIT)).toEqual({ outcome: "full" });
      const heir = recordOf({ clientInstanceId: first?.clientInstanceId ?? "" });
      expect(await roster.register(heir, LIMIT)).toMatchObject({ outcome: "registered" });
      expect(await roster.register(recordOf({ oderId: "user-2" }), LIMIT)).toMatchObject({
        outcome: "registered",
      });
      await roster.unregister(heir.connectionId);
      expect(await roster.register(recordOf(), LIMIT)).toMatchObject({ outcome: "registered" });
    });

    it("WS12 lets exactly the allowed number in when they come at once", async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 4 * LIMIT }, (_, at) =>
          (at % 2 === 0 ? roster : elsewhere).register(recordOf(), LIMIT),
        ),
      );
      expect(outcomes.filter(({ outcome }) => outcome === "registered")).toHaveLength(LIMIT);
    });

    it("forgets a connection once; one that it does not know without harm", async () => {
      const { connectionId } = await add();
      await roster.enter("room", connectionId);
      const [gone, again, never] = await Promise.all([
        roster.unregister(connectionId),
        elsewhere.unregister(connectionId),
        roster.unregister("never seen"),
      ]);
      expect([...gone, ...again]).toMatchObject([{ serverId: "room", oderId: "user-1" }]);
      expect(never).toEqual([]);
      expect(await othersOf("user-1")).toEqual([]);
    });
  });

  describe(`${name} keeps rooms`, () => {
    it("WS8 tells the first entry and the last departure of a user from those in between", async () => {
      const [laptop, phone] = [await add(), await add()];
      const first = await roster.enter("room", laptop.connectionId);
      const second = await elsewhere.enter("room", phone.connectionId);
      const again = await roster.enter("room", laptop.connectionId);
      expect(first.arrival).toEqual(expect.any(Number));
      expect([second.arrival, again.arrival]).toEqual([null, null]);
      expect(await roster.leave("room", laptop.connectionId)).toBeNull();
      expect(await roster.leave("room", laptop.connectionId)).toBeNull();
      expect(await elsewhere.leave("room", phone.connectionId)).toMatchObject({
        serverId: "room",
        oderId: "user-1",
      });
      expect(await roster.leave("room", phone.connectionId)).toBeNull();
    });

    it("WS8 answers everybody in the room, once each, with name and status", async () => {
      const [laptop, phone] = [await add(), await add()];
      const guest = await add({ oderId: "user-2", displayName: "Bob" });
      await roster.setStatus("user-1", "busy", "in a meeting");
      for (const { connectionId } of [laptop, phone]) await roster.enter("room", connectionId);
      const { occupants } = await elsewhere.enter("room", guest.connectionId);
      expect([...occupants].sort((a, b) => a.oderId.localeCompare(b.oderId))).toEqual([
        { oderId: "user-1", displayName: "Ada", status: "busy", statusText: "in a meeting" },
        { oderId: "user-2", displayName: "Bob", status: "online", statusText: null },
      ]);
    });

    it("WS8 versions grow with every arrival and departure", async () => {
      const { connectionId } = await add();
      const versions: number[] = [];
      for (let n = 0; n < 5; n++) {
        versions.push((await roster.enter("room", connectionId)).arrival ?? Number.NaN);
        versions.push((await elsewhere.leave("room", connectionId))?.version ?? Number.NaN);
      }
      await roster.enter("room", connectionId);
      versions.push((await roster.unregister(connectionId))[0]?.version ?? Number.NaN);
      expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
    });

    it("WS8 X13 entries and departures at once agree on the first and the last", async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const oderId = unique("user");
        const devices = [await add({ oderId }), await add({ oderId }), await add({ oderId })];
        const entries = await Promise.all(
          devices.map(({ connectionId }, at) => (at % 2 ? roster : elsewhere).enter("room", connectionId)),
        );
        expect(entries.filter(({ arrival }) => arrival !== null)).toHaveLength(1);
        const departures = await Promise.all([
          roster.leave("room", devices[0]?.connectionId ?? ""),
          elsewhere.leave("room", devices[1]?.connectionId ?? ""),
          roster.unregister(devices[2]?.connectionId ?? ""),
        ]);
        expect(departures.flat().filter((departure) => departure !== null)).toHaveLength(1);
        expect(await roster.serversOf(oderId)).toEqual([]);
      }
    });

    it("WS8 answers a departure for every room that a forgotten connection was its user's last one in", async () => {
      const [laptop, phone] = [await add(), await add()];
      for (const room of ["a", "b", "c"]) await roster.enter(room, laptop.connectionId);
      await roster.enter("b", phone.connectionId);
      const departures = await roster.unregister(laptop.connectionId);
      expect(departures.map(({ serverId }) => serverId).sort()).toEqual(["a", "c"]);
      expect(await roster.serversOf("user-1")).toEqual(["b"]);
    });

    it("WS6 a superseded connection keeps its user in the room until it is forgotten", async () => {
      const older = await add();
      await roster.enter("room", older.connectionId);
      const newer = await add({ clientInstanceId: older.clientInstanceId });
      expect((await roster.enter("room", newer.connectionId)).arrival).toBeNull();
      expect(await roster.unregister(older.connectionId)).toEqual([]);
      expect(await roster.unregister(newer.connectionId)).toMatchObject([{ serverId: "room" }]);
    });

    it("refuses to let in who is not registered", async () => {
      await expect(roster.enter("room", "never seen")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    });

    it("WS8 counts the users of a room, not their connections", async () => {
      const devices = [await add(), await add(), await add({ oderId: "user-2" })];
      for (const { connectionId } of devices) await roster.enter("room", connectionId);
      const online = await elsewhere.online(["room", "empty"]);
      expect({ room: online["room"], empty: online["empty"] ?? 0 }).toEqual({ room: 2, empty: 0 });
    });

    it("WS9 keeps a status as long as its user has a connection", async () => {
      const laptop = await add();
      await roster.setStatus("user-1", "away", null);
      await roster.setStatus("nobody", "away", null);
      const phone = await add();
      await roster.unregister(laptop.connectionId);
      expect((await roster.enter("room", phone.connectionId)).occupants).toMatchObject([{ status: "away" }]);
      await roster.unregister(phone.connectionId);
      const later = await add();
      expect((await roster.enter("room", later.connectionId)).occupants).toMatchObject([
        { status: "online" },
      ]);
    });

    it("renames a user who is there", async () => {
      const { connectionId } = await add();
      await elsewhere.setDisplayName("user-1", "Grace");
      await roster.setDisplayName("nobody", "Nobody");
      expect((await roster.enter("room", connectionId)).occupants).toMatchObject([{ displayName: "Grace" }]);
    });
  });

  describe(`${name} outlives its nodes`, () => {
    it("WS8 forgets the connections of a node that stopped renewing, and no other's", async () => {
      for (const node of ["node-1", "node-2"]) await roster.renew(node, 1_000);
      const stays = await add({ nodeId: "node-2" });
      const [laptop, guest] = [await add(), await add({ oderId: "user-2" })];
      for (const { connectionId } of [stays, laptop, guest]) await roster.enter("room", connectionId);
      await pass(600);
      await elsewhere.renew("node-2", 1_000);
      expect(await roster.reap()).toEqual([]);
      await pass(600);
      expect(await roster.reap()).toMatchObject([{ serverId: "room", oderId: "user-2" }]);
      expect(await othersOf("user-1")).toEqual([stays.connectionId]);
    });

    it("WS8 answers each departure of a dead node to one caller", async () => {
      await roster.renew("node-1", 500);
      for (let n = 0; n < 20; n++) {
        const { connectionId } = await add({ oderId: unique("user") });
        await roster.enter("room", connectionId);
      }
      await pass(600);
      const reaped = await Promise.all([roster.reap(), elsewhere.reap(), roster.reap()]);
      expect(reaped.flat()).toHaveLength(20);
      expect(new Set(reaped.flat().map(({ oderId }) => oderId)).size).toBe(20);
    });

    it("tells a node that is new here, or that was taken for dead, from one that it knows", async () => {
      expect(await roster.renew("node-1", 500)).toMatchObject({ known: false });
      expect(await elsewhere.renew("node-1", 500)).toMatchObject({ known: true });
      await pass(600);
      await roster.reap();
      expect(await roster.renew("node-1", 500)).toMatchObject({ known: false });
    });

    it("WS6 reminds a node of its superseded connections until they are forgotten", async () => {
      const older = await add();
      await add({ clientInstanceId: older.clientInstanceId, nodeId: "node-2" });
      expect(await roster.renew("node-2", 500)).toMatchObject({ superseded: [] });
      expect(await roster.renew("node-1", 500)).toMatchObject({ superseded: [older] });
      await roster.unregister(older.connectionId);
      expect(await roster.renew("node-1", 500)).toMatchObject({ superseded: [] });
    });
  });
}
