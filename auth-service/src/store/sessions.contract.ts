import { describe, expect, it } from "@jest/globals";
import { newId } from "@hearth/runtime";
import { HOUR, NOW, aSession } from "./store-records.contract.ts";
import type { StoreUnderTest } from "./store-records.contract.ts";

export function describeSessions(name: string, world: () => StoreUnderTest): void {
  describe(`${name} keeps sessions`, () => {
    it("AU3 opens no session on a hash that is no longer the account's", async () => {
      const { store, withAccount } = world();
      const { account } = await withAccount();
      const session = aSession(account.id);
      expect(await store.createSession(session, "hash 0")).toBe(false);
      expect(await store.findSession(session.tokenHash)).toBeNull();
      expect(await store.createSession(aSession(newId()), "hash 1")).toBe(false);
    });

    it("AU5 lists valid sessions, the last used first", async () => {
      const { store, withAccount, withSession } = world();
      const { account, session: first } = await withAccount();
      const second = await withSession(account, { lastUsedAt: NOW + 5, deviceName: "phone" });
      const ended = await withSession(account);
      const expired = await withSession(account, { expiresAt: NOW + 1 });
      await withAccount();
      await store.endSession(ended.id, account.id, NOW);
      const listed = await store.listSessions(account.id, NOW + 1);
      expect(listed.map(({ id }) => id)).toEqual([second.id, first.id]);
      const { tokenHash: _hash, addressBlock: _block, ...shown } = second;
      expect(listed[0]).toEqual(shown);
      expect(await store.listSessions(account.id, NOW)).toHaveLength(3);
      expect(expired.expiresAt).toBe(NOW + 1);
    });

    it("AU5 notes the last use of a session as it was read, and never of one that ended", async () => {
      const { store, withAccount, withSession } = world();
      const { account, session } = await withAccount();
      const other = await withSession(account);
      const note = (id: string, seenLastUsedAt: number, lastUsedAt: number, deviceName: string) => ({
        id,
        seenLastUsedAt,
        lastUsedAt,
        deviceName,
      });
      await store.noteUses([
        note(session.id, NOW, NOW + 10, "phone"),
        note(other.id, NOW, NOW + 20, "tablet"),
      ]);
      await store.noteUses([note(session.id, NOW, NOW + 5, "somebody else's")]);
      const phone = { lastUsedAt: NOW + 10, deviceName: "phone" };
      expect(await store.findSession(session.tokenHash)).toMatchObject(phone);
      expect(await store.findSession(other.tokenHash)).toMatchObject({
        lastUsedAt: NOW + 20,
        deviceName: "tablet",
      });
      await store.endSession(session.id, account.id, NOW);
      await store.noteUses([note(session.id, NOW + 10, NOW + 20, "late")]);
      expect(await store.findSession(session.tokenHash)).toMatchObject({ ...phone, endReason: "revoked" });
    });

    it("AU6 ends one session of its account once, and does not change its siblings", async () => {
      const { store, withAccount, withSession } = world();
      const { account, session } = await withAccount();
      const sibling = await withSession(account);
      const { account: stranger } = await withAccount();
      expect(await store.endSession(session.id, stranger.id, NOW)).toBe(false);
      expect(await store.endSession(session.id, account.id, NOW)).toBe(true);
      expect(await store.endSession(session.id, account.id, NOW)).toBe(false);
      expect(await store.sessionState(session.id, account.id)).toEqual({
        expiresAt: NOW + HOUR,
        endReason: "revoked",
      });
      expect(await store.sessionState(sibling.id, account.id)).toEqual({
        expiresAt: NOW + HOUR,
        endReason: null,
      });
      expect(await store.sessionState(sibling.id, stranger.id)).toBeNull();
      expect(await store.endSession(sibling.id, account.id, NOW + HOUR)).toBe(false);
    });

    it("AU6 ends all sessions of the account but one", async () => {
      const { store, withAccount, withSession, endReason } = world();
      const { account, session: kept } = await withAccount();
      const others = [await withSession(account), await withSession(account)];
      const { session: foreign } = await withAccount();
      await store.endOtherSessions(account.id, kept.id, NOW);
      expect(await Promise.all([kept, ...others, foreign].map(endReason))).toEqual([
        null,
        "revoked",
        "revoked",
        null,
      ]);
    });

    it("AU6 expires at the exact millisecond, and revoked sessions stay revoked", async () => {
      const { store, withAccount, withSession, endReason } = world();
      const { account, session } = await withAccount();
      const revoked = await withSession(account);
      await store.endSession(revoked.id, account.id, NOW);
      await store.expireSessions(NOW + HOUR - 1);
      expect(await endReason(session)).toBeNull();
      await store.expireSessions(NOW + HOUR);
      expect([await endReason(session), await endReason(revoked)]).toEqual(["expired", "revoked"]);
    });

    it("AU6 lists the ends that are not announced yet, oldest first", async () => {
      const { store, withAccount, withSession } = world();
      const { account, session } = await withAccount();
      const later = await withSession(account);
      expect(await store.unannounced(10)).toEqual([]);
      await store.endSession(later.id, account.id, NOW + 2);
      await store.endSession(session.id, account.id, NOW + 1);
      const first = { sessionId: session.id, userId: account.id, reason: "revoked" };
      const second = { sessionId: later.id, userId: account.id, reason: "revoked" };
      expect(await store.unannounced(10)).toEqual([first, second]);
      expect(await store.unannounced(1)).toEqual([first]);
      await store.markAnnounced([session.id]);
      expect(await store.unannounced(10)).toEqual([second]);
      await store.markAnnounced([later.id, session.id]);
      expect(await store.unannounced(10)).toEqual([]);
    });

    it("AU6 deletes an ended session late, and only after its announcement", async () => {
      const { store, withAccount, withSession, endReason } = world();
      const { account, session } = await withAccount();
      const living = await withSession(account);
      await store.endSession(session.id, account.id, NOW);
      await store.forgetEnded(NOW + 1, 0);
      expect(await endReason(session)).toBe("revoked");
      await store.markAnnounced([session.id]);
      await store.forgetEnded(NOW, 0);
      expect(await endReason(session)).toBe("revoked");
      await store.forgetEnded(NOW + 1, 0);
      expect(await store.findSession(session.tokenHash)).toBeNull();
      expect(await endReason(living)).toBeNull();
    });

    it("AU8 deletes an address without a recent login, and a login renews one", async () => {
      const { store, withAccount, withSession } = world();
      const { account } = await withAccount({ username: "Ada" });
      await withSession(account, { createdAt: NOW + 10, addressBlock: "198.51.100.1" });
      await store.forgetEnded(0, NOW + 5);
      expect(await store.knowsAddress("ada", "203.0.113.7")).toBe(false);
      expect(await store.knowsAddress("ada", "198.51.100.1")).toBe(true);
      await withSession(account, { createdAt: NOW + 20, addressBlock: "198.51.100.1" });
      await store.forgetEnded(0, NOW + 15);
      expect(await store.knowsAddress("ada", "198.51.100.1")).toBe(true);
    });
  });
}
