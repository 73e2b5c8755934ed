import { describe, expect, it } from "@jest/globals";
import { newId } from "@hearth/runtime";
import { HOUR, NOW } from "./store-records.contract.ts";
import type { StoreUnderTest } from "./store-records.contract.ts";

export function describeDeviceTokensAndKeys(name: string, world: () => StoreUnderTest): void {
  describe(`${name} keeps device tokens`, () => {
    const aToken = (deviceId: string, updatedAt = NOW) => ({
      deviceId,
      platform: "ios",
      token: "t",
      updatedAt,
    });

    it("AU7 stores, replaces, lists and deletes by account and device", async () => {
      const { store, withAccount } = world();
      const { account, session } = await withAccount();
      const { account: other } = await withAccount();
      expect(await store.putDeviceToken(account.id, session.id, aToken("b"), 9)).toBe("stored");
      expect(await store.putDeviceToken(account.id, session.id, aToken("a"), 9)).toBe("stored");
      const newer = { ...aToken("b", NOW + 1), platform: "web", token: "u" };
      expect(await store.putDeviceToken(account.id, session.id, newer, 9)).toBe("stored");
      expect(await store.listDeviceTokens(account.id, NOW)).toEqual([aToken("a"), newer]);
      expect(await store.listDeviceTokens(other.id, NOW)).toEqual([]);
      expect(await store.deleteDeviceToken(other.id, "a")).toBe(false);
      expect(await store.deleteDeviceToken(account.id, "a")).toBe(true);
      expect(await store.deleteDeviceToken(account.id, "a")).toBe(false);
      expect(await store.listDeviceTokens(account.id, NOW)).toEqual([newer]);
    });

    it("AU7 refuses an older token than the stored one, and more devices than allowed", async () => {
      const { store, withAccount } = world();
      const { account, session } = await withAccount();
      const put = (deviceId: string, at: number) =>
        store.putDeviceToken(account.id, session.id, aToken(deviceId, at), 2);
      expect(await put("a", NOW + 1)).toBe("stored");
      expect(await put("a", NOW)).toBe("newer_stored");
      expect(await put("b", NOW)).toBe("stored");
      expect(await put("c", NOW)).toBe("too_many");
      expect(await put("b", NOW + 2)).toBe("stored");
    });

    it("AU7 a token goes with the session that stored it, and an ended session stores none", async () => {
      const { store, withAccount, withSession } = world();
      const { account, session } = await withAccount();
      const sibling = await withSession(account);
      await store.putDeviceToken(account.id, session.id, aToken("lost phone"), 2);
      await store.putDeviceToken(account.id, sibling.id, aToken("laptop"), 2);
      await store.endSession(session.id, account.id, NOW);
      expect((await store.listDeviceTokens(account.id, NOW)).map(({ deviceId }) => deviceId)).toEqual([
        "laptop",
      ]);
      expect(await store.putDeviceToken(account.id, session.id, aToken("x"), 2)).toBe("session_ended");
      expect(await store.putDeviceToken(account.id, sibling.id, aToken("lost phone"), 2)).toBe("stored");
      expect(await store.listDeviceTokens(account.id, NOW)).toHaveLength(2);
      expect(await store.listDeviceTokens(account.id, NOW + HOUR)).toEqual([]);
      const late = aToken("y", NOW + HOUR);
      expect(await store.putDeviceToken(account.id, sibling.id, late, 9)).toBe("session_ended");
    });

    it("AU7 deletes the tokens of a deleted session, and can then store others", async () => {
      const { store, withAccount, withSession } = world();
      const { account, session } = await withAccount();
      const sibling = await withSession(account);
      await store.putDeviceToken(account.id, session.id, aToken("a"), 1);
      await store.endSession(session.id, account.id, NOW);
      expect(await store.putDeviceToken(account.id, sibling.id, aToken("b"), 1)).toBe("stored");
      await store.markAnnounced([session.id]);
      await store.forgetEnded(NOW + 1, 0);
      expect(await store.listDeviceTokens(account.id, NOW)).toHaveLength(1);
    });
  });

  describe(`${name} keeps signing keys`, () => {
    it("GW2 lists every key that has not expired, and deletes the others", async () => {
      const { store } = world();
      const keys = [NOW + 1, NOW + 2, NOW + 3].map((expiresAt) => ({ kid: newId(), x: "x", expiresAt }));
      for (const key of keys) await store.addSigningKey(key);
      expect(await store.signingKeys(NOW)).toEqual(keys);
      expect(await store.signingKeys(NOW + 1)).toEqual(keys.slice(1));
      await store.forgetSigningKeys(NOW + 2);
      expect(await store.signingKeys(NOW)).toEqual(keys.slice(1));
    });
  });
}
