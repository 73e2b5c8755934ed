import { describe, expect, it } from "@jest/globals";
import { newId } from "@hearth/runtime";
import { NOW } from "./store-records.contract.ts";
import type { StoreUnderTest } from "./store-records.contract.ts";
import type { ReportRecord } from "../domain/people-store.ts";

const aReport = (reporterId: string, fields: Partial<ReportRecord> = {}): ReportRecord => ({
  id: newId(),
  reporterId,
  userId: newId(),
  serverId: null,
  messageId: null,
  reason: "spam",
  comment: null,
  quotedText: null,
  createdAt: NOW,
  resolvedAt: null,
  resolution: null,
  ...fields,
});

export function describePeople(name: string, world: () => StoreUnderTest): void {
  describe(`${name} keeps blocks`, () => {
    it("AB12 one per user, the latest first, up to a limit", async () => {
      const { store, withAccount } = world();
      const { id } = (await withAccount()).account;
      const [bob, eve] = [newId(), newId()];
      expect(await store.putBlock(id, bob, NOW, 2)).toBe("stored");
      expect(await store.putBlock(id, eve, NOW + 1, 2)).toBe("stored");
      expect(await store.putBlock(id, bob, NOW + 2, 2)).toBe("exists");
      expect(await store.putBlock(id, newId(), NOW, 2)).toBe("too_many");
      expect(await store.listBlocks(id)).toEqual([
        { userId: eve, createdAt: NOW + 1 },
        { userId: bob, createdAt: NOW },
      ]);
      expect([await store.isBlocked(id, bob), await store.isBlocked(bob, id)]).toEqual([true, false]);
      expect([await store.deleteBlock(id, bob), await store.deleteBlock(id, bob)]).toEqual([true, false]);
      expect(await store.isBlocked(id, bob)).toBe(false);
    });
  });

  describe(`${name} keeps reports`, () => {
    it("AB12 until the operator resolves them", async () => {
      const { store, withAccount } = world();
      const { id } = (await withAccount()).account;
      const first = aReport(id, { comment: "see", quotedText: "a\nb", serverId: newId(), messageId: "m" });
      const second = aReport(id, { createdAt: NOW + 1 });
      await store.addReport(second);
      await store.addReport(first);
      expect(await store.listReports("open", 10)).toEqual([first, second]);
      expect(await store.listReports("open", 1)).toEqual([first]);
      expect(await store.resolveReport(first.id, "warned", NOW + 2)).toBe(true);
      expect(await store.resolveReport(first.id, "again", NOW + 3)).toBe(false);
      expect(await store.listReports("open", 10)).toEqual([second]);
      const resolved = { ...first, resolvedAt: NOW + 2, resolution: "warned" };
      expect(await store.listReports("all", 10)).toEqual([resolved, second]);
      expect(await store.reportsBy(id)).toEqual([resolved, second]);
      expect(await store.reportsBy(newId())).toEqual([]);
    });
  });

  describe(`${name} deletes accounts`, () => {
    it("AB12 with all their records, but the name and the ends of their sessions", async () => {
      const { store, withAccount, withSession, endReason } = world();
      const { account, session } = await withAccount({ username: "Ada" });
      const second = await withSession(account);
      const { account: other, session: foreign } = await withAccount();
      await store.putBlock(account.id, other.id, NOW, 9);
      await store.putBlock(other.id, account.id, NOW, 9);
      await store.addReport(aReport(account.id));
      await store.addReport(aReport(other.id, { userId: account.id }));
      const token = { deviceId: "a", platform: "ios", token: "t", updatedAt: NOW };
      await store.putDeviceToken(account.id, session.id, token, 9);
      const code = { codeHash: "c".repeat(64), accountId: account.id, createdAt: NOW, expiresAt: NOW + 9 };
      await store.putResetCode(code);
      await store.endSession(second.id, account.id, NOW);

      expect(await store.deleteAccount(account.id, "delete", NOW + 1)).toBe(true);
      expect(await store.deleteAccount(account.id, "transfer", NOW + 2)).toBe(false);
      expect(await store.deleteAccount(newId(), "delete", NOW)).toBe(false);

      const ends = [await endReason(session), await endReason(second), await endReason(foreign)];
      expect(ends).toEqual(["revoked", "revoked", null]);
      expect((await store.unannounced(9)).map(({ userId }) => userId)).toEqual([account.id, account.id]);
      expect(await store.findAccount(account.id)).toMatchObject({ state: "deleted", displayName: "" });
      expect(await store.findAccountByName("ada")).toMatchObject({ id: account.id, passwordHash: "" });
      expect([await store.listBlocks(account.id), await store.listBlocks(other.id)]).toEqual([[], []]);
      expect(await store.reportsBy(account.id)).toEqual([]);
      expect(await store.reportsBy(other.id)).toHaveLength(1);
      expect(await store.listDeviceTokens(account.id, NOW)).toEqual([]);
      expect(await store.listAddresses(account.id)).toEqual([]);
      expect(await store.findResetCode(code.codeHash, NOW)).toBeNull();
      const traces = await store.listAllSessions(account.id);
      expect(traces.map(({ ip, userAgent }) => [ip, userAgent])).toEqual([
        ["", null],
        ["", null],
      ]);
    });

    it("AB12 and stores when the deletion is announced next", async () => {
      const { store, withAccount } = world();
      const [{ account: first }, { account: second }] = [await withAccount(), await withAccount()];
      await store.deleteAccount(first.id, "delete", NOW);
      await store.deleteAccount(second.id, "transfer", NOW + 1);
      const due = [
        { userId: first.id, ownedServers: "delete", deletedAt: NOW },
        { userId: second.id, ownedServers: "transfer", deletedAt: NOW + 1 },
      ];
      expect(await store.dueDeletions(NOW + 1, 9)).toEqual(due);
      expect(await store.dueDeletions(NOW + 1, 1)).toEqual(due.slice(0, 1));
      expect(await store.dueDeletions(NOW, 9)).toEqual(due.slice(0, 1));
      await store.scheduleDeletion(first.id, NOW + 5);
      await store.scheduleDeletion(second.id, null);
      expect(await store.dueDeletions(NOW + 4, 9)).toEqual([]);
      expect(await store.dueDeletions(NOW + 5, 9)).toEqual(due.slice(0, 1));
    });
  });

  describe(`${name} exports accounts`, () => {
    it("AB12 with every address and session, ended ones too", async () => {
      const { store, withAccount, withSession } = world();
      const { account, session } = await withAccount();
      const later = { createdAt: NOW + 1, lastUsedAt: NOW + 1, addressBlock: "198.51.100.1" };
      const second = await withSession(account, later);
      await store.endSession(session.id, account.id, NOW + 2);
      const { tokenHash: _, addressBlock: __, ...ended } = session;
      const { tokenHash: ___, addressBlock: ____, ...living } = second;
      expect(await store.listAllSessions(account.id)).toEqual([
        { ...ended, endedAt: NOW + 2, endReason: "revoked" },
        { ...living, endedAt: null, endReason: null },
      ]);
      expect(await store.listAddresses(account.id)).toEqual([
        { addressBlock: "198.51.100.1", lastLoginAt: NOW + 1 },
        { addressBlock: "203.0.113.7", lastLoginAt: NOW },
      ]);
    });
  });
}
