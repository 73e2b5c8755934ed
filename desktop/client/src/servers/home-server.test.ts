import { describe, expect, it } from "@jest/globals";
import { until } from "../testing/fake-clock.ts";
import { calm, savedRoom, stageHome, stageServers } from "./testing/servers-stage.ts";
import { HOME, idOf, OTHER, ScriptedInstance, serverNamed } from "./testing/scripted-instance.ts";

describe("the home instance's list", () => {
  it("decides: new servers are saved, servers without membership are lost, and every server is joined", async () => {
    const home = new ScriptedInstance(serverNamed("Reading", 1), serverNamed("Chess", 4));
    home.open.push(serverNamed("Cooking", 2));
    const { store, connect, names, lost, joinState, sent, saved } = await stageServers({ [HOME]: home });
    await store.saveRooms([savedRoom("Reading", 1, HOME, { muted: true }), savedRoom("Cooking", 2)]);
    await connect();
    expect(names()).toEqual(["Chess", "Reading"]);
    expect((await store.rooms()).map(({ name, muted }) => [name, muted])).toEqual([
      ["Chess", false],
      ["Reading", true],
    ]);
    expect(lost).toEqual([{ roomId: idOf(2), name: "Cooking", reason: "removed" }]);
    expect([joinState(1), joinState(4)]).toEqual(["joined", "joined"]);
    expect(sent(HOME, "join_server").map(({ serverId }) => serverId)).toEqual([idOf(1), idOf(4)]);
    expect(saved(1)?.present.get(OTHER)?.displayName).toBe("Grace");
  });

  it("is read to its last page", async () => {
    const all = Array.from({ length: 230 }, (_, index) => serverNamed(`Room ${index}`, index + 1));
    const { names, joinState, platform } = await stageHome(...all);
    await until(() => names().length === 230);
    // More than one page.
    expect([joinState(1), joinState(230)]).toEqual(["joined", "joining"]);
    await platform.clock.advance(2_000);
    expect([joinState(1), joinState(230)]).toEqual(["joined", "joined"]);
  });

  it("is read again after a failure; nothing is lost and nothing is joined until then", async () => {
    const home = new ScriptedInstance(serverNamed("Reading", 1));
    home.open.push(serverNamed("Cooking", 2));
    home.refuse("GET", /mine/, "UNAVAILABLE", 2);
    const { store, connect, names, lost, joinState, platform, sent } = await stageServers({ [HOME]: home });
    await store.saveRooms([savedRoom("Reading", 1), savedRoom("Cooking", 2)]);
    await connect();
    expect([names(), joinState(1), sent(HOME, "join_server")]).toEqual([
      ["Cooking", "Reading"],
      "joining",
      [],
    ]);
    await platform.clock.advance(3_000);
    await calm();
    expect([names(), lost.length, joinState(1)]).toEqual([["Reading"], 1, "joined"]);
  });

  it("does not remove what was created or joined while it was read", async () => {
    const { home, servers, names, lost, joinState, reconnect } = await stageHome();
    home.beforeMine = async () => {
      home.beforeMine = null;
      await servers.create(HOME, { name: "Brand new" });
    };
    await reconnect(HOME);
    expect([names(), lost, joinState(77)]).toEqual([["Brand new"], [], "joined"]);
  });

  it("does not remove what another device added while it was read", async () => {
    const { home, servers, store, names, lost, platform, joinState, reconnect } = await stageHome();
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
    expect([names(), lost, joinState(4)]).toEqual([["Chess"], [], "joined"]);
  });

  it("WS8 leads to a join of every server after each identify, and nobody is present in between", async () => {
    const { platform, joinState, sent, saved } = await stageHome(serverNamed("Reading", 1));
    platform.sockets[0]?.drop();
    expect([joinState(1), saved(1)?.present.size]).toEqual(["offline", 0]);
    await platform.clock.advance(1_000);
    await calm();
    expect([platform.sockets.length, joinState(1)]).toEqual([2, "joined"]);
    expect(sent(HOME, "join_server")).toHaveLength(1);
  });

  it.each([
    ["BANNED", "banned"],
    ["NOT_FOUND", "gone"],
    ["ACCESS_DENIED", "needs-invite"],
  ] as const)("a server that refuses the join with %s is %s, also while offline", async (code, expected) => {
    const home = new ScriptedInstance(serverNamed("Reading", 1), serverNamed("Chess", 2));
    home.closedRooms.set(idOf(1), { code });
    const { connect, joinState, platform } = await stageServers({ [HOME]: home });
    await connect();
    expect([joinState(1), joinState(2)]).toEqual([expected, "joined"]);
    platform.sockets[0]?.drop();
    expect([joinState(1), joinState(2)]).toEqual([expected, "offline"]);
    home.closedRooms.clear();
    await platform.clock.advance(1_000);
    await calm();
    expect([joinState(1), joinState(2)]).toEqual(["joined", "joined"]);
  });

  it("a failed join is retried, after the delay that the instance asks for", async () => {
    const home = new ScriptedInstance(serverNamed("Reading", 1));
    home.closedRooms.set(idOf(1), { code: "RATE_LIMITED", retryAfterMs: 20_000 });
    const { connect, joinState, platform, sent } = await stageServers({ [HOME]: home });
    await connect();
    home.closedRooms.clear();
    await platform.clock.advance(19_000);
    expect([joinState(1), sent(HOME, "join_server").length]).toEqual(["joining", 1]);
    await platform.clock.advance(1_500);
    await calm();
    expect([joinState(1), sent(HOME, "join_server").length]).toEqual(["joined", 2]);
  });
});
