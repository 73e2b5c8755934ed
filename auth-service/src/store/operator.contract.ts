import { describe, expect, it } from "@jest/globals";
import { newId, sha256Hex } from "@hearth/runtime";
import { HOUR, NOW, aSession } from "./store-records.contract.ts";
import type { StoreUnderTest } from "./store-records.contract.ts";
import type { AuditEntry, InvitationRecord } from "../domain/operator-store.ts";

const anInvitation = (fields: Partial<InvitationRecord> = {}): InvitationRecord => ({
  id: newId(),
  codeHash: sha256Hex(newId()),
  maxUses: 1,
  remaining: 1,
  createdAt: NOW,
  createdBy: "root",
  expiresAt: null,
  revokedAt: null,
  ...fields,
});

function describeInvitations(name: string, world: () => StoreUnderTest): void {
  describe(`${name} keeps invitations`, () => {
    it("AB11 with a number of uses and an expiry", async () => {
      const { store } = world();
      const often = anInvitation({ maxUses: 2, remaining: 2, expiresAt: NOW + 5 });
      const { codeHash } = often;
      await store.addInvitation(often);
      expect(await store.takeInvitation(sha256Hex("none"), NOW)).toBe(false);
      expect(await store.takeInvitation(codeHash, NOW + 5)).toBe(false);
      const taken = await Promise.all([1, 2, 3].map(() => store.takeInvitation(codeHash, NOW)));
      expect(taken.filter(Boolean)).toHaveLength(2);
      expect(await store.isInvitationUsable(codeHash, NOW)).toBe(false);
      await store.returnInvitation(codeHash);
      expect(await store.isInvitationUsable(codeHash, NOW)).toBe(true);
      expect(await store.listInvitations(9)).toEqual([{ ...often, remaining: 1 }]);
    });

    it("AB11 until they are revoked, and lists the latest first", async () => {
      const { store } = world();
      const [first, second] = [anInvitation(), anInvitation({ createdAt: NOW + 1 })];
      await store.addInvitation(first);
      await store.addInvitation(second);
      expect(await store.revokeInvitation(first.id, NOW + 2)).toBe(true);
      expect(await store.revokeInvitation(first.id, NOW + 3)).toBe(false);
      expect(await store.revokeInvitation(newId(), NOW)).toBe(false);
      expect(await store.takeInvitation(first.codeHash, NOW)).toBe(false);
      expect(await store.listInvitations(9)).toEqual([second, { ...first, revokedAt: NOW + 2 }]);
      expect(await store.listInvitations(1)).toEqual([second]);
    });
  });
}

function describeResets(name: string, world: () => StoreUnderTest): void {
  const codeOf = (accountId: string, codeHash: string) => ({
    codeHash,
    accountId,
    createdAt: NOW,
    expiresAt: NOW + HOUR,
  });

  describe(`${name} keeps reset codes`, () => {
    it("AB11 one per account, until it expires", async () => {
      const { store, withAccount } = world();
      const { id } = (await withAccount()).account;
      await store.putResetCode(codeOf(id, sha256Hex("1")));
      await store.putResetCode(codeOf(id, sha256Hex("2")));
      expect(await store.findResetCode(sha256Hex("1"), NOW)).toBeNull();
      expect(await store.findResetCode(sha256Hex("2"), NOW)).toBe(id);
      expect(await store.findResetCode(sha256Hex("2"), NOW + HOUR)).toBeNull();
    });

    it("AB11 that set a password once, revoke all sessions and open one", async () => {
      const { store, withAccount, withSession, endReason } = world();
      const { account, session } = await withAccount();
      const second = await withSession(account);
      await store.putResetCode(codeOf(account.id, sha256Hex("1")));
      const reset = (to: string) => ({
        ...{ codeHash: sha256Hex("1"), accountId: account.id, to, at: NOW },
        session: aSession(account.id),
      });
      const late = { ...reset("late"), at: NOW + HOUR };
      expect(await store.resetPassword(late)).toBe(false);
      const own = reset("new");
      expect(await store.resetPassword(own)).toBe(true);
      expect(await store.resetPassword(reset("newer"))).toBe(false);
      expect(await store.findAccount(account.id)).toMatchObject({ passwordHash: "new" });
      const ends = [await endReason(session), await endReason(second), await endReason(own.session)];
      expect(ends).toEqual(["revoked", "revoked", null]);
      expect(await store.createSession(aSession(account.id), "hash 1")).toBe(false);
    });
  });
}

function describeAuditLog(name: string, world: () => StoreUnderTest): void {
  describe(`${name} keeps an audit log`, () => {
    it("AB11 that only grows, the latest first", async () => {
      const { store } = world();
      const entry = (at: number, target: string | null): AuditEntry => ({
        ...{ id: newId(), at, actor: "root", action: "users suspend", target, outcome: "done" },
      });
      const [first, second] = [entry(NOW, "ada"), entry(NOW + 1, null)];
      await store.appendAudit(first);
      await store.appendAudit(second);
      expect(await store.listAudit(9)).toEqual([second, first]);
      expect(await store.listAudit(1)).toEqual([second]);
    });
  });
}

function describeSuspensions(name: string, world: () => StoreUnderTest): void {
  describe(`${name} suspends accounts`, () => {
    it("AB11 finds them by their id and by a part of their name, taken literally", async () => {
      const { store, withAccount } = world();
      const { account: ada } = await withAccount({ username: "Ada.L" });
      const { account: adax } = await withAccount({ username: "AdaxL" });
      expect(await store.searchAccounts("ada", 9)).toEqual([ada, adax]);
      expect(await store.searchAccounts("ada", 1)).toEqual([ada]);
      expect(await store.searchAccounts("a.l", 9)).toEqual([ada]);
      expect(await store.searchAccounts(adax.id, 9)).toEqual([adax]);
      expect(await store.searchAccounts("%", 9)).toEqual([]);
    });

    it("AB11 ends their sessions and opens none until it is lifted", async () => {
      const { store, withAccount, endReason } = world();
      const { account, session } = await withAccount();
      expect(await store.suspendAccount(account.id, NOW)).toBe(true);
      expect(await store.suspendAccount(account.id, NOW)).toBe(false);
      expect(await store.suspendAccount(newId(), NOW)).toBe(false);
      expect(await endReason(session)).toBe("revoked");
      expect(await store.unannounced(9)).toEqual([
        { sessionId: session.id, userId: account.id, reason: "revoked" },
      ]);
      expect(await store.createSession(aSession(account.id), account.passwordHash)).toBe(false);
      expect(await store.findAccount(account.id)).toEqual({ ...account, state: "suspended" });
      expect(await store.unsuspendAccount(account.id)).toBe(true);
      expect(await store.unsuspendAccount(account.id)).toBe(false);
      expect(await store.createSession(aSession(account.id), account.passwordHash)).toBe(true);
    });

    it("AB11 AB12 a deleted one can be neither suspended nor brought back", async () => {
      const { store, withAccount } = world();
      const { account } = await withAccount();
      await store.deleteAccount(account.id, "transfer", NOW);
      expect(await store.suspendAccount(account.id, NOW)).toBe(false);
      expect(await store.unsuspendAccount(account.id)).toBe(false);
      expect(await store.createSession(aSession(account.id), "")).toBe(false);
    });
  });
}

export function describeOperator(name: string, world: () => StoreUnderTest): void {
  describeInvitations(name, world);
  describeResets(name, world);
  describeAuditLog(name, world);
  describeSuspensions(name, world);
}
