import { describe, expect, it } from "@jest/globals";
import { until } from "../testing/fake-clock.ts";
import { calm, savedRoom, stageHome, stageServers } from "./testing/servers-stage.ts";
import { HOME, idOf, OTHER, ScriptedInstance, serverNamed } from "./testing/scripted-instance.ts";

describe("what the home server says", () => {
  it("is the truth: what is new is saved, where we are no member is lost, and every room is entered", async () => {
    const home = new ScriptedInstance(serverNamed("Reading", 1), serverNamed("Chess", 4));
    home.open.push(serverNamed("Cooking", 2));
    const { store, connect, names, lost, standing, sent, place } = await stageServers({ [HOME]: home });
    await store.saveRooms([savedRoom("Reading", 1, HOME, { muted: true }), savedRoom("Cooking", 2)]);
    await connect();
    expect(names()).toEqual(["Chess", "Reading"]);
    expect((await store.rooms()).map(({ name, muted }) => [name, muted])).toEqual([
      ["Chess", false],
      ["Reading", true],
    ]);
    expect(lost).toEqual([{ roomId: idOf(2), name: "Cooking", reason: "removed" }]);
    expect([standing(1), standing(4)]).toEqual(["joined", "joined"]);
    expect(sent(HOME, "join_server").map(({ serverId }) => serverId)).toEqual([idOf(1), idOf(4)]);
    expect(place(1)?.present.get(OTHER)?.displayName).toBe("Grace");
  });

  it("is read on all pages", async () => {
    const all = Array.from({ length: 230 }, (_, index) => serverNamed(`Room ${index}`, index + 1));
    const { names, standing, platform } = await stageHome(...all);
    await until(() => names().length === 230);
    // More than the server would take at once.
    expect([standing(1), standing(230)]).toEqual(["joined", "joining"]);
    await platform.clock.advance(2_000);
    expect([standing(1), standing(230)]).toEqual(["joined", "joined"]);
  });

  it("is asked again while there is trouble; nothing is lost over it, and no room is entered unasked", async () => {
    const home = new ScriptedInstance(serverNamed("Reading", 1));
    home.open.push(serverNamed("Cooking", 2));
    home.refuse("GET", /mine/, "UNAVAILABLE", 2);
    const { store, connect, names, lost, standing, platform, sent } = await stageServers({ [HOME]: home });
    await store.saveRooms([savedRoom("Reading", 1), savedRoom("Cooking", 2)]);
    await connect();
    expect([names(), standing(1), sent(HOME, "join_server")]).toEqual([
      ["Cooking", "Reading"],
      "joining",
      [],
    ]);
    await platform.clock.advance(3_000);
    await calm();
    expect([names(), lost.length, standing(1)]).toEqual([["Reading"], 1, "joined"]);
  });

  it("does not take away what was made or joined while it was being said", async () => {
    const { home, places: servers, names, lost, standing, reconnect } = await stageHome();
    home.beforeMine = async () => {
      home.beforeMine = null;
      await servers.create(HOME, { name: "Brand new" });
    };
    await reconnect(HOME);
    expect([names(), lost, standing(77)]).toEqual([["Brand new"], [], "joined"]);
  });

  it("does not take away what another device told of while it was being said", async () => {
    const { home, places: servers, store, names, lost, platform, standing, reconnect } = await stageHome();
    home.beforeMine = async () => {
      home.beforeMine = null;
      home.mine.push(serverNamed("Chess", 4));
      await store.saveRooms([savedRoom("Chess", 4)]);
      await servers.refresh();
    };
    await reconnect(HOME);
    expect([names(), lost]).toEqual([["Chess"], []]);
    await platform.clock.advance(250);
    await calm();
    expect([names(), lost, standing(4)]).toEqual([["Chess"], [], "joined"]);
  });

  it("WS8 is followed into every room again after each identify, and nobody is present in between", async () => {
    const { platform, standing, sent, place } = await stageHome(serverNamed("Reading", 1));
    platform.sockets[0]?.drop();
    expect([standing(1), place(1)?.present.size]).toEqual(["offline", 0]);
    await platform.clock.advance(1_000);
    await calm();
    expect([platform.sockets.length, standing(1)]).toEqual([2, "joined"]);
    expect(sent(HOME, "join_server")).toHaveLength(1);
  });

  it.each([
    ["BANNED", "banned"],
    ["NOT_FOUND", "gone"],
    ["ACCESS_DENIED", "needs-invite"],
  ] as const)("a room that does not let in with %s is %s, also while offline", async (code, expected) => {
    const home = new ScriptedInstance(serverNamed("Reading", 1), serverNamed("Chess", 2));
    home.closedRooms.set(idOf(1), { code });
    const { connect, standing, platform } = await stageServers({ [HOME]: home });
    await connect();
    expect([standing(1), standing(2)]).toEqual([expected, "joined"]);
    platform.sockets[0]?.drop();
    expect([standing(1), standing(2)]).toEqual([expected, "offline"]);
    home.closedRooms.clear();
    await platform.clock.advance(1_000);
    await calm();
    expect([standing(1), standing(2)]).toEqual(["joined", "joined"]);
  });

  it("a room that cannot be entered yet is tried again, not before its server wants it", async () => {
    const home = new ScriptedInstance(serverNamed("Reading", 1));
    home.closedRooms.set(idOf(1), { code: "RATE_LIMITED", retryAfterMs: 20_000 });
    const { connect, standing, platform, sent } = await stageServers({ [HOME]: home });
    await connect();
    home.closedRooms.clear();
    await platform.clock.advance(19_000);
    expect([standing(1), sent(HOME, "join_server").length]).toEqual(["joining", 1]);
    await platform.clock.advance(1_500);
    await calm();
    expect([standing(1), sent(HOME, "join_server").length]).toEqual(["joined", 2]);
  });
});
