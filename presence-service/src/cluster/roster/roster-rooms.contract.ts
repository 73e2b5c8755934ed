import { beforeEach, describe, expect, it } from "@jest/globals";
import { newId } from "@hearth/runtime";
import { add, connectionsOf, RACES, type RosterFactory } from "../../testing/roster-records.ts";
import type { Roster } from "./roster.ts";

/** The part about rooms. */
export const describeRooms = (name: string, factory: RosterFactory): void => {
  describe(`${name} keeps rooms`, () => {
    let roster: Roster;
    let elsewhere: Roster;
    let reopen: () => Promise<Roster>;
    let pass: (ms: number) => Promise<void>;
    beforeEach(async () => {
      ({ roster, elsewhere, reopen, pass } = await factory());
    });

    it("WS8 distinguishes a user's first entry and last departure from those in between", async () => {
      const [laptop, phone] = [await add(roster), await add(roster)];
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

    it("WS8 returns everybody in the room, once each, with name and status", async () => {
      const [laptop, phone] = [await add(roster), await add(roster)];
      const guest = await add(roster, { oderId: "user-2", username: "bob", displayName: "Bob" });
      await roster.setStatus("user-1", "busy", "in a meeting");
      for (const { connectionId } of [laptop, phone]) await roster.enter("room", connectionId);
      const { occupants } = await elsewhere.enter("room", guest.connectionId);
      expect([...occupants].sort((a, b) => a.oderId.localeCompare(b.oderId))).toEqual([
        { oderId: "user-1", username: "ada", displayName: "Ada", status: "busy", statusText: "in a meeting" },
        { oderId: "user-2", username: "bob", displayName: "Bob", status: "online", statusText: null },
      ]);
    });

    it("WS8 versions grow with every arrival and departure, and across a restart", async () => {
      const { connectionId } = await add(roster);
      const versions: number[] = [];
      for (let n = 0; n < 5; n++) {
        versions.push((await roster.enter("room", connectionId)).arrival ?? Number.NaN);
        versions.push((await elsewhere.leave("room", connectionId))?.version ?? Number.NaN);
      }
      await roster.enter("room", connectionId);
      versions.push((await roster.unregister(connectionId))[0]?.version ?? Number.NaN);
      await pass(1);
      const reopened = await reopen();
      const later = await add(reopened);
      versions.push((await reopened.enter("room", later.connectionId)).arrival ?? Number.NaN);
      expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
    });

    it("WS8 X13 entries and departures at once agree on the first and the last", async () => {
      for (let round = 0; round < RACES; round++) {
        const oderId = newId();
        const devices = [
          await add(roster, { oderId }),
          await add(roster, { oderId }),
          await add(roster, { oderId }),
        ];
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

    it("WS8 returns a departure for each room in which a forgotten connection was its user's last one", async () => {
      const [laptop, phone] = [await add(roster), await add(roster)];
      for (const room of ["a", "b", "c"]) await roster.enter(room, laptop.connectionId);
      await roster.enter("b", phone.connectionId);
      const departures = await roster.unregister(laptop.connectionId);
      expect(departures.map(({ serverId }) => serverId).sort()).toEqual(["a", "c"]);
      expect(await roster.serversOf("user-1")).toEqual(["b"]);
    });

    it("WS6 a superseded connection keeps its user in the room until it is forgotten", async () => {
      const older = await add(roster);
      await roster.enter("room", older.connectionId);
      const newer = await add(roster, { clientInstanceId: older.clientInstanceId });
      expect((await roster.enter("room", newer.connectionId)).arrival).toBeNull();
      expect(await roster.unregister(older.connectionId)).toEqual([]);
      expect(await roster.unregister(newer.connectionId)).toMatchObject([{ serverId: "room" }]);
    });

    it("refuses the entry of a connection that is not registered", async () => {
      await expect(roster.enter("room", "never seen")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    });

    it("WS8 counts the users of a room, not their connections", async () => {
      const devices = [await add(roster), await add(roster), await add(roster, { oderId: "user-2" })];
      for (const { connectionId } of devices) await roster.enter("room", connectionId);
      const online = await elsewhere.online(["room", "empty"]);
      expect({ room: online["room"], empty: online["empty"] ?? 0 }).toEqual({ room: 2, empty: 0 });
    });

    it("WS9 keeps a status as long as its user has a connection", async () => {
      const laptop = await add(roster);
      await roster.setStatus("user-1", "away", null);
      await roster.setStatus("nobody", "away", null);
      const phone = await add(roster);
      await roster.unregister(laptop.connectionId);
      expect((await roster.enter("room", phone.connectionId)).occupants).toMatchObject([{ status: "away" }]);
      await roster.unregister(phone.connectionId);
      const later = await add(roster);
      expect((await roster.enter("room", later.connectionId)).occupants).toMatchObject([
        { status: "online" },
      ]);
    });

    it("renames a user who is connected", async () => {
      const { connectionId } = await add(roster);
      await elsewhere.setDisplayName("user-1", "Grace");
      await roster.setDisplayName("nobody", "Nobody");
      expect((await roster.enter("room", connectionId)).occupants).toMatchObject([{ displayName: "Grace" }]);
    });
  });
};

/** The part about nodes that died. */
export const describeNodes = (name: string, factory: RosterFactory): void => {
  describe(`${name} outlives its nodes`, () => {
    let roster: Roster;
    let elsewhere: Roster;
    let pass: (ms: number) => Promise<void>;
    beforeEach(async () => {
      ({ roster, elsewhere, pass } = await factory());
    });

    it("WS8 forgets the connections of a node that stopped renewing, and no others", async () => {
      for (const node of ["node-1", "node-2"]) await roster.renew(node, 1_000);
      const stays = await add(roster, { nodeId: "node-2" });
      const [laptop, guest] = [await add(roster), await add(roster, { oderId: "user-2" })];
      for (const { connectionId } of [stays, laptop, guest]) await roster.enter("room", connectionId);
      await pass(600);
      await elsewhere.renew("node-2", 1_000);
      expect(await roster.reap()).toEqual([]);
      await pass(600);
      expect(await roster.reap()).toMatchObject([{ serverId: "room", oderId: "user-2" }]);
      expect(await connectionsOf(roster, "user-1")).toEqual([stays.connectionId]);
    });

    it("WS8 returns each departure of a dead node to one caller only", async () => {
      await roster.renew("node-1", 500);
      for (let n = 0; n < 20; n++) {
        const { connectionId } = await add(roster, { oderId: newId() });
        await roster.enter("room", connectionId);
      }
      await pass(600);
      const reaped = await Promise.all([roster.reap(), elsewhere.reap(), roster.reap()]);
      expect(reaped.flat()).toHaveLength(20);
      expect(new Set(reaped.flat().map(({ oderId }) => oderId)).size).toBe(20);
    });

    it("distinguishes a known node from one that is new or was taken for dead", async () => {
      expect(await roster.renew("node-1", 500)).toMatchObject({ known: false });
      expect(await elsewhere.renew("node-1", 500)).toMatchObject({ known: true });
      await pass(600);
      await roster.reap();
      expect(await roster.renew("node-1", 500)).toMatchObject({ known: false });
    });

    it("WS8 tells a node that it is alone once no other node can come back", async () => {
      await pass(600);
      expect(await roster.renew("node-1", 500)).toMatchObject({ alone: true });
      expect(await elsewhere.renew("node-2", 500)).toMatchObject({ alone: false });
      expect(await roster.renew("node-1", 500)).toMatchObject({ alone: false });
      await pass(600);
      expect(await roster.renew("node-1", 500)).toMatchObject({ known: true, alone: false });
      await roster.reap();
      expect(await roster.renew("node-1", 500)).toMatchObject({ known: true, alone: true });
    });

    it("WS6 reminds a node of its superseded connections until they are forgotten", async () => {
      const older = await add(roster);
      await add(roster, { clientInstanceId: older.clientInstanceId, nodeId: "node-2" });
      expect(await roster.renew("node-2", 500)).toMatchObject({ superseded: [] });
      expect(await roster.renew("node-1", 500)).toMatchObject({ superseded: [older] });
      await roster.unregister(older.connectionId);
      expect(await roster.renew("node-1", 500)).toMatchObject({ superseded: [] });
    });
  });
};
