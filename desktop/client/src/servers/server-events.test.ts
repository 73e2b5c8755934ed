import { describe, expect, it } from "@jest/globals";
import { ClientProblem } from "@hearth/device";
import { calm, stageHome } from "./testing/servers-stage.ts";
import { ACTORS, HOME, idOf, OTHER, serverNamed } from "./testing/scripted-instance.ts";

describe("server events", () => {
  const joinedRoom = async () => {
    const stage = await stageHome(serverNamed("Reading", 1));
    return { ...stage, present: () => [...(stage.saved(1)?.present.values() ?? [])] };
  };
  const stamp = { fromUserId: OTHER, fromDisplayName: "Grace", sentAt: 1 };

  it("WS8 users who join, leave or change their name, status or voice are shown at once", async () => {
    const { say, present } = await joinedRoom();
    const user = { oderId: idOf(960), displayName: "Alan", status: "online" };
    say(HOME, { type: "user_joined", serverId: idOf(1), user });
    say(HOME, { type: "user_joined", serverId: idOf(1), user });
    say(HOME, { type: "user_updated", oderId: OTHER, displayName: "Grace H." });
    say(HOME, { type: "status_update", status: "busy", statusText: "compiling", ...stamp });
    const voice = { type: "voice_state", serverId: idOf(1), ...stamp };
    say(HOME, { ...voice, channelId: idOf(501), muted: true });
    say(HOME, { ...voice, channelId: idOf(501), deafened: true });
    const grace = {
      oderId: OTHER,
      username: "",
      displayName: "Grace H.",
      status: "busy",
      statusText: "compiling",
    };
    const inVoice = { channelId: idOf(501), muted: true, deafened: true };
    expect(present()).toEqual([
      { ...grace, voice: inVoice },
      { ...user, username: "" },
    ]);
    say(HOME, { ...voice, channelId: null });
    say(HOME, { type: "status_update", serverId: idOf(1), status: "online", statusText: "", ...stamp });
    say(HOME, { type: "user_left", serverId: idOf(1), oderId: user.oderId });
    say(HOME, { type: "user_left", serverId: idOf(2), oderId: OTHER });
    expect(present()).toEqual([{ oderId: OTHER, username: "", displayName: "Grace H.", status: "online" }]);
    const member = { type: "member_updated", serverId: idOf(1), userId: OTHER };
    say(HOME, { ...member, displayName: "Admiral", role: "moderator" });
    expect(present()[0]?.displayName).toBe("Admiral");
  });

  it("names, channels and our role are stored, and an older version does not undo a newer one", async () => {
    const { say, saved, store } = await joinedRoom();
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
    expect(saved(1)?.room).toMatchObject({
      name: "Readers",
      channels,
      role: "moderator",
      updatedAt: updatedAt + 1,
    });
    expect(await store.room(idOf(1))).toEqual(saved(1)?.room);
    const more = [...channels, { id: idOf(601), name: "films", kind: "voice" as const, position: 1 }];
    say(HOME, { type: "server_joined", serverId: idOf(1), users: [], channels: more });
    await calm();
    expect((await store.room(idOf(1)))?.channels).toEqual(more);
  });

  it.each(["removed", "banned", "deleted", "left"])(
    "DI7 being %s takes the room away and is synced",
    async (reason) => {
      const { say, store, names, lost } = await joinedRoom();
      say(HOME, { type: "removed_from_server", serverId: idOf(1), reason });
      await calm();
      expect([names(), await store.rooms()]).toEqual([[], []]);
      expect(lost).toEqual([{ roomId: idOf(1), name: "Reading", reason }]);
    },
  );

  it("a storage failure loses no server, and the next run tries again", async () => {
    const { say, store, names, saved, platform } = await joinedRoom();
    const saveRooms = store.saveRooms.bind(store);
    store.saveRooms = async () => {
      throw new ClientProblem("STORAGE_FULL");
    };
    const updatedAt = Date.UTC(2026, 0, 5, 12);
    say(HOME, { type: "server_updated", server: serverNamed("Readers", 1, { version: 5, updatedAt }) });
    await calm();
    expect([names(), saved(1)?.joinState]).toEqual([["Reading"], "joined"]);
    store.saveRooms = saveRooms;
    say(HOME, { type: "server_updated", server: serverNamed("Readers", 1, { version: 6, updatedAt }) });
    await platform.clock.advance(1);
    await calm();
    expect(names()).toEqual(["Readers"]);
  });
});
