import { describe, expect, it } from "@jest/globals";
import { ClientProblem } from "@hearth/device";
import { calm, savedRoom, stageHome, stageServers } from "./testing/servers-stage.ts";
import { ACTORS, AWAY, HOME, idOf, OTHER, ScriptedInstance, serverNamed } from "./testing/scripted-instance.ts";

describe("rooms on another server", () => {
  it("are joined with the account there, once, where a sibling saved them and this account is no member", async () => {
    const away = new ScriptedInstance();
    away.open.push(serverNamed("Cooking", 2));
    const { store, connect, standing, accounts, lost, reconnect } = await stageServers({
      [HOME]: new ScriptedInstance(),
      [AWAY]: away,
    });
    await store.saveRooms([savedRoom("Cooking", 2, AWAY, { actorUserId: ACTORS[HOME] ?? "" })]);
    await connect();
    expect([standing(2), accounts.ensured]).toEqual(["joined", [AWAY]]);
    expect((await store.room(idOf(2)))?.actorUserId).toBe(ACTORS[AWAY]);
    // Somebody removed us while we were away; coming back uninvited would be rude.
    away.mine.length = 0;
    await reconnect(AWAY);
    expect([standing(2), lost]).toEqual(["needs-invite", []]);
    expect(away.asked.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  it.each([
    ["BANNED", "banned"],
    ["NOT_FOUND", "gone"],
    ["ACCESS_DENIED", "needs-invite"],
  ] as const)("stay in the rail when joining them is refused with %s, as %s", async (code, expected) => {
    const away = new ScriptedInstance();
    away.refuse("POST", /join$/, code, 9);
    const { store, connect, standing, lost, sent } = await stageServers({ [AWAY]: away });
    await store.saveRooms([savedRoom("Cooking", 2, AWAY)]);
    await connect();
    expect([standing(2), lost, sent(AWAY, "join_server")]).toEqual([expected, [], []]);
  });

  it("are tried again after trouble", async () => {
    const away = new ScriptedInstance();
    away.open.push(serverNamed("Cooking", 2));
    away.refuse("POST", /join$/, "TIMEOUT");
    const { store, connect, standing, platform } = await stageServers({ [AWAY]: away });
    await store.saveRooms([savedRoom("Cooking", 2, AWAY)]);
    await connect();
    expect(standing(2)).toBe("joining");
    await platform.clock.advance(1_000);
    await calm();
    expect(standing(2)).toBe("joined");
  });

  it("CL3 no server has a say about the rooms of another", async () => {
    const away = new ScriptedInstance(serverNamed("Stolen", 1));
    const home = new ScriptedInstance(serverNamed("Reading", 1));
    const { connect, places: servers, say, lost, names, store, place } = await stageServers({
      [HOME]: home,
      [AWAY]: away,
    });
    await store.saveRooms([savedRoom("Reading", 1)]);
    await connect();
    say(AWAY, { type: "removed_from_server", serverId: idOf(1), reason: "banned" });
    say(AWAY, { type: "server_updated", server: serverNamed("Stolen", 1, { version: 99 }) });
    say(AWAY, { type: "user_left", serverId: idOf(1), oderId: OTHER });
    say(AWAY, { type: "server_joined", serverId: idOf(1), users: [], channels: [] });
    await expect(servers.join(AWAY, idOf(1))).rejects.toMatchObject({ code: "BAD_ANSWER" });
    await calm();
    expect([names(), lost]).toEqual([["Reading"], []]);
    const reading = place(1);
    expect([reading?.room.signalServerUrl, reading?.room.actorUserId, reading?.present.size]).toEqual([
      HOME,
      ACTORS[HOME],
      1,
    ]);
  });

  it("CL3 a server that claims a room of home before home does gets it taken away again", async () => {
    const home = new ScriptedInstance();
    const claim = serverNamed("Stolen", 1, { version: 99, updatedAt: Date.UTC(2030, 0, 1) });
    const { connect, places: servers, names, store, reconnect } = await stageServers({
      [HOME]: home,
      [AWAY]: new ScriptedInstance(claim),
    });
    await connect();
    expect(names()).toEqual(["Stolen"]);
    home.mine.push(serverNamed("Reading", 1));
    await reconnect(HOME);
    expect(names()).toEqual(["Reading"]);
    expect(await store.room(idOf(1))).toMatchObject({ signalServerUrl: HOME, actorUserId: ACTORS[HOME] });
    await servers.update(idOf(1), { name: "Readers" });
    expect(names()).toEqual(["Readers"]);
  });

  it("of a server that this device never met get an account there, once, when a sibling tells of them", async () => {
    const away = new ScriptedInstance();
    away.open.push(serverNamed("Cooking", 2));
    const { connect, hearOf, standing, accounts } = await stageServers(
      { [HOME]: new ScriptedInstance(), [AWAY]: away },
      [HOME],
    );
    await connect();
    await hearOf(savedRoom("Cooking", 2, AWAY));
    await calm();
    expect([standing(2), accounts.ensured[0]]).toEqual(["joined", AWAY]);
  });

  it("need a sign-in where no account can be made silently, and nobody is asked twice", async () => {
    const { accounts, hearOf, standing } = await stageHome();
    accounts.failure = new ClientProblem("NEEDS_SIGN_IN");
    await hearOf(savedRoom("Cooking", 2, AWAY));
    await hearOf(savedRoom("Sewing", 3, AWAY));
    await calm();
    expect([standing(2), standing(3), accounts.ensured]).toEqual(["needs-sign-in", "needs-sign-in", [AWAY]]);
  });
});
