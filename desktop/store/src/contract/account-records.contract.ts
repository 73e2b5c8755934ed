import { expect, it } from "@jest/globals";
import type { StoreUnderTest } from "./device-records.contract.ts";
import {
  ROOM,
  T0,
  aBan,
  aCredential,
  aMembership,
  aMessage,
  aProfile,
  aReaction,
  aRoom,
  aUser,
  anAttachment,
  anEdit,
  anEmoji,
} from "./device-records.contract.ts";

const names = (items: readonly { readonly id: string }[] = []): string[] => items.map(({ id }) => id);

export function accountRecordsSuite(store: () => StoreUnderTest): void {
  const writer = () => store().writer;
  const reader = () => store().reader;

  it("is empty at first", async () => {
    expect(await reader().profile()).toBeUndefined();
    expect(await reader().user("user-1")).toBeUndefined();
    expect(await reader().roomUsers(ROOM)).toBeUndefined();
    expect(await reader().bans(ROOM, T0)).toBeUndefined();
    expect(await reader().isBanned(ROOM, "user-1", T0)).toBeUndefined();
    const lists = [reader().rooms(), reader().friends(), reader().emoji(), reader().credentials()];
    expect(await Promise.all(lists)).toEqual([[], [], [], []]);
  });

  it("keeps every field of a room, and lists rooms by name", async () => {
    const room = aRoom();
    const direct = aRoom({
      id: "room-2",
      kind: "direct",
      name: "anna",
      ownerId: null,
      peerUserId: "user-3",
      muted: true,
    });
    await writer().saveRooms([room, direct, aRoom({ id: "room-0" })]);
    expect(await reader().room(ROOM)).toEqual(room);
    expect(await reader().room("room-2")).toEqual(direct);
    expect(names(await reader().rooms())).toEqual(["room-2", "room-0", ROOM]);
    expect(await reader().room("nowhere")).toBeUndefined();
  });

  it("keeps the newer room and its latest read position", async () => {
    const newer = aRoom({ name: "Newer", updatedAt: T0 + 9, lastReadAt: T0 + 1, lastReadMessageId: "a" });
    const older = aRoom({ lastReadAt: T0 + 2, lastReadMessageId: "b" });
    for (const order of [
      [newer, older],
      [older, newer],
    ]) {
      const id = `room-${order.indexOf(newer)}`;
      for (const room of order) await writer().saveRooms([{ ...room, id }]);
      expect(await reader().room(id)).toEqual({ ...newer, id, lastReadAt: T0 + 2, lastReadMessageId: "b" });
    }
  });

  it("CL3 keeps users by instance: the same id elsewhere is another user, and no friend", async () => {
    const [home, away, abroad] = ["https://home.example", "https://away.example", "https://abroad.example"];
    const named = (signalServerUrl: string, displayName: string, updatedAt = T0) =>
      aUser("ben", { signalServerUrl, displayName, updatedAt });
    await writer().saveUsers([named(away, "Mallory", T0 + 9), named(abroad, "Eve", T0 + 9)]);
    const nameOf = async (url?: string) => (await reader().user("ben", url))?.displayName;
    expect([await nameOf(home), await nameOf(away), await nameOf(abroad)]).toEqual([
      undefined,
      "Mallory",
      "Eve",
    ]);
    expect(await nameOf()).toBe("Eve");
    await writer().saveProfile(aProfile({ homeSignalServerUrl: home }));
    await writer().saveFriends([{ userId: "ben", addedAt: T0 }]);
    await writer().saveUsers([named(home, "Ben")]);
    expect(await reader().user("ben")).toMatchObject({ displayName: "Ben", isFriend: true });
    expect(await reader().user("ben", away)).toMatchObject({ displayName: "Mallory", isFriend: false });
    await writer().saveRooms([aRoom({ signalServerUrl: abroad })]);
    await writer().saveRoomUsers([aMembership("ben")]);
    const members = await reader().roomUsers(ROOM);
    expect(members?.map(({ displayName, isFriend }) => [displayName, isFriend])).toEqual([["Eve", false]]);
  });

  it("removes a room with everything that belongs to it, and nothing else", async () => {
    const plugin = { pluginId: "p", key: "k", scope: "server", serverId: ROOM } as const;
    const fill = async (roomId: string, id: string): Promise<void> => {
      await writer().saveRooms([aRoom({ id: roomId })]);
      await writer().saveUsers([aUser("user-1")]);
      await writer().saveRoomUsers([aMembership("user-1", { roomId })]);
      await writer().saveBans([aBan("user-2", { roomId })]);
      await writer().saveMessages([aMessage(id, { roomId })]);
      await writer().editMessages([anEdit(id, 1, { roomId })]);
      await writer().changeReactions([aReaction(id)]);
      await writer().saveAttachments([anAttachment(`of ${id}`, { messageId: id, roomId })]);
      await writer().savePluginData([{ ...plugin, serverId: roomId, value: 1 }]);
    };
    await fill(ROOM, "gone");
    await fill("room-2", "kept");
    await writer().removeRoom(ROOM);
    expect(names(await reader().rooms())).toEqual(["room-2"]);
    expect(await reader().message("gone")).toBeUndefined();
    expect(await reader().pluginDatum(plugin)).toBeUndefined();
    await writer().saveRooms([aRoom({ joinedAt: T0 + 50 })]);
    expect(await reader().messages(ROOM, { limit: 9, from: { offset: 0 } })).toMatchObject({
      messages: [],
      total: 0,
    });
    expect([await reader().roomUsers(ROOM), await reader().bans(ROOM, T0)]).toEqual([[], []]);
    await writer().saveMessages([aMessage("gone")]);
    expect(await reader().message("gone")).toMatchObject({ revision: 0 });
    expect(await reader().reactions("gone")).toEqual([]);
    expect(await reader().messageAttachments("gone")).toEqual([]);
    expect(await reader().message("kept")).toMatchObject({ revision: 1 });
    expect(await reader().reactions("kept")).toHaveLength(1);
    expect(names(await reader().attachments())).toEqual(["of kept"]);
    expect(await reader().roomUsers("room-2")).toHaveLength(1);
  });

  it("restores a room, member, friend, ban or emoji that is newer than its removal, and no older one", async () => {
    await writer().saveUsers([aUser("user-1")]);
    await writer().saveRooms([aRoom({ id: "stays" })]);
    const kinds = [
      {
        save: (at: number) => writer().saveRooms([aRoom({ id: "goes", joinedAt: at })]),
        remove: (at?: number) => writer().removeRoom("goes", at),
        isThere: async () => (await reader().room("goes")) !== undefined,
      },
      {
        save: (at: number) =>
          writer().saveRoomUsers([aMembership("user-1", { roomId: "stays", joinedAt: at })]),
        remove: (at?: number) => writer().removeRoomUser("stays", "user-1", at),
        isThere: async () => (await reader().roomUsers("stays"))?.length === 1,
      },
      {
        save: (addedAt: number) => writer().saveFriends([{ userId: "user-1", addedAt }]),
        remove: (at?: number) => writer().removeFriend("user-1", at),
        isThere: async () => (await reader().user("user-1"))?.isFriend === true,
      },
      {
        save: (at: number) => writer().saveBans([aBan("user-1", { roomId: "stays", createdAt: at })]),
        remove: (at?: number) => writer().removeBan("stays", "user-1", at),
        isThere: () => reader().isBanned("stays", "user-1", T0),
      },
      {
        save: (at: number) => writer().saveEmoji([anEmoji("leaf", { updatedAt: at })]),
        remove: (at?: number) => writer().removeEmoji("leaf", at),
        isThere: async () => (await reader().emoji()).length === 1,
      },
    ];
    for (const { save, remove, isThere } of kinds) {
      await remove(T0);
      await save(T0);
      expect(await isThere()).toBe(false);
      await save(T0 + 5);
      await remove(T0 + 4);
      expect(await isThere()).toBe(true);
      await remove();
      await save(T0 + 5);
      expect(await isThere()).toBe(false);
      await save(T0 + 6);
      expect(await isThere()).toBe(true);
    }
  });

  it("lists the users of a room by display name, and marks friends", async () => {
    await writer().saveRooms([aRoom()]);
    await writer().saveRoomUsers([
      aMembership("b", { role: "owner", lastSeenAt: T0 + 4 }),
      aMembership("a"),
      aMembership("unmet"),
    ]);
    await writer().saveUsers([aUser("b", { displayName: "Änne" }), aUser("a", { displayName: "ZOE" })]);
    await writer().saveFriends([{ userId: "b", addedAt: T0 }]);
    await writer().saveRoomUsers([aMembership("b", { role: "moderator", lastSeenAt: T0 + 2 })]);
    const place = { roomId: ROOM, joinedAt: T0 };
    expect(await reader().roomUsers(ROOM)).toEqual([
      { ...aUser("a", { displayName: "ZOE" }), ...place, isFriend: false, role: "member", lastSeenAt: null },
      {
        ...aUser("b", { displayName: "Änne" }),
        ...place,
        isFriend: true,
        role: "moderator",
        lastSeenAt: T0 + 4,
      },
    ]);
    expect(await reader().user("b")).toMatchObject({ isFriend: true, displayName: "Änne" });
    expect(await reader().friends()).toEqual([{ userId: "b", addedAt: T0 }]);
  });

  it("keeps a ban until it expires", async () => {
    await writer().saveRooms([aRoom()]);
    const lasting = aBan("user-1", { reason: "spam" });
    const short = aBan("user-2", { expiresAt: T0 + 10, createdAt: T0 - 1 });
    await writer().saveBans([lasting, short]);
    expect(await reader().bans(ROOM, T0 + 9)).toEqual([short, lasting]);
    expect(await reader().bans(ROOM, T0 + 10)).toEqual([lasting]);
    expect(await reader().isBanned(ROOM, "user-2", T0 + 9)).toBe(true);
    expect(await reader().isBanned(ROOM, "user-2", T0 + 10)).toBe(false);
    expect(await reader().isBanned(ROOM, "user-3", T0)).toBe(false);
  });

  it("keeps the newer profile and user", async () => {
    await writer().saveProfile(aProfile({ cardText: "new", updatedAt: T0 + 1 }));
    await writer().saveProfile(aProfile());
    expect(await reader().profile()).toEqual(aProfile({ cardText: "new", updatedAt: T0 + 1 }));
    await writer().saveUsers([aUser("user-1", { cardText: "new", updatedAt: T0 + 1 }), aUser("user-1")]);
    expect(await reader().user("user-1")).toMatchObject({ cardText: "new" });
  });

  it("keeps emoji with their bytes", async () => {
    const leaf = anEmoji("leaf", { bytes: new Uint8Array([0, 255, 7]) });
    await writer().saveEmoji([leaf, anEmoji("acorn")]);
    expect(await reader().emoji()).toEqual([anEmoji("acorn"), leaf]);
  });

  it("L20 keeps plugin data apart by plugin, key, scope and server", async () => {
    const local = { pluginId: "p", key: "k", scope: "local", serverId: null } as const;
    const server = { ...local, scope: "server", serverId: ROOM } as const;
    const values = [null, false, 0, "", [1, { a: null }], { nested: ["ü"] }];
    for (const value of values) {
      await writer().savePluginData([
        { ...local, value },
        { ...server, value: [value] },
      ]);
      expect(await reader().pluginDatum(local)).toEqual({ value });
      expect(await reader().pluginDatum(server)).toEqual({ value: [value] });
    }
    expect(await reader().pluginDatum({ ...server, serverId: "room-2" })).toBeUndefined();
    expect(await reader().pluginDatum({ ...local, pluginId: "q" })).toBeUndefined();
    await writer().removePluginDatum(local);
    expect(await reader().pluginDatum(local)).toBeUndefined();
    expect(await reader().pluginDatum(server)).toBeDefined();
    const invalid = { code: "INVALID_REQUEST" };
    await expect(writer().savePluginData([{ ...server, serverId: null, value: 1 }])).rejects.toMatchObject(
      invalid,
    );
    await expect(writer().savePluginData([{ ...local, serverId: ROOM, value: 1 }])).rejects.toMatchObject(
      invalid,
    );
    await expect(writer().savePluginData([{ ...local, value: undefined }])).rejects.toMatchObject(invalid);
  });

  it("keeps no lone surrogates in lists and values", async () => {
    const channels = [{ id: "c", name: "\uD800", kind: "text", position: 0 }] as const;
    await writer().saveRooms([aRoom({ tags: ["\uDC00"], channels })]);
    const [room] = await reader().rooms();
    expect([room?.tags, room?.channels[0]?.name]).toEqual([["\u{FFFD}"], "\u{FFFD}"]);
    const place = { pluginId: "p", key: "k", scope: "local", serverId: null } as const;
    await writer().savePluginData([{ ...place, value: { "\uD800": ["\uDFFF", "\\udfff"] } }]);
    expect(await reader().pluginDatum(place)).toEqual({ value: { "\u{FFFD}": ["\u{FFFD}", "\\udfff"] } });
  });

  it("keeps meta values by key", async () => {
    await writer().setMeta("app_currentUserId", "user-1");
    await writer().setMeta("app_currentUserId", "user-2");
    expect(await reader().meta("app_currentUserId")).toBe("user-2");
    await writer().removeMeta("app_currentUserId");
    expect(await reader().meta("app_currentUserId")).toBeUndefined();
    expect(await reader().meta("__proto__")).toBeUndefined();
  });

  it.each([
    "app.authTokens",
    "app.signalServerCredentials",
    "PROVISION_secret",
    "My-PassWord",
    "ｔｏｋｅｎ",
    "to_ken",
  ])("L19 refuses a meta key that names a secret: %s", async (key) => {
    await expect(writer().setMeta(key, "marker")).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    expect(await reader().meta(key)).toBeUndefined();
  });

  it("keeps credentials without their secrets, and one home", async () => {
    const home = aCredential("https://home.example", { isHome: true });
    const foreign = {
      ...aCredential("https://a.example", { autoProvisioned: true }),
      token: "marker",
      secret: "marker",
    };
    await writer().saveCredential(home);
    await writer().saveCredential(foreign);
    const kept = aCredential("https://a.example", { autoProvisioned: true });
    expect(await reader().credentials()).toEqual([home, kept]);
    await writer().saveCredential({ ...kept, isHome: true });
    expect(await reader().credentials()).toEqual([
      { ...kept, isHome: true },
      { ...home, isHome: false },
    ]);
    await writer().removeCredential(kept.signalServerUrl);
    expect(await reader().credentials()).toEqual([{ ...home, isHome: false }]);
  });
}
