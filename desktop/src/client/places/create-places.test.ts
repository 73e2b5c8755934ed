import { describe, expect, it } from "@jest/globals";
import type { DeviceRoom } from "../../device/records.ts";
import { ClientProblem } from "../problem.ts";
import { until } from "../testing/fake-clock.ts";
import { roomAfter } from "./room-record.ts";
import {
  ACTORS,
  AWAY,
  calm,
  HOME,
  idOf,
  OTHER,
  ScriptedPlaces,
  serverNamed,
  signedIn,
  stagePlaces,
} from "./testing/scripted-places.ts";

const room = (name: string, number: number, url = HOME, more: Partial<DeviceRoom> = {}): DeviceRoom => ({
  ...roomAfter(undefined, serverNamed(name, number), {
    signalServerUrl: url,
    actorUserId: ACTORS[url] ?? "",
  }),
  ...more,
});

describe("places at the start", () => {
  it("are there from the store before any server was asked, and offline too", async () => {
    const { places, store, platform, names, standing } = await stagePlaces({});
    await store.saveRooms([
      room("Reading", 1),
      room("Cooking", 2, AWAY),
      { ...room("Grace", 3), kind: "direct" },
    ]);
    expect(places.state.getState().phase).toBe("loading");
    await places.start();
    expect(places.state.getState().phase).toBe("ready");
    expect(names()).toEqual(["Cooking", "Reading"]);
    expect([standing(1), standing(2)]).toEqual(["needs-sign-in", "needs-sign-in"]);
    expect([platform.sockets.length, platform.network.requests.length]).toEqual([0, 0]);
  });

  it("go with a server that is taken off the list, and are there again with it", async () => {
    const { places, accounts, store, names } = await stagePlaces({}, [HOME, AWAY]);
    await store.saveRooms([room("Reading", 1), room("Cooking", 2, AWAY)]);
    await places.start();
    accounts.forgotten.add(AWAY);
    accounts.state.setState(signedIn(HOME));
    await calm();
    expect(names()).toEqual(["Reading"]);
    expect(accounts.ensured).toEqual([]);
    expect(await store.room(idOf(2))).toMatchObject({ name: "Cooking" });
    accounts.forgotten.delete(AWAY);
    accounts.state.setState(signedIn(HOME, AWAY));
    await calm();
    expect(names()).toEqual(["Cooking", "Reading"]);
  });

  it("wait as offline for a server with an account", async () => {
    const { places, store, standing } = await stagePlaces({}, [HOME]);
    await store.saveRooms([room("Reading", 1), room("Cooking", 2, AWAY)]);
    await places.start();
    expect([standing(1), standing(2)]).toEqual(["offline", "needs-sign-in"]);
  });

  it("that cannot be read at first are read when a server is online", async () => {
    const home = new ScriptedPlaces(serverNamed("Reading", 1));
    const { places, store, connect, dial, names, standing } = await stagePlaces({ [HOME]: home });
    await store.saveRooms([room("Reading", 1)]);
    const rooms = store.rooms.bind(store);
    store.rooms = async () => {
      throw new ClientProblem("STORAGE_FAILED");
    };
    await expect(connect()).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    expect(places.state.getState().phase).toBe("loading");
    store.rooms = rooms;
    await dial();
    expect([places.state.getState().phase, names(), standing(1)]).toEqual(["ready", ["Reading"], "joined"]);
  });
});

describe("what the home server says", () => {
  it("is the truth: what is new is saved, where we are no member is lost, and every room is entered", async () => {
    const home = new ScriptedPlaces(serverNamed("Reading", 1), serverNamed("Chess", 4));
    home.open.push(serverNamed("Cooking", 2));
    const { store, connect, names, lost, standing, places, sent } = await stagePlaces({ [HOME]: home });
    await store.saveRooms([room("Reading", 1, HOME, { muted: true }), room("Cooking", 2)]);
    await connect();
    expect(names()).toEqual(["Chess", "Reading"]);
    expect((await store.rooms()).map(({ name, muted }) => [name, muted])).toEqual([
      ["Chess", false],
      ["Reading", true],
    ]);
    expect(lost).toEqual([{ roomId: idOf(2), name: "Cooking", reason: "removed" }]);
    expect([standing(1), standing(4)]).toEqual(["joined", "joined"]);
    expect(sent(HOME, "join_server").map(({ serverId }) => serverId)).toEqual([idOf(1), idOf(4)]);
    expect(places.state.getState().places.get(idOf(1))?.present.get(OTHER)?.displayName).toBe("Grace");
  });

  it("is read on all pages", async () => {
    const all = Array.from({ length: 230 }, (_, index) => serverNamed(`Room ${index}`, index + 1));
    const { connect, names, standing, platform } = await stagePlaces({ [HOME]: new ScriptedPlaces(...all) });
    await connect();
    await until(() => names().length === 230);
    // More than the server would take at once.
    expect([standing(1), standing(230)]).toEqual(["joined", "joining"]);
    await platform.clock.advance(2_000);
    expect([standing(1), standing(230)]).toEqual(["joined", "joined"]);
  });

  it("is asked again while there is trouble; nothing is lost over it, and no room is entered unasked", async () => {
    const home = new ScriptedPlaces(serverNamed("Reading", 1));
    home.open.push(serverNamed("Cooking", 2));
    home.refuse("GET", /mine/, "UNAVAILABLE", 2);
    const { store, connect, names, lost, standing, platform, sent } = await stagePlaces({ [HOME]: home });
    await store.saveRooms([room("Reading", 1), room("Cooking", 2)]);
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
    const home = new ScriptedPlaces();
    const { connect, places, names, lost, platform, standing } = await stagePlaces({ [HOME]: home });
    await connect();
    home.beforeMine = async () => {
      home.beforeMine = null;
      await places.create(HOME, { name: "Brand new" });
    };
    platform.sockets[0]?.drop();
    await platform.clock.advance(1_000);
    await calm();
    expect([names(), lost, standing(77)]).toEqual([["Brand new"], [], "joined"]);
  });

  it("does not take away what another device told of while it was being said", async () => {
    const home = new ScriptedPlaces();
    const { connect, places, store, names, lost, platform, standing } = await stagePlaces({ [HOME]: home });
    await connect();
    home.beforeMine = async () => {
      home.beforeMine = null;
      home.mine.push(serverNamed("Chess", 4));
      await store.saveRooms([room("Chess", 4)]);
      await places.refresh();
    };
    platform.sockets[0]?.drop();
    await platform.clock.advance(1_000);
    await calm();
    expect([names(), lost]).toEqual([["Chess"], []]);
    await platform.clock.advance(250);
    await calm();
    expect([names(), lost, standing(4)]).toEqual([["Chess"], [], "joined"]);
  });

  it("WS8 is followed into every room again after each identify, and nobody is present in between", async () => {
    const home = new ScriptedPlaces(serverNamed("Reading", 1));
    const { connect, places, platform, standing, sent } = await stagePlaces({ [HOME]: home });
    await connect();
    platform.sockets[0]?.drop();
    expect([standing(1), places.state.getState().places.get(idOf(1))?.present.size]).toEqual(["offline", 0]);
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
    const home = new ScriptedPlaces(serverNamed("Reading", 1), serverNamed("Chess", 2));
    home.closedRooms.set(idOf(1), { code });
    const { connect, standing, platform } = await stagePlaces({ [HOME]: home });
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
    const home = new ScriptedPlaces(serverNamed("Reading", 1));
    home.closedRooms.set(idOf(1), { code: "RATE_LIMITED", retryAfterMs: 20_000 });
    const { connect, standing, platform, sent } = await stagePlaces({ [HOME]: home });
    await connect();
    home.closedRooms.clear();
    await platform.clock.advance(19_000);
    expect([standing(1), sent(HOME, "join_server").length]).toEqual(["joining", 1]);
    await platform.clock.advance(1_500);
    await calm();
    expect([standing(1), sent(HOME, "join_server").length]).toEqual(["joined", 2]);
  });
});

describe("rooms on another server", () => {
  it("are joined with the account there, once, where a sibling saved them and this account is no member", async () => {
    const away = new ScriptedPlaces();
    away.open.push(serverNamed("Cooking", 2));
    const { store, connect, standing, accounts, platform, lost } = await stagePlaces({
      [HOME]: new ScriptedPlaces(),
      [AWAY]: away,
    });
    await store.saveRooms([room("Cooking", 2, AWAY, { actorUserId: ACTORS[HOME] ?? "" })]);
    await connect();
    expect([standing(2), accounts.ensured]).toEqual(["joined", [AWAY]]);
    expect((await store.room(idOf(2)))?.actorUserId).toBe(ACTORS[AWAY]);
    // Somebody removed us while we were away; coming back uninvited would be rude.
    away.mine.length = 0;
    platform.sockets.findLast(({ url }) => url.includes("away"))?.drop();
    await platform.clock.advance(1_000);
    await calm();
    expect([standing(2), lost]).toEqual(["needs-invite", []]);
    expect(away.asked.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  it.each([
    ["BANNED", "banned"],
    ["NOT_FOUND", "gone"],
    ["ACCESS_DENIED", "needs-invite"],
  ] as const)("stay in the rail when joining them is refused with %s, as %s", async (code, expected) => {
    const away = new ScriptedPlaces();
    away.refuse("POST", /join$/, code, 9);
    const { store, connect, standing, lost, sent } = await stagePlaces({ [AWAY]: away });
    await store.saveRooms([room("Cooking", 2, AWAY)]);
    await connect();
    expect([standing(2), lost, sent(AWAY, "join_server")]).toEqual([expected, [], []]);
  });

  it("are tried again after trouble", async () => {
    const away = new ScriptedPlaces();
    away.open.push(serverNamed("Cooking", 2));
    away.refuse("POST", /join$/, "TIMEOUT");
    const { store, connect, standing, platform } = await stagePlaces({ [AWAY]: away });
    await store.saveRooms([room("Cooking", 2, AWAY)]);
    await connect();
    expect(standing(2)).toBe("joining");
    await platform.clock.advance(1_000);
    await calm();
    expect(standing(2)).toBe("joined");
  });

  it("CL3 no server has a say about the rooms of another", async () => {
    const away = new ScriptedPlaces(serverNamed("Stolen", 1));
    const home = new ScriptedPlaces(serverNamed("Reading", 1));
    const { connect, places, say, lost, names, store } = await stagePlaces({ [HOME]: home, [AWAY]: away });
    await store.saveRooms([room("Reading", 1)]);
    await connect();
    say(AWAY, { type: "removed_from_server", serverId: idOf(1), reason: "banned" });
    say(AWAY, { type: "server_updated", server: serverNamed("Stolen", 1, { version: 99 }) });
    say(AWAY, { type: "user_left", serverId: idOf(1), oderId: OTHER });
    say(AWAY, { type: "server_joined", serverId: idOf(1), users: [], channels: [] });
    await expect(places.join(AWAY, idOf(1))).rejects.toMatchObject({ code: "BAD_ANSWER" });
    await calm();
    expect([names(), lost]).toEqual([["Reading"], []]);
    const place = places.state.getState().places.get(idOf(1));
    expect([place?.room.signalServerUrl, place?.room.actorUserId, place?.present.size]).toEqual([
      HOME,
      ACTORS[HOME],
      1,
    ]);
  });

  it("CL3 a server that claims a room of home before home does gets it taken away again", async () => {
    const home = new ScriptedPlaces();
    const claim = serverNamed("Stolen", 1, { version: 99, updatedAt: Date.UTC(2030, 0, 1) });
    const { connect, places, platform, names, store } = await stagePlaces({
      [HOME]: home,
      [AWAY]: new ScriptedPlaces(claim),
    });
    await connect();
    expect(names()).toEqual(["Stolen"]);
    home.mine.push(serverNamed("Reading", 1));
    platform.sockets.find(({ url }) => url.includes("home"))?.drop();
    await platform.clock.advance(1_000);
    await calm();
    expect(names()).toEqual(["Reading"]);
    expect(await store.room(idOf(1))).toMatchObject({ signalServerUrl: HOME, actorUserId: ACTORS[HOME] });
    await places.update(idOf(1), { name: "Readers" });
    expect(names()).toEqual(["Readers"]);
  });

  it("of a server that this device never met get an account there, once, when a sibling tells of them", async () => {
    const away = new ScriptedPlaces();
    away.open.push(serverNamed("Cooking", 2));
    const stage = await stagePlaces({ [HOME]: new ScriptedPlaces(), [AWAY]: away }, [HOME]);
    await stage.connect();
    await stage.store.saveRooms([room("Cooking", 2, AWAY)]);
    await stage.places.refresh();
    await stage.platform.clock.advance(250);
    await calm();
    expect([stage.standing(2), stage.accounts.ensured[0]]).toEqual(["joined", AWAY]);
  });

  it("need a sign-in where no account can be made silently, and nobody is asked twice", async () => {
    const stage = await stagePlaces({ [HOME]: new ScriptedPlaces() });
    await stage.connect();
    stage.accounts.failure = new ClientProblem("NEEDS_SIGN_IN");
    await stage.store.saveRooms([room("Cooking", 2, AWAY)]);
    await stage.places.refresh();
    await stage.platform.clock.advance(250);
    await stage.store.saveRooms([room("Sewing", 3, AWAY)]);
    await stage.places.refresh();
    await stage.platform.clock.advance(250);
    await calm();
    expect([stage.standing(2), stage.standing(3), stage.accounts.ensured]).toEqual([
      "needs-sign-in",
      "needs-sign-in",
      [AWAY],
    ]);
  });
});

describe("news of a room", () => {
  const joinedRoom = async () => {
    const stage = await stagePlaces({ [HOME]: new ScriptedPlaces(serverNamed("Reading", 1)) });
    await stage.connect();
    const place = () => stage.places.state.getState().places.get(idOf(1));
    return { ...stage, place, present: () => [...(place()?.present.values() ?? [])] };
  };
  const stamp = { fromUserId: OTHER, fromDisplayName: "Grace", sentAt: 1 };

  it("WS8 who comes, goes, changes their name, status and voice is shown at once", async () => {
    const { say, present } = await joinedRoom();
    const user = { oderId: idOf(960), displayName: "Alan", status: "online" };
    say(HOME, { type: "user_joined", serverId: idOf(1), user });
    say(HOME, { type: "user_joined", serverId: idOf(1), user });
    say(HOME, { type: "user_updated", oderId: OTHER, displayName: "Grace H." });
    say(HOME, { type: "status_update", status: "busy", statusText: "compiling", ...stamp });
    const voice = { type: "voice_state", serverId: idOf(1), ...stamp };
    say(HOME, { ...voice, channelId: idOf(501), muted: true });
    say(HOME, { ...voice, channelId: idOf(501), deafened: true });
    const grace = { oderId: OTHER, displayName: "Grace H.", status: "busy", statusText: "compiling" };
    const inVoice = { channelId: idOf(501), muted: true, deafened: true };
    expect(present()).toEqual([{ ...grace, voice: inVoice }, user]);
    say(HOME, { ...voice, channelId: null });
    say(HOME, { type: "status_update", serverId: idOf(1), status: "online", statusText: "", ...stamp });
    say(HOME, { type: "user_left", serverId: idOf(1), oderId: user.oderId });
    say(HOME, { type: "user_left", serverId: idOf(2), oderId: OTHER });
    expect(present()).toEqual([{ oderId: OTHER, displayName: "Grace H.", status: "online" }]);
    const member = { type: "member_updated", serverId: idOf(1), userId: OTHER };
    say(HOME, { ...member, displayName: "Admiral", role: "moderator" });
    expect(present()[0]?.displayName).toBe("Admiral");
  });

  it("names, channels and our own role are stored, and an older word does not undo a newer one", async () => {
    const { say, place, store } = await joinedRoom();
    const channels = [{ id: idOf(600), name: "books", kind: "text" as const, position: 0 }];
    const updatedAt = Date.UTC(2026, 0, 5, 12);
    say(HOME, {
      type: "server_updated",
      server: serverNamed("Readers", 1, { version: 5, channels, updatedAt }),
    });
    say(HOME, { type: "server_updated", server: serverNamed("Reading", 1, { version: 4 }) });
    const member = { type: "member_updated", serverId: idOf(1), displayName: "Ada" };
    say(HOME, { ...member, userId: ACTORS[HOME], role: "moderator" });
    say(HOME, { ...member, userId: OTHER, role: "owner" });
    await calm();
    expect(place()?.room).toMatchObject({
      name: "Readers",
      channels,
      role: "moderator",
      updatedAt: updatedAt + 1,
    });
    expect(await store.room(idOf(1))).toEqual(place()?.room);
    const more = [...channels, { id: idOf(601), name: "films", kind: "voice" as const, position: 1 }];
    say(HOME, { type: "server_joined", serverId: idOf(1), users: [], channels: more });
    await calm();
    expect((await store.room(idOf(1)))?.channels).toEqual(more);
  });

  it.each(["removed", "banned", "deleted", "left"])(
    "DI7 being %s takes the room away and is told",
    async (reason) => {
      const { say, store, names, lost } = await joinedRoom();
      say(HOME, { type: "removed_from_server", serverId: idOf(1), reason });
      await calm();
      expect([names(), await store.rooms()]).toEqual([[], []]);
      expect(lost).toEqual([{ roomId: idOf(1), name: "Reading", reason }]);
    },
  );

  it("storage that fails loses no room, and the next visit tries again", async () => {
    const { say, store, names, place, platform } = await joinedRoom();
    const saveRooms = store.saveRooms.bind(store);
    store.saveRooms = async () => {
      throw new ClientProblem("STORAGE_FULL");
    };
    const updatedAt = Date.UTC(2026, 0, 5, 12);
    say(HOME, { type: "server_updated", server: serverNamed("Readers", 1, { version: 5, updatedAt }) });
    await calm();
    expect([names(), place()?.standing]).toEqual([["Reading"], "joined"]);
    store.saveRooms = saveRooms;
    say(HOME, { type: "server_updated", server: serverNamed("Readers", 1, { version: 6, updatedAt }) });
    await platform.clock.advance(1);
    await calm();
    expect(names()).toEqual(["Readers"]);
  });
});

describe("what the person does", () => {
  it("makes a server of chat: saved, entered, and told to the other devices", async () => {
    const home = new ScriptedPlaces();
    const { connect, places, told, standing, store } = await stagePlaces({ [HOME]: home });
    await connect();
    const made = await places.create(HOME, { name: "Brand new", tags: ["books"], visibility: "private" });
    expect(made).toMatchObject({ id: idOf(77), role: "owner", tags: ["books"], visibility: "private" });
    await calm();
    expect(standing(77)).toBe("joined");
    expect(told).toEqual([{ type: "saved-room-sync", room: await store.room(idOf(77)) }]);
  });

  it("joins one elsewhere: the account there comes first, and its connection brings us in", async () => {
    const away = new ScriptedPlaces();
    away.open.push(serverNamed("Cooking", 2));
    const { connect, places, standing, accounts, store } = await stagePlaces(
      { [HOME]: new ScriptedPlaces(), [AWAY]: away },
      [HOME],
    );
    await connect();
    expect((await places.join(AWAY, idOf(2), "abc123")).name).toBe("Cooking");
    await calm();
    expect([accounts.ensured, standing(2)]).toEqual([[AWAY], "joined"]);
    expect((await store.room(idOf(2)))?.actorUserId).toBe(ACTORS[AWAY]);
    expect(away.asked.find(({ path }) => path.endsWith("/join"))?.body).toEqual({ inviteCode: "abc123" });
  });

  it("hears a refusal, and nothing is saved", async () => {
    const home = new ScriptedPlaces();
    const { connect, places, names, told } = await stagePlaces({ [HOME]: home });
    await connect();
    await expect(places.join(HOME, idOf(2))).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    await expect(places.join("ftp://home.example", idOf(2))).rejects.toMatchObject({
      code: "INVALID_SERVER_URL",
    });
    await expect(places.leave(idOf(2))).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect([names(), told]).toEqual([[], []]);
  });

  it("leaves: the server first, then here and on the other devices, and it is no news", async () => {
    const home = new ScriptedPlaces(serverNamed("Reading", 1));
    const { connect, places, names, told, lost, say, store, platform } = await stagePlaces({ [HOME]: home });
    await connect();
    home.refuse("POST", /leave$/, "CONFLICT");
    await expect(places.leave(idOf(1))).rejects.toMatchObject({ code: "CONFLICT" });
    expect([names(), told]).toEqual([["Reading"], []]);
    const leaving = places.leave(idOf(1));
    say(HOME, { type: "removed_from_server", serverId: idOf(1), reason: "left" });
    await leaving;
    expect([names(), lost, await store.rooms()]).toEqual([[], [], []]);
    expect(told).toEqual([{ type: "saved-room-remove", roomId: idOf(1), at: platform.now() }]);
  });

  it("comes back to a room after having left it, even where the clocks disagree about which was first", async () => {
    const home = new ScriptedPlaces(serverNamed("Reading", 1));
    const { connect, places, names, platform } = await stagePlaces({ [HOME]: home });
    await connect();
    await places.leave(idOf(1));
    home.open.push(serverNamed("Reading", 1, { joinedAt: platform.now() - 5 }));
    await places.join(HOME, idOf(1));
    expect(names()).toEqual(["Reading"]);
  });

  it("comes back to a room before it hears that it had left", async () => {
    const reading = serverNamed("Reading", 1);
    const home = new ScriptedPlaces(reading);
    const { connect, places, names, lost, standing, say, platform } = await stagePlaces({ [HOME]: home });
    await connect();
    await places.leave(idOf(1));
    home.open.push(reading);
    home.closedRooms.set(idOf(1), { code: "RATE_LIMITED", retryAfterMs: 1_000 });
    await places.join(HOME, idOf(1));
    say(HOME, { type: "removed_from_server", serverId: idOf(1), reason: "left" });
    await calm();
    expect([names(), lost, standing(1)]).toEqual([["Reading"], [], "joining"]);
    home.closedRooms.clear();
    await platform.clock.advance(3_000);
    await calm();
    expect(standing(1)).toBe("joined");
  });

  it.each(["gone", "needs-sign-in"])(
    "forgets a room that is %s without asking its server",
    async (expected) => {
      const home = new ScriptedPlaces(serverNamed("Reading", 1));
      home.closedRooms.set(idOf(1), { code: "NOT_FOUND" });
      const stage = await stagePlaces({ [HOME]: home });
      await stage.connect();
      if (expected === "needs-sign-in") await stage.store.saveRooms([room("Cooking", 2, AWAY)]);
      if (expected === "needs-sign-in") stage.accounts.failure = new ClientProblem("NEEDS_SIGN_IN");
      await stage.places.refresh();
      const roomId = expected === "gone" ? idOf(1) : idOf(2);
      expect(stage.places.state.getState().places.get(roomId)?.standing).toBe(expected);
      await stage.places.leave(roomId);
      expect(stage.places.state.getState().places.has(roomId)).toBe(false);
      expect(home.asked.every(({ method }) => method === "GET")).toBe(true);
    },
  );

  it("DI8 changes a server of chat by the version that was read, and starts over from another's change", async () => {
    const home = new ScriptedPlaces(serverNamed("Reading", 1, { role: "owner" }));
    const { connect, places, names } = await stagePlaces({ [HOME]: home });
    await connect();
    await places.update(idOf(1), { name: "Readers" });
    expect(names()).toEqual(["Readers"]);
    home.mine[0] = serverNamed("Somebody else's", 1, { version: 7 });
    await expect(places.update(idOf(1), { name: "Mine" })).rejects.toMatchObject({ code: "CONFLICT" });
    expect(names()).toEqual(["Somebody else's"]);
    await places.update(idOf(1), {
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

  it("deletes one of theirs", async () => {
    const home = new ScriptedPlaces(serverNamed("Reading", 1, { role: "owner" }));
    const { connect, places, names, told, lost } = await stagePlaces({ [HOME]: home });
    await connect();
    await places.remove(idOf(1));
    expect([names(), lost, home.mine]).toEqual([[], [], []]);
    expect(told).toMatchObject([{ type: "saved-room-remove", roomId: idOf(1) }]);
  });

  it("mutes a room on all devices, and later news of the room does not unmute it", async () => {
    const home = new ScriptedPlaces(serverNamed("Reading", 1));
    const { connect, places, told, say, store } = await stagePlaces({ [HOME]: home });
    await connect();
    await places.mute(idOf(1), true);
    const muted = await store.room(idOf(1));
    expect(muted).toMatchObject({ muted: true, name: "Reading" });
    expect(told).toEqual([{ type: "saved-room-sync", room: muted }]);
    // Its server dates the change before the muting.
    say(HOME, { type: "server_updated", server: serverNamed("Readers", 1, { version: 2 }) });
    await calm();
    expect(await store.room(idOf(1))).toMatchObject({ muted: true, name: "Readers" });
  });

  it("is away everywhere, after each identify anew", async () => {
    const home = new ScriptedPlaces(serverNamed("Reading", 1));
    home.present = [{ oderId: ACTORS[HOME] ?? "", displayName: "Ada", status: "online" }];
    const { connect, places, sent, platform } = await stagePlaces({ [HOME]: home });
    await connect();
    places.setStatus("away");
    expect(places.status.getState()).toBe("away");
    expect(sent(HOME, "status_update")).toEqual([{ type: "status_update", status: "away" }]);
    expect(
      places.state
        .getState()
        .places.get(idOf(1))
        ?.present.get(ACTORS[HOME] ?? "")?.status,
    ).toBe("away");
    platform.sockets[0]?.drop();
    await platform.clock.advance(1_000);
    await calm();
    expect(sent(HOME, "status_update")).toHaveLength(1);
  });
});

describe("what other devices told", () => {
  it("shows rooms, mutes them and takes them away without a word", async () => {
    const home = new ScriptedPlaces(serverNamed("Reading", 1));
    const { connect, places, store, names, lost, standing, platform } = await stagePlaces({ [HOME]: home });
    await connect();
    home.mine.push(serverNamed("Chess", 4));
    const known = await store.room(idOf(1));
    if (known) await store.saveRooms([{ ...known, muted: true, updatedAt: known.updatedAt + 5 }]);
    const asked = home.asked.length;
    await store.saveRooms([room("Chess", 4)]);
    await Promise.all([places.refresh(), places.refresh()]);
    await platform.clock.advance(250);
    await calm();
    expect(home.asked).toHaveLength(asked + 1);
    expect([names(), standing(4), standing(1)]).toEqual([["Chess", "Reading"], "joined", "joined"]);
    expect(places.state.getState().places.get(idOf(1))?.room.muted).toBe(true);
    await store.removeRoom(idOf(1));
    await places.refresh();
    expect([names(), lost]).toEqual([["Chess"], []]);
  });

  it("a request that was approved brings the room in at once", async () => {
    const home = new ScriptedPlaces();
    const { connect, say, standing } = await stagePlaces({ [HOME]: home });
    await connect();
    const times = { createdAt: 1, decidedAt: 2, decidedBy: OTHER };
    const request = { id: idOf(800), serverId: idOf(4), displayName: "Ada", message: null, ...times };
    home.mine.push(serverNamed("Chess", 4, { visibility: "private" }));
    say(HOME, { type: "access_request", request: { ...request, userId: OTHER, status: "approved" } });
    say(HOME, { type: "access_request", request: { ...request, userId: ACTORS[HOME], status: "rejected" } });
    await calm();
    expect(standing(4)).toBeUndefined();
    say(HOME, { type: "access_request", request: { ...request, userId: ACTORS[HOME], status: "approved" } });
    await calm();
    expect(standing(4)).toBe("joined");
  });

  it("another person's sign-in shows their rooms", async () => {
    const home = new ScriptedPlaces(serverNamed("Reading", 1));
    const { connect, accounts, store, names } = await stagePlaces({ [HOME]: home });
    await connect();
    accounts.state.setState({ ...signedIn(), phase: "signed-out" });
    await store.eraseAll();
    home.mine.splice(0, 1, serverNamed("Chess", 4));
    accounts.state.setState(signedIn(HOME));
    await calm();
    expect(names()).toEqual(["Chess"]);
  });

  it("stops following when it is told to", async () => {
    const home = new ScriptedPlaces(serverNamed("Reading", 1));
    const { connect, places, say } = await stagePlaces({ [HOME]: home });
    await connect();
    places.stop();
    say(HOME, { type: "user_left", serverId: idOf(1), oderId: OTHER });
    expect(places.state.getState().places.get(idOf(1))?.present.size).toBe(1);
  });
});
