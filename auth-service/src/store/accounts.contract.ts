import { describe, expect, it } from "@jest/globals";
import { newId, sha256Hex } from "@hearth/runtime";
import { HOUR, NOW, aSession, anAccount } from "./store-records.contract.ts";
import type { StoreUnderTest } from "./store-records.contract.ts";

export function describeAccounts(name: string, world: () => StoreUnderTest): void {
  describe(`${name} keeps accounts`, () => {
    it("AU1 creates an account with its first session and finds it by id and by name", async () => {
      const { store, withAccount } = world();
      const { account, session } = await withAccount({ username: "Ada" });
      expect(await store.findAccount(account.id)).toEqual(account);
      expect(await store.findAccountByName("ada")).toEqual(account);
      expect(await store.findAccountByName("Ada")).toBeNull();
      expect(await store.findSession(session.tokenHash)).toEqual({
        id: session.id,
        accountId: account.id,
        username: "Ada",
        displayName: "Ada",
        lastUsedAt: NOW,
        expiresAt: NOW + HOUR,
        deviceName: null,
        endReason: null,
      });
      expect(await store.findAccount(newId())).toBeNull();
      expect(await store.findSession(sha256Hex("nobody's"))).toBeNull();
    });

    it("AU2 accepts a name once, in any case, and leaves nothing of the loser behind", async () => {
      const { store, withAccount } = world();
      await withAccount({ username: "Ada" });
      const second = anAccount({ username: "ADA" });
      const session = aSession(second.id);
      expect(await store.createAccount(second, session)).toBe(false);
      expect(await store.findAccount(second.id)).toBeNull();
      expect(await store.findSession(session.tokenHash)).toBeNull();
    });

    it("AU2 of 50 concurrent registrations of one name, one succeeds (X10)", async () => {
      const { store } = world();
      const accounts = Array.from({ length: 50 }, () => anAccount({ username: "Race" }));
      const created = await Promise.all(
        accounts.map((account) => store.createAccount(account, aSession(account.id))),
      );
      expect(created.filter(Boolean)).toHaveLength(1);
      expect(await store.findAccountByName("race")).toEqual(accounts[created.indexOf(true)]);
    });

    it("AU1 renames only the version that was read", async () => {
      const { store, withAccount } = world();
      const { account, session } = await withAccount();
      expect(await store.renameAccount(account.id, account.version, "New")).toBe(true);
      expect(await store.renameAccount(account.id, account.version, "Newer")).toBe(false);
      expect(await store.findAccount(account.id)).toEqual({ ...account, displayName: "New", version: 2 });
      expect(await store.findSession(session.tokenHash)).toMatchObject({ displayName: "New" });
      expect(await store.renameAccount(newId(), 1, "Nobody")).toBe(false);
    });

    it("AU3 replaces only the hash that was read (X11)", async () => {
      const { store, withAccount } = world();
      const { account } = await withAccount();
      expect(await store.replacePasswordHash(account.id, "hash 1", "hash 2")).toBe(true);
      expect(await store.replacePasswordHash(account.id, "hash 1", "hash 3")).toBe(false);
      expect(await store.findAccount(account.id)).toMatchObject({ passwordHash: "hash 2" });
    });

    it("AU1 a change of the password revokes the other sessions of that account with it", async () => {
      const { store, withAccount, withSession, endReason } = world();
      const { account, session: kept } = await withAccount();
      const other = await withSession(account);
      const { session: foreign } = await withAccount();
      const change = { accountId: account.id, from: "hash 1", to: "hash 2", keepSessionId: kept.id, at: NOW };
      expect(await store.changePassword(change)).toBe(true);
      expect(await store.findAccount(account.id)).toMatchObject({ passwordHash: "hash 2" });
      expect([await endReason(kept), await endReason(other), await endReason(foreign)]).toEqual([
        null,
        "revoked",
        null,
      ]);
    });

    it("AU1 a change of a password that was changed meanwhile, or by an ended session, changes nothing", async () => {
      const { store, withAccount, withSession, endReason } = world();
      const { account, session: kept } = await withAccount();
      const other = await withSession(account);
      const change = { accountId: account.id, from: "hash 1", to: "hash 2", keepSessionId: kept.id, at: NOW };
      expect(await store.changePassword({ ...change, from: "hash 0" })).toBe(false);
      expect(await store.changePassword({ ...change, at: NOW + HOUR })).toBe(false);
      await store.endSession(kept.id, account.id, NOW);
      expect(await store.changePassword(change)).toBe(false);
      expect(await store.findAccount(account.id)).toEqual(account);
      expect(await endReason(other)).toBeNull();
    });

    it("AU8 knows the addresses of an account's sessions, by its folded name", async () => {
      const { store, withAccount, withSession } = world();
      const { account } = await withAccount({ username: "Ada" });
      expect(await store.knowsAddress("ada", "203.0.113.7")).toBe(true);
      expect(await store.knowsAddress("ada", "203.0.113.8")).toBe(false);
      expect(await store.knowsAddress("bob", "203.0.113.7")).toBe(false);
      const session = await withSession(account, { addressBlock: "203.0.113.8" });
      await store.endSession(session.id, account.id, NOW);
      expect(await store.knowsAddress("ada", "203.0.113.8")).toBe(true);
    });
  });

  describe(`${name} imports accounts`, () => {
    it("AU9 imports all, or nothing when a name or an id is taken", async () => {
      const { store, withAccount } = world();
      const { account } = await withAccount({ username: "Ada" });
      const rows = [anAccount(), anAccount({ username: "aDA" }), anAccount({ id: account.id }), anAccount()];
      const taken = [
        { index: 1, field: "username" },
        { index: 2, field: "id" },
      ];
      expect(await store.importAccounts(rows, "all")).toEqual({ imported: 0, taken });
      expect(await store.importAccounts(rows, "none")).toEqual({ imported: 0, taken });
      for (const row of rows)
        expect(await store.findAccountByName(row.foldedName)).toEqual(row === rows[1] ? account : null);
      expect(await store.importAccounts(rows, "free")).toEqual({ imported: 2, taken });
      expect(await store.findAccount(rows[0]?.id ?? "")).toEqual(rows[0]);
      expect(await store.findAccount(account.id)).toEqual(account);
      expect(await store.importAccounts([anAccount(), anAccount()], "all")).toEqual({
        imported: 2,
        taken: [],
      });
    });
  });
}
