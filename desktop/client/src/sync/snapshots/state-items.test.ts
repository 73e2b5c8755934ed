import { beforeEach, describe, expect, it } from "@jest/globals";
import { anEmoji, aProfile, aRoom, aUser, T0 } from "@hearth/store/testing";
import type { ClientStore } from "@hearth/store";
import { openFakeStore } from "@hearth/store/testing";
import { stateItems } from "./state-items.ts";

const fill = async (store: ClientStore, actorUserId: string): Promise<void> => {
  await store.saveRooms([aRoom({ actorUserId })]);
  await store.saveFriends([{ userId: "user-1", addedAt: T0 }]);
  await store.saveUsers([aUser("user-1", { signalServerUrl: aProfile().homeSignalServerUrl })]);
  await store.removeFriend("user-2", T0);
  await store.removeRoom("room-2", T0);
  await store.removeEmoji("e-2", T0);
  await store.saveEmoji([anEmoji("e-1")]);
  await store.saveProfile(aProfile());
  await store.setMeta("read:room-1/channel-1", JSON.stringify({ timestamp: T0, id: "m-1" }));
  await store.setMeta("read:nonsense", "{}");
};

describe("an account's records besides messages", () => {
  let store: ClientStore;
  beforeEach(async () => {
    store = await openFakeStore(() => T0);
  });
  const payloads = async () => (await stateItems(store)).map(({ payload }) => payload());
  const digests = async (of = store) => (await stateItems(of)).map(({ digest }) => digest);

  it("begin with removals", async () => {
    await fill(store, "user-me");
    expect((await payloads()).map(({ type }) => type)).toEqual([
      "custom-emoji-removed",
      "friend-removed",
      "saved-room-remove",
      "saved-room-sync",
      "read-position",
      "user-avatar-full",
      "friend-added",
      "custom-emoji-full",
    ]);
    expect(await payloads()).toContainEqual({
      type: "read-position",
      ...{ roomId: "room-1", channelId: "channel-1", messageId: "m-1", timestamp: T0 },
    });
    expect(await payloads()).toContainEqual({
      type: "friend-added",
      friend: { userId: "user-1", addedAt: T0, displayName: "Name of user-1" },
    });
  });

  it("have the same digests on every device with the same records, whatever its foreign accounts", async () => {
    const other = await openFakeStore(() => T0 + 5);
    await fill(store, "user-me");
    await fill(other, "user-me-too");
    expect(await digests(other)).toEqual(await digests());
    await other.saveRooms([aRoom({ muted: true, updatedAt: T0 + 9 })]);
    const [known, changed] = [await digests(), await digests(other)];
    expect(changed.filter((digest) => !known.includes(digest))).toHaveLength(1);
  });

  it("have different digests for a friend and a removed one", async () => {
    await store.saveFriends([{ userId: "user-1", addedAt: T0 }]);
    const [added] = await digests();
    await store.removeFriend("user-1", T0);
    const [removed] = await digests();
    expect(removed).not.toBe(added);
  });
});
