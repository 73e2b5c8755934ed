import { describe, expect, it } from "@jest/globals";
import { calm, savedRoom, stageServers } from "./testing/servers-stage.ts";
import { HOME, idOf, ScriptedInstance, serverNamed } from "./testing/scripted-instance.ts";

async function stage(home: ScriptedInstance) {
  const staged = await stageServers({ [HOME]: home });
  await staged.store.saveRooms([savedRoom("Reading", 1), savedRoom("Cooking", 2)]);
  const { platform } = staged;
  const again = async (): Promise<void> => {
    platform.sockets.at(-1)?.drop();
    await platform.clock.advance(10_000);
    await calm();
  };
  return { ...staged, again };
}

const joins = (home: ScriptedInstance): number => home.asked.filter(({ method }) => method === "POST").length;

describe("a room that home's list lacks", () => {
  it("stays with its history, as gone, while home does not know it, and is back when home does", async () => {
    const home = new ScriptedInstance(serverNamed("Reading", 1));
    const { connect, names, lost, standing, store, sent, again } = await stage(home);
    await connect();
    expect([names(), standing(1), standing(2), lost]).toEqual([["Cooking", "Reading"], "joined", "gone", []]);
    expect(await store.room(idOf(2))).toMatchObject({ name: "Cooking" });
    expect(await store.removals()).toEqual([]);
    expect(sent(HOME, "join_server").map(({ serverId }) => serverId)).toEqual([idOf(1)]);
    await again();
    expect([standing(2), lost]).toEqual(["gone", []]);
    home.mine.push(serverNamed("Cooking", 2));
    await again();
    expect([standing(2), lost]).toEqual(["joined", []]);
  });

  it("is entered as ever where home counts us among its members", async () => {
    const home = new ScriptedInstance(serverNamed("Reading", 1), serverNamed("Cooking", 2));
    home.unlisted.add(idOf(2));
    const { connect, lost, standing } = await stage(home);
    await connect();
    expect([standing(2), lost]).toEqual(["joined", []]);
  });

  it("is lost on home's plain word that we are no member, and is not joined again unasked", async () => {
    const home = new ScriptedInstance(serverNamed("Reading", 1));
    home.open.push(serverNamed("Cooking", 2));
    const { connect, names, lost, sent, store } = await stage(home);
    await connect();
    expect(names()).toEqual(["Reading"]);
    expect(await store.room(idOf(2))).toBeUndefined();
    expect(lost).toEqual([{ roomId: idOf(2), name: "Cooking", reason: "removed" }]);
    expect(joins(home)).toBe(0);
    expect(sent(HOME, "join_server").map(({ serverId }) => serverId)).toEqual([idOf(1)]);
  });

  it("waits while the question about it meets trouble, and keeps no other room waiting", async () => {
    const home = new ScriptedInstance(serverNamed("Reading", 1));
    home.refuse("GET", /members/, "UNAVAILABLE", 2);
    const { connect, lost, standing, platform, sent } = await stage(home);
    await connect();
    expect([standing(1), standing(2), lost]).toEqual(["joined", "joining", []]);
    expect(sent(HOME, "join_server").map(({ serverId }) => serverId)).toEqual([idOf(1)]);
    await platform.clock.advance(5_000);
    await calm();
    expect([standing(2), lost]).toEqual(["gone", []]);
  });

  it("goes at once when it was left there by the person, as gone as it is", async () => {
    const home = new ScriptedInstance(serverNamed("Reading", 1));
    const { connect, names, places: servers, told, lost } = await stage(home);
    await connect();
    await servers.leave(idOf(2));
    expect([names(), lost, joins(home)]).toEqual([["Reading"], [], 0]);
    expect(told).toMatchObject([{ type: "saved-room-remove", roomId: idOf(2) }]);
  });

  it("that we join while home is asked about it is not lost over the older answer", async () => {
    const home = new ScriptedInstance(serverNamed("Reading", 1));
    home.open.push(serverNamed("Cooking", 2));
    const { connect, lost, standing, places: servers, again } = await stage(home);
    home.beforeMembers = async () => {
      home.beforeMembers = null;
      await servers.join(HOME, idOf(2));
    };
    await connect();
    expect([standing(2), lost]).toEqual(["joined", []]);
    await again();
    expect([standing(2), lost]).toEqual(["joined", []]);
  });
});
