import { describe, expect, it } from "@jest/globals";
import { ClientProblem } from "@hearth/device";
import { calm, savedRoom, stageHome, stageServers } from "./testing/servers-stage.ts";
import { ACTORS, AWAY, HOME, idOf, ScriptedInstance, serverNamed } from "./testing/scripted-instance.ts";

describe("the user", () => {
  it("creates a server: it is saved, joined and synced to the other devices", async () => {
    const { servers, synced, joinState, store } = await stageHome();
    const made = await servers.create(HOME, { name: "Brand new", tags: ["books"], visibility: "private" });
    expect(made).toMatchObject({ id: idOf(77), role: "owner", tags: ["books"], visibility: "private" });
    await calm();
    expect(joinState(77)).toBe("joined");
    expect(synced).toEqual([{ type: "saved-room-sync", room: await store.room(idOf(77)) }]);
  });

  it("joins a foreign server: the account there comes first, then its connection joins", async () => {
    const away = new ScriptedInstance();
    away.open.push(serverNamed("Cooking", 2));
    const { connect, servers, joinState, accounts, store } = await stageServers(
      { [HOME]: new ScriptedInstance(), [AWAY]: away },
      [HOME],
    );
    await connect();
    expect((await servers.join(AWAY, idOf(2), "abc123")).name).toBe("Cooking");
    await calm();
    expect([accounts.ensured, joinState(2)]).toEqual([[AWAY], "joined"]);
    expect((await store.room(idOf(2)))?.actorUserId).toBe(ACTORS[AWAY]);
    expect(away.asked.find(({ path }) => path.endsWith("/join"))?.body).toEqual({ inviteCode: "abc123" });
  });

  it("gets a refusal, and nothing is saved", async () => {
    const { servers, names, synced } = await stageHome();
    await expect(servers.join(HOME, idOf(2))).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    await expect(servers.join("ftp://home.example", idOf(2))).rejects.toMatchObject({
      code: "INVALID_SERVER_URL",
    });
    await expect(servers.leave(idOf(2))).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect([names(), synced]).toEqual([[], []]);
  });

  it("leaves: on the instance first, then here and on the other devices, without a notice", async () => {
    const { home, servers, names, synced, lost, say, store, platform } = await stageHome(
      serverNamed("Reading", 1),
    );
    home.refuse("POST", /leave$/, "CONFLICT");
    await expect(servers.leave(idOf(1))).rejects.toMatchObject({ code: "CONFLICT" });
    expect([names(), synced]).toEqual([["Reading"], []]);
    const leaving = servers.leave(idOf(1));
    say(HOME, { type: "removed_from_server", serverId: idOf(1), reason: "left" });
    await leaving;
    expect([names(), lost, await store.rooms()]).toEqual([[], [], []]);
    expect(synced).toEqual([{ type: "saved-room-remove", roomId: idOf(1), at: platform.now() }]);
  });

  it("rejoins a server after leaving it, even if the clocks disagree about the order", async () => {
    const { home, servers, names, platform } = await stageHome(serverNamed("Reading", 1));
    await servers.leave(idOf(1));
    home.open.push(serverNamed("Reading", 1, { joinedAt: platform.now() - 5 }));
    await servers.join(HOME, idOf(1));
    expect(names()).toEqual(["Reading"]);
  });

  it("rejoins a server before its removal was reported", async () => {
    const reading = serverNamed("Reading", 1);
    const { home, servers, names, lost, joinState, say, platform } = await stageHome(reading);
    await servers.leave(idOf(1));
    home.open.push(reading);
    home.closedRooms.set(idOf(1), { code: "RATE_LIMITED", retryAfterMs: 1_000 });
    await servers.join(HOME, idOf(1));
    say(HOME, { type: "removed_from_server", serverId: idOf(1), reason: "left" });
    await calm();
    expect([names(), lost, joinState(1)]).toEqual([["Reading"], [], "joining"]);
    home.closedRooms.clear();
    await platform.clock.advance(3_000);
    await calm();
    expect(joinState(1)).toBe("joined");
  });

  it.each(["gone", "needs-sign-in"])(
    "forgets a room that is %s without asking its server",
    async (expected) => {
      const home = new ScriptedInstance(serverNamed("Reading", 1));
      home.closedRooms.set(idOf(1), { code: "NOT_FOUND" });
      const stage = await stageServers({ [HOME]: home });
      await stage.connect();
      if (expected === "needs-sign-in") await stage.store.saveRooms([savedRoom("Cooking", 2, AWAY)]);
      if (expected === "needs-sign-in") stage.accounts.failure = new ClientProblem("NEEDS_SIGN_IN");
      await stage.servers.refresh();
      const roomId = expected === "gone" ? idOf(1) : idOf(2);
      expect(stage.servers.state.getState().servers.get(roomId)?.joinState).toBe(expected);
      await stage.servers.leave(roomId);
      expect(stage.servers.state.getState().servers.has(roomId)).toBe(false);
      expect(home.asked.every(({ method }) => method === "GET")).toBe(true);
    },
  );

  it("DI8 updates a server by the version that was read, and starts over after a conflict", async () => {
    const { home, servers, names } = await stageHome(serverNamed("Reading", 1, { role: "owner" }));
    await servers.update(idOf(1), { name: "Readers" });
    expect(names()).toEqual(["Readers"]);
    home.mine[0] = serverNamed("Somebody else's", 1, { version: 7 });
    await expect(servers.update(idOf(1), { name: "Mine" })).rejects.toMatchObject({ code: "CONFLICT" });
    expect(names()).toEqual(["Somebody else's"]);
    await servers.update(idOf(1), {
      channels: [
        { id: idOf(501), name: "lobby" },
        { name: "new", kind: "voice" },
      ],
    });
    const [, , third] = home.asked.filter(({ method }) => method === "PUT");
    expect(third?.body).toEqual({
      channels: [
        { id: idOf(501), name: "lobby" },
        { name: "new", kind: "voice" },
      ],
      version: 7,
    });
  });

  it("deletes an own server", async () => {
    const { home, servers, names, synced, lost } = await stageHome(
      serverNamed("Reading", 1, { role: "owner" }),
    );
    await servers.remove(idOf(1));
    expect([names(), lost, home.mine]).toEqual([[], [], []]);
    expect(synced).toMatchObject([{ type: "saved-room-remove", roomId: idOf(1) }]);
  });

  it("mutes a server on all devices, and a later update does not unmute it", async () => {
    const { servers, synced, say, store } = await stageHome(serverNamed("Reading", 1));
    await servers.mute(idOf(1), true);
    const muted = await store.room(idOf(1));
    expect(muted).toMatchObject({ muted: true, name: "Reading" });
    expect(synced).toEqual([{ type: "saved-room-sync", room: muted }]);
    // The instance dates the update before the muting.
    say(HOME, { type: "server_updated", server: serverNamed("Readers", 1, { version: 2 }) });
    await calm();
    expect(await store.room(idOf(1))).toMatchObject({ muted: true, name: "Readers" });
  });

  it("is away everywhere, after each identify again", async () => {
    const home = new ScriptedInstance(serverNamed("Reading", 1));
    home.present = [{ oderId: ACTORS[HOME] ?? "", displayName: "Ada", status: "online" }];
    const { connect, servers, sent, reconnect, saved } = await stageServers({ [HOME]: home });
    await connect();
    servers.setStatus("away");
    expect(servers.status.getState()).toBe("away");
    expect(sent(HOME, "status_update")).toEqual([{ type: "status_update", status: "away" }]);
    expect(saved(1)?.present.get(ACTORS[HOME] ?? "")?.status).toBe("away");
    await reconnect(HOME);
    expect(sent(HOME, "status_update")).toHaveLength(1);
  });
});
