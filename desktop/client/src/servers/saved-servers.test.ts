import { describe, expect, it } from "@jest/globals";
import { ClientProblem } from "@hearth/device";
import { calm, savedRoom, signedIn, stageServers } from "./testing/servers-stage.ts";
import { AWAY, HOME, idOf, ScriptedInstance, serverNamed } from "./testing/scripted-instance.ts";

describe("places at the start", () => {
  it("are there from the store before any server was asked, and offline too", async () => {
    const { places: servers, store, platform, names, standing } = await stageServers({});
    await store.saveRooms([
      savedRoom("Reading", 1),
      savedRoom("Cooking", 2, AWAY),
      { ...savedRoom("Grace", 3), kind: "direct" },
    ]);
    expect(servers.state.getState().phase).toBe("loading");
    await servers.start();
    expect(servers.state.getState().phase).toBe("ready");
    expect(names()).toEqual(["Cooking", "Reading"]);
    expect([standing(1), standing(2)]).toEqual(["needs-sign-in", "needs-sign-in"]);
    expect([platform.sockets.length, platform.network.requests.length]).toEqual([0, 0]);
  });

  it("go with a server that is taken off the list, and are there again with it", async () => {
    const { places: servers, accounts, store, names } = await stageServers({}, [HOME, AWAY]);
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

  it("wait as offline for a server with an account", async () => {
    const { places: servers, store, standing } = await stageServers({}, [HOME]);
    await store.saveRooms([savedRoom("Reading", 1), savedRoom("Cooking", 2, AWAY)]);
    await servers.start();
    expect([standing(1), standing(2)]).toEqual(["offline", "needs-sign-in"]);
  });

  it("that cannot be read at first are read when a server is online", async () => {
    const home = new ScriptedInstance(serverNamed("Reading", 1));
    const { places: servers, store, connect, dial, names, standing } = await stageServers({ [HOME]: home });
    await store.saveRooms([savedRoom("Reading", 1)]);
    const rooms = store.rooms.bind(store);
    store.rooms = async () => {
      throw new ClientProblem("STORAGE_FAILED");
    };
    await expect(connect()).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    expect(servers.state.getState().phase).toBe("loading");
    store.rooms = rooms;
    await dial();
    expect([servers.state.getState().phase, names(), standing(1)]).toEqual(["ready", ["Reading"], "joined"]);
  });
});
