import { describe, expect, it } from "@jest/globals";
import { ClientProblem } from "@hearth/device";
import { calm, savedRoom, stageHome, stageServers } from "./testing/servers-stage.ts";
import {
  ACTORS,
  AWAY,
  HOME,
  idOf,
  OTHER,
  ScriptedInstance,
  serverNamed,
} from "./testing/scripted-instance.ts";

describe("servers on a foreign instance", () => {
  it("are joined once with the account there if another device saved them and this account is no member", async () => {
    const away = new ScriptedInstance();
    away.open.push(serverNamed("Cooking", 2));
    const { store, connect, joinState, accounts, lost, reconnect } = await stageServers({
      [HOME]: new ScriptedInstance(),
      [AWAY]: away,
    });
    await store.saveRooms([savedRoom("Cooking", 2, AWAY, { actorUserId: ACTORS[HOME] ?? "" })]);
    await connect();
    expect([joinState(2), accounts.ensured]).toEqual(["joined", [AWAY]]);
    expect((await store.room(idOf(2)))?.actorUserId).toBe(ACTORS[AWAY]);
    // A moderator removed us while we were offline. We do not rejoin.
    away.mine.length = 0;
    await reconnect(AWAY);
    expect([joinState(2), lost]).toEqual(["needs-invite", []]);
    expect(away.asked.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  it.each([
    ["BANNED", "banned"],
    ["NOT_FOUND", "gone"],
    ["ACCESS_DENIED", "needs-invite"],
  ] as const)("stay in the rail when joining them is refused with %s, as %s", async (code, expected) => {
    const away = new ScriptedInstance();
    away.refuse("POST", /join$/, code, 9);
    const { store, connect, joinState, lost, sent } = await stageServers({ [AWAY]: away });
    await store.saveRooms([savedRoom("Cooking", 2, AWAY)]);
    await connect();
    expect([joinState(2), lost, sent(AWAY, "join_server")]).toEqual([expected, [], []]);
  });

  it("are retried after a failure", async () => {
    const away = new ScriptedInstance();
    away.open.push(serverNamed("Cooking", 2));
    away.refuse("POST", /join$/, "TIMEOUT");
    const { store, connect, joinState, platform } = await stageServers({ [AWAY]: away });
    await store.saveRooms([savedRoom("Cooking", 2, AWAY)]);
    await connect();
    expect(joinState(2)).toBe("joining");
    await platform.clock.advance(1_000);
    await calm();
    expect(joinState(2)).toBe("joined");
  });

  it("CL3 an instance cannot change servers of another one", async () => {
    const away = new ScriptedInstance(serverNamed("Stolen", 1));
    const home = new ScriptedInstance(serverNamed("Reading", 1));
    const { connect, servers, say, lost, names, store, saved } = await stageServers({
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
    const reading = saved(1);
    expect([reading?.room.signalServerUrl, reading?.room.actorUserId, reading?.present.size]).toEqual([
      HOME,
      ACTORS[HOME],
      1,
    ]);
  });

  it("CL3 an instance that claims a server of home before home does loses it again", async () => {
    const home = new ScriptedInstance();
    const claim = serverNamed("Stolen", 1, { version: 99, updatedAt: Date.UTC(2030, 0, 1) });
    const { connect, servers, names, store, reconnect } = await stageServers({
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

  it("of an instance that is new to this device get an account there, once, when another device adds them", async () => {
    const away = new ScriptedInstance();
    away.open.push(serverNamed("Cooking", 2));
    const { connect, receiveRooms, joinState, accounts } = await stageServers(
      { [HOME]: new ScriptedInstance(), [AWAY]: away },
      [HOME],
    );
    await connect();
    await receiveRooms(savedRoom("Cooking", 2, AWAY));
    await calm();
    expect([joinState(2), accounts.ensured[0]]).toEqual(["joined", AWAY]);
  });

  it("need a sign-in if no account can be created silently, and nobody is asked twice", async () => {
    const { accounts, receiveRooms, joinState } = await stageHome();
    accounts.failure = new ClientProblem("NEEDS_SIGN_IN");
    await receiveRooms(savedRoom("Cooking", 2, AWAY));
    await receiveRooms(savedRoom("Sewing", 3, AWAY));
    await calm();
    expect([joinState(2), joinState(3), accounts.ensured]).toEqual([
      "needs-sign-in",
      "needs-sign-in",
      [AWAY],
    ]);
  });
});
