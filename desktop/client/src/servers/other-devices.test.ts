import { describe, expect, it } from "@jest/globals";
import { calm, savedRoom, signedIn, stageHome } from "./testing/servers-stage.ts";
import { ACTORS, HOME, idOf, OTHER, serverNamed } from "./testing/scripted-instance.ts";

describe("what other devices told", () => {
  it("shows rooms, mutes them and takes them away without a word", async () => {
    const { home, places: servers, store, names, lost, standing, platform, place } = await stageHome(
      serverNamed("Reading", 1),
    );
    home.mine.push(serverNamed("Chess", 4));
    const known = await store.room(idOf(1));
    if (known) await store.saveRooms([{ ...known, muted: true, updatedAt: known.updatedAt + 5 }]);
    const asked = home.asked.length;
    await store.saveRooms([savedRoom("Chess", 4)]);
    await Promise.all([servers.refresh(), servers.refresh()]);
    await platform.clock.advance(250);
    await calm();
    expect(home.asked).toHaveLength(asked + 1);
    expect([names(), standing(4), standing(1)]).toEqual([["Chess", "Reading"], "joined", "joined"]);
    expect(place(1)?.room.muted).toBe(true);
    await store.removeRoom(idOf(1));
    await servers.refresh();
    expect([names(), lost]).toEqual([["Chess"], []]);
  });

  it("a request that was approved brings the room in at once", async () => {
    const { home, say, standing } = await stageHome();
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
    const { home, accounts, store, names } = await stageHome(serverNamed("Reading", 1));
    accounts.state.setState({ ...signedIn(), phase: "signed-out" });
    await store.eraseAll();
    home.mine.splice(0, 1, serverNamed("Chess", 4));
    accounts.state.setState(signedIn(HOME));
    await calm();
    expect(names()).toEqual(["Chess"]);
  });

  it("stops following when it is told to", async () => {
    const { places: servers, say, place } = await stageHome(serverNamed("Reading", 1));
    servers.stop();
    say(HOME, { type: "user_left", serverId: idOf(1), oderId: OTHER });
    expect(place(1)?.present.size).toBe(1);
  });
});
