import { beforeEach, describe, expect, it } from "@jest/globals";
import { newId } from "@hearth/runtime";
import {
  add,
  connectionsOf,
  idsOf,
  LIMIT,
  recordOf,
  registered,
  RACES,
  type RosterFactory,
} from "../../testing/roster-records.ts";
import type { Roster } from "./roster.ts";

/** The part about connections. */
export const describeRegistration = (name: string, factory: RosterFactory): void => {
  describe(`${name} registers connections`, () => {
    let roster: Roster;
    let elsewhere: Roster;
    beforeEach(async () => {
      ({ roster, elsewhere } = await factory());
    });

    it("WS7 returns the user's other connections, longest identified first, and nobody else's", async () => {
      const first = await add(roster);
      const second = await add(roster);
      await add(roster, { oderId: "user-2" });
      const { others, superseded } = registered(await elsewhere.register(recordOf(), LIMIT));
      expect(others).toEqual([first, second]);
      expect(superseded).toBeNull();
    });

    it("WS3 lets a connection register again: its record changes, its position stays", async () => {
      const first = await add(roster);
      const second = await add(roster);
      const changed = { ...first, clientInstanceId: newId(), displayName: "Grace" };
      const again = registered(await roster.register(changed, LIMIT));
      expect(idsOf(again.others)).toEqual([second.connectionId]);
      expect(again.superseded).toBeNull();
      const { others } = registered(await roster.register(recordOf(), LIMIT));
      expect(others).toEqual([changed, second]);
      // Its former tuple is free: a connection that takes it supersedes nobody.
      const heir = recordOf({ clientInstanceId: first.clientInstanceId });
      expect(registered(await roster.register(heir, LIMIT)).superseded).toBeNull();
    });

    it("WS6 returns the superseded connection, and does not count it among the others", async () => {
      const older = await add(roster);
      const newer = { ...older, connectionId: newId(), nodeId: "node-2" };
      const { superseded, others } = registered(await elsewhere.register(newer, LIMIT));
      expect(superseded).toEqual(older);
      expect(others).toEqual([]);
      expect(await connectionsOf(roster, "user-1")).toEqual([newer.connectionId]);
    });

    it.each([
      ["user", { oderId: "user-2" }],
      ["scope", { connectionScope: "ws://two.test" }],
      ["missing scope", { connectionScope: null }],
      ["device", { clientInstanceId: "another" }],
    ])("WS6 does not take a tuple for another's that differs in its %s", async (_, difference) => {
      const older = await add(roster);
      const other = { ...older, ...difference, connectionId: newId() };
      expect(registered(await roster.register(other, LIMIT)).superseded).toBeNull();
    });

    it("WS6 treats two missing scopes as equal", async () => {
      const older = await add(roster, { connectionScope: null });
      const newer = { ...older, connectionId: newId() };
      expect(registered(await roster.register(newer, LIMIT)).superseded).toEqual(older);
    });

    it("WS6 does not let a superseded connection take its tuple back", async () => {
      const older = await add(roster);
      const newer = { ...older, connectionId: newId() };
      registered(await roster.register(newer, LIMIT));
      expect(await roster.register(older, LIMIT)).toEqual({ outcome: "superseded" });
      expect(await connectionsOf(roster, "user-1")).toEqual([newer.connectionId]);
    });

    it("WS6 X3 forgetting the older connection late does not affect the newer one", async () => {
      const older = await add(roster);
      const newer = await add(roster, { clientInstanceId: older.clientInstanceId });
      await roster.unregister(older.connectionId);
      expect(await connectionsOf(roster, "user-1")).toEqual([newer.connectionId]);
      const newest = { ...older, connectionId: newId() };
      expect(registered(await roster.register(newest, LIMIT)).superseded).toEqual(newer);
    });

    it("WS6 X2 of several connections that take one tuple at once exactly one survives", async () => {
      for (let round = 0; round < RACES; round++) {
        const tuple = { oderId: newId(), clientInstanceId: "tab" };
        const rivals = Array.from({ length: 3 }, () => recordOf(tuple));
        const outcomes = await Promise.all(
          rivals.map((rival, at) => (at % 2 === 0 ? roster : elsewhere).register(rival, LIMIT)),
        );
        const beaten = outcomes.map((outcome) => registered(outcome).superseded?.connectionId ?? null);
        const survivors = idsOf(rivals).filter((id) => !beaten.includes(id));
        expect(survivors).toHaveLength(1);
        expect(beaten.filter((id) => id === null)).toHaveLength(1);
        expect(new Set(beaten).size).toBe(3);
        expect(await connectionsOf(roster, tuple.oderId)).toEqual(survivors);
      }
    });

    it("WS12 refuses the connection past the limit; one that registers again or takes a tuple over is not past it", async () => {
      const known = [];
      for (let n = 0; n < LIMIT; n++) known.push(await add(roster));
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

    it("WS12 admits exactly the allowed number if they register at once", async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 4 * LIMIT }, (_, at) =>
          (at % 2 === 0 ? roster : elsewhere).register(recordOf(), LIMIT),
        ),
      );
      expect(outcomes.filter(({ outcome }) => outcome === "registered")).toHaveLength(LIMIT);
    });

    it("forgets a connection once, and ignores an unknown one", async () => {
      const { connectionId } = await add(roster);
      await roster.enter("room", connectionId);
      const [gone, again, never] = await Promise.all([
        roster.unregister(connectionId),
        elsewhere.unregister(connectionId),
        roster.unregister("never seen"),
      ]);
      expect([...gone, ...again]).toMatchObject([{ serverId: "room", oderId: "user-1" }]);
      expect(never).toEqual([]);
      expect(await connectionsOf(roster, "user-1")).toEqual([]);
    });
  });
};
