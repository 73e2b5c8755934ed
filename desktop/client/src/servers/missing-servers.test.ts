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

describe("a server missing from home's list", () => {
  it("stays with its history, as gone, while home does not know it, and returns with home's record", async () => {
    const home = new ScriptedInstance(serverNamed("Reading", 1));
    const { connect, names, lost, joinState, store, sent, again } = await stage(home);
    await connect();
    expect([names(), joinState(1), joinState(2), lost]).toEqual([
      ["Cooking", "Reading"],
      "joined",
      "gone",
      [],
    ]);
    expect(await store.room(idOf(2))).toMatchObject({ name: "Cooking" });
    expect(await store.removals()).toEqual([]);
    expect(sent(HOME, "join_server").map(({ serverId }) => serverId)).toEqual([idOf(1)]);
    await again();
    expect([joinState(2), lost]).toEqual(["gone", []]);
    home.mine.push(serverNamed("Cooking", 2));
    await again();
    expect([joinState(2), lost]).toEqual(["joined", []]);
  });

  it("is joined as usual if home counts us as a member", async () => {
    const home = new ScriptedInstance(serverNamed("Reading", 1), serverNamed("Cooking", 2));
    home.unlisted.add(idOf(2));
    const { connect, lost, joinState } = await stage(home);
    await connect();
    expect([joinState(2), lost]).toEqual(["joined", []]);
  });

  it("is lost if home says that we are no member, and is not joined again", async () => {
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

  it("waits while the membership check fails, without blocking other servers", async () => {
    const home = new ScriptedInstance(serverNamed("Reading", 1));
    home.refuse("GET", /members/, "UNAVAILABLE", 2);
    const { connect, lost, joinState, platform, sent } = await stage(home);
    await connect();
    expect([joinState(1), joinState(2), lost]).toEqual(["joined", "joining", []]);
    expect(sent(HOME, "join_server").map(({ serverId }) => serverId)).toEqual([idOf(1)]);
    await platform.clock.advance(5_000);
    await calm();
    expect([joinState(2), lost]).toEqual(["gone", []]);
  });

  it("disappears at once when the user leaves it, although it is gone", async () => {
    const home = new ScriptedInstance(serverNamed("Reading", 1));
    const { connect, names, servers, synced, lost } = await stage(home);
    await connect();
    await servers.leave(idOf(2));
    expect([names(), lost, joins(home)]).toEqual([["Reading"], [], 0]);
    expect(synced).toMatchObject([{ type: "saved-room-remove", roomId: idOf(2) }]);
  });

  it("is kept if we join it during the membership check", async () => {
    const home = new ScriptedInstance(serverNamed("Reading", 1));
    home.open.push(serverNamed("Cooking", 2));
    const { connect, lost, joinState, servers, again } = await stage(home);
    home.beforeMembers = async () => {
      home.beforeMembers = null;
      await servers.join(HOME, idOf(2));
    };
    await connect();
    expect([joinState(2), lost]).toEqual(["joined", []]);
    await again();
    expect([joinState(2), lost]).toEqual(["joined", []]);
  });
});
