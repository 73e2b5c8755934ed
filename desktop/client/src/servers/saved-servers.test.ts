import { describe, expect, it } from "@jest/globals";
import { ClientProblem } from "@hearth/device";
import { calm, savedRoom, signedIn, stageServers } from "./testing/servers-stage.ts";
import { AWAY, HOME, idOf, ScriptedInstance, serverNamed } from "./testing/scripted-instance.ts";

describe("saved servers at the start", () => {
  it("are shown from the store before any instance was asked, and offline too", async () => {
    const { servers, store, platform, names, joinState } = await stageServers({});
    await store.saveRooms([
      savedRoom("Reading", 1),
      savedRoom("Cooking", 2, AWAY),
      { ...savedRoom("Grace", 3), kind: "direct" },
    ]);
    expect(servers.state.getState().phase).toBe("loading");
    await servers.start();
    expect(servers.state.getState().phase).toBe("ready");
    expect(names()).toEqual(["Cooking", "Reading"]);
    expect([joinState(1), joinState(2)]).toEqual(["needs-sign-in", "needs-sign-in"]);
    expect([platform.sockets.length, platform.network.requests.length]).toEqual([0, 0]);
  });

  it("disappear with a removed instance, and return with it", async () => {
    const { servers, accounts, store, names } = await stageServers({}, [HOME, AWAY]);
    await store.saveRooms([savedRoom("Reading", 1), savedRoom("Cooking", 2, AWAY)]);
    await servers.start();
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

  it("are offline until their instance is connected", async () => {
    const { servers, store, joinState } = await stageServers({}, [HOME]);
    await store.saveRooms([savedRoom("Reading", 1), savedRoom("Cooking", 2, AWAY)]);
    await servers.start();
    expect([joinState(1), joinState(2)]).toEqual(["offline", "needs-sign-in"]);
  });

  it("are read again when an instance is online, if the first read failed", async () => {
    const home = new ScriptedInstance(serverNamed("Reading", 1));
    const { servers, store, connect, dial, names, joinState } = await stageServers({ [HOME]: home });
    await store.saveRooms([savedRoom("Reading", 1)]);
    const rooms = store.rooms.bind(store);
    store.rooms = async () => {
      throw new ClientProblem("STORAGE_FAILED");
    };
    await expect(connect()).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    expect(servers.state.getState().phase).toBe("loading");
    store.rooms = rooms;
    await dial();
    expect([servers.state.getState().phase, names(), joinState(1)]).toEqual(["ready", ["Reading"], "joined"]);
  });
});
