import { describe, expect, it } from "@jest/globals";
import type { Ban, Member } from "@hearth/contracts";
import { ClientProblem } from "@hearth/device";
import { calm, stageServers } from "./testing/servers-stage.ts";
import {
  ABROAD,
  AWAY,
  HOME,
  idOf,
  OTHER,
  ScriptedInstance,
  serverNamed,
} from "./testing/scripted-instance.ts";

const ROOM = idOf(1);
const FOUNDED = serverNamed("Reading", 1).createdAt;

const member = (number: number, displayName: string, more: Partial<Member> = {}): Member => ({
  userId: idOf(number),
  username: displayName.toLowerCase(),
  displayName,
  role: "member",
  joinedAt: FOUNDED + number,
  ...more,
});

const ban = (number: number, more: Partial<Ban> = {}): Ban => ({
  userId: idOf(number),
  bannedBy: OTHER,
  reason: null,
  createdAt: FOUNDED + number,
  expiresAt: null,
  ...more,
});

async function stageRoom(others: readonly string[] = []) {
  const home = new ScriptedInstance(serverNamed("Reading", 1));
  const away = new ScriptedInstance();
  away.present = [];
  const more = others.map((url) => [url, new ScriptedInstance()] as const);
  const stage = await stageServers({ [HOME]: home, [AWAY]: away, ...Object.fromEntries(more) });
  await stage.connect();
  /** Until the gathered records are written. */
  const written = async (): Promise<void> => {
    await stage.platform.clock.advance(500);
    await calm();
  };
  await written();
  const people = async () =>
    ((await stage.store.roomUsers(ROOM)) ?? []).map(({ displayName, role, joinedAt }) => [
      displayName,
      role,
      joinedAt,
    ]);
  return { ...stage, written, people };
}

describe("stored members", () => {
  it("are those seen there, joined at the creation of the server until the real time is known", async () => {
    const { say, written, people, platform } = await stageRoom();
    expect(await people()).toEqual([["Grace", "owner", FOUNDED]]);
    const user = { oderId: idOf(31), displayName: "Ben", status: "online" };
    say(HOME, { type: "user_joined", serverId: ROOM, user });
    say(HOME, {
      type: "member_updated",
      serverId: ROOM,
      userId: OTHER,
      displayName: "Grace",
      role: "moderator",
    });
    await calm();
    expect(await people()).toHaveLength(1);
    await written();
    const both = [
      ["Ben", "member", FOUNDED],
      ["Grace", "moderator", FOUNDED],
    ];
    expect(await people()).toEqual(both);
    platform.sockets[0]?.drop();
    await platform.clock.advance(2_000);
    await written();
    expect(await people()).toEqual(both);
  });

  it("get their new names and keep everything else", async () => {
    const { store, say, written } = await stageRoom();
    const known = await store.user(OTHER);
    if (!known) throw new Error("Grace was met");
    await store.saveUsers([{ ...known, cardText: "Compilers", updatedAt: known.updatedAt + 1 }]);
    say(HOME, { type: "user_updated", oderId: OTHER, displayName: "Grace H." });
    await written();
    expect(await store.user(OTHER)).toMatchObject({ displayName: "Grace H.", cardText: "Compilers" });
  });

  it("follow a list: roles and times, and a whole list removes those who are missing", async () => {
    const { servers, people, say, written } = await stageRoom();
    const ada = member(40, "Ada", { role: "moderator" });
    await servers.keepMembers(ROOM, [ada, member(41, "Ben")], "part");
    await servers.keepMembers(ROOM, [ada], "part");
    expect(await people()).toHaveLength(3);
    await servers.keepMembers(ROOM, [ada], "whole");
    const left = [
      ["Ada", "moderator", FOUNDED + 40],
      // She is present, so she joined after the list was read.
      ["Grace", "owner", FOUNDED],
    ];
    expect(await people()).toEqual(left);
    say(HOME, { type: "user_left", serverId: ROOM, oderId: OTHER });
    await written();
    await servers.keepMembers(ROOM, [ada], "whole");
    expect(await people()).toEqual(left.slice(0, 1));
    await servers.keepMembers(ROOM, [ada, member(41, "Ben", { joinedAt: FOUNDED + 99 })], "whole");
    expect(await people()).toEqual([...left.slice(0, 1), ["Ben", "member", FOUNDED + 99]]);
  });

  it("CL3 are not changed by another instance", async () => {
    const { store, say, written, people } = await stageRoom();
    say(AWAY, { type: "user_updated", oderId: OTHER, displayName: "Mallory" });
    const user = { oderId: idOf(66), displayName: "Mallory", status: "online" };
    say(AWAY, { type: "user_joined", serverId: ROOM, user });
    await written();
    expect((await people()).map(([name]) => name)).toEqual(["Grace"]);
    expect((await store.user(OTHER, HOME))?.displayName).toBe("Grace");
    expect(await store.user(idOf(66))).toBeUndefined();
  });

  it("CL3 belong to their instance: two hostile instances cannot rename each other's users, nor home's", async () => {
    const { store, say, written, people } = await stageRoom([ABROAD]);
    const id = idOf(31);
    const nameAt = async (url: string) => (await store.user(id, url))?.displayName;
    say(AWAY, { type: "user_updated", oderId: id, displayName: "Mallory" });
    say(ABROAD, { type: "user_updated", oderId: id, displayName: "Eve" });
    await written();
    expect([await nameAt(AWAY), await nameAt(ABROAD), await nameAt(HOME)]).toEqual([
      "Mallory",
      "Eve",
      undefined,
    ]);
    const user = { oderId: id, username: "ben", displayName: "Ben", status: "online" };
    say(HOME, { type: "user_joined", serverId: ROOM, user });
    say(AWAY, { type: "user_updated", oderId: id, displayName: "Mallory again" });
    await written();
    expect([await nameAt(AWAY), await nameAt(ABROAD), await nameAt(HOME)]).toEqual([
      "Mallory again",
      "Eve",
      "Ben",
    ]);
    expect((await people()).map(([name]) => name)).toEqual(["Ben", "Grace"]);
  });

  it("are written later if the store fails once, and not for a server that was left", async () => {
    const { store, servers, people } = await stageRoom();
    const saveRoomUsers = store.saveRoomUsers.bind(store);
    store.saveRoomUsers = async () => {
      throw new ClientProblem("STORAGE_FAILED");
    };
    await servers.keepMembers(ROOM, [member(40, "Ada")], "part");
    store.saveRoomUsers = saveRoomUsers;
    expect(await people()).toHaveLength(1);
    await servers.keepMembers(ROOM, [member(40, "Ada")], "part");
    expect(await people()).toHaveLength(2);
    await servers.leave(ROOM);
    await servers.keepMembers(ROOM, [member(41, "Ben")], "whole");
    await servers.keepBans(ROOM, [ban(42)], "whole");
    expect(await store.user(idOf(41))).toBeUndefined();
    expect(await store.roomUsers(ROOM)).toBeUndefined();
  });
});

it("stored bans are those of the list; a lifted ban is removed, and can return", async () => {
  const { store, servers, platform } = await stageRoom();
  const banned = async () => ((await store.bans(ROOM, platform.now())) ?? []).map(({ userId }) => userId);
  await servers.keepBans(ROOM, [ban(50, { reason: "spam" })], "part");
  await servers.keepBans(ROOM, [ban(51)], "part");
  expect(await banned()).toEqual([idOf(50), idOf(51)]);
  await servers.keepBans(ROOM, [ban(51)], "whole");
  expect(await banned()).toEqual([idOf(51)]);
  await servers.keepBans(ROOM, [ban(51), ban(50, { createdAt: FOUNDED + 60 })], "whole");
  expect(await banned()).toEqual([idOf(51), idOf(50)]);
});
