import { describe, expect, it } from "@jest/globals";
import { calm, savedRoom, signedIn, stageHome } from "./testing/servers-stage.ts";
import { ACTORS, HOME, idOf, OTHER, serverNamed } from "./testing/scripted-instance.ts";

describe("changes of other devices", () => {
  it("show, mute and remove servers without requests", async () => {
    const { home, servers, store, names, lost, joinState, platform, saved } = await stageHome(
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
    expect([names(), joinState(4), joinState(1)]).toEqual([["Chess", "Reading"], "joined", "joined"]);
    expect(saved(1)?.room.muted).toBe(true);
    await store.removeRoom(idOf(1));
    await servers.refresh();
    expect([names(), lost]).toEqual([["Chess"], []]);
  });

  it("an approved access request joins the server at once", async () => {
    const { home, say, joinState } = await stageHome();
    const times = { createdAt: 1, decidedAt: 2, decidedBy: OTHER };
    const request = { id: idOf(800), serverId: idOf(4), displayName: "Ada", message: null, ...times };
    home.mine.push(serverNamed("Chess", 4, { visibility: "private" }));
    say(HOME, { type: "access_request", request: { ...request, userId: OTHER, status: "approved" } });
    say(HOME, { type: "access_request", request: { ...request, userId: ACTORS[HOME], status: "rejected" } });
    await calm();
    expect(joinState(4)).toBeUndefined();
    say(HOME, { type: "access_request", request: { ...request, userId: ACTORS[HOME], status: "approved" } });
    await calm();
    expect(joinState(4)).toBe("joined");
  });

  it("another account shows its own servers", async () => {
    const { home, accounts, store, names } = await stageHome(serverNamed("Reading", 1));
    accounts.state.setState({ ...signedIn(), phase: "signed-out" });
    await store.eraseAll();
    home.mine.splice(0, 1, serverNamed("Chess", 4));
    accounts.state.setState(signedIn(HOME));
    await calm();
    expect(names()).toEqual(["Chess"]);
  });

  it("are ignored after a stop", async () => {
    const { servers, say, saved } = await stageHome(serverNamed("Reading", 1));
    servers.stop();
    say(HOME, { type: "user_left", serverId: idOf(1), oderId: OTHER });
    expect(saved(1)?.present.size).toBe(1);
  });
});
