import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { newId, sha256Hex } from "@hearth/runtime";
import type { AccountRecord, AuthStore, SessionRecord } from "./store.ts";

const NOW = 1_700_000_000_000;
const HOUR = 3_600_000;

let serial = 0;

export function anAccount(fields: Partial<AccountRecord> = {}): AccountRecord {
  const username = fields.username ?? `User_${(serial += 1)}`;
  return {
    id: newId(),
    username,
    foldedName: username.toLowerCase(),
    displayName: username,
    passwordHash: "hash 1",
    createdAt: NOW,
    version: 1,
    ...fields,
  };
}

export function aSession(accountId: string, fields: Partial<SessionRecord> = {}): SessionRecord {
  return {
    id: newId(),
    accountId,
    tokenHash: sha256Hex(`token ${(serial += 1)}`),
    createdAt: NOW,
    lastUsedAt: NOW,
    expiresAt: NOW + HOUR,
    ip: "203.0.113.7",
    addressBlock: "203.0.113.7",
    userAgent: "a browser",
    deviceName: null,
    ...fields,
  };
}

/** The suite that every twin of the store passes. */
export function describeAuthStoreContract(name: string, open: () => Promise<AuthStore>): void {
  let store: AuthStore;
  beforeEach(async () => {
    store = await open();
  });
  afterEach(() => store.close());

  const withAccount = async (fields: Partial<AccountRecord> = {}) => {
    const account = anAccount(fields);
    const session = aSession(account.id);
    expect(await store.createAccount(account, session)).toBe(true);
    return { account, session };
  };
  const withSession = async (account: AccountRecord, fields: Partial<SessionRecord> = {}) => {
    const session = aSession(account.id, fields);
    expect(await store.createSession(session, account.passwordHash)).toBe(true);
    return session;
  };
  const endReason = async (session: SessionRecord) => (await store.findSession(session.tokenHash))?.endReason;

  describe(`${name} keeps accounts`, () => {
    it("AU1 creates an account with its first session and finds it by id and by name", async () => {
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

    it("AU2 takes a name once, whatever its case, and leaves nothing of the loser behind", async () => {
      await withAccount({ username: "Ada" });
      const second = anAccount({ username: "ADA" });
      const session = aSession(second.id);
      expect(await store.createAccount(second, session)).toBe(false);
      expect(await store.findAccount(second.id)).toBeNull();
      expect(await store.findSession(session.tokenHash)).toBeNull();
    });

    it("AU2 of 50 that register one name at once, one has it (X10)", async () => {
      const accounts = Array.from({ length: 50 }, () => anAccount({ username: "Race" }));
      const created = await Promise.all(
        accounts.map((account) => store.createAccount(account, aSession(account.id))),
      );
      expect(created.filter(Boolean)).toHaveLength(1);
      expect(await store.findAccountByName("race")).toEqual(accounts[created.indexOf(true)]);
    });

    it("AU1 renames only the version that was read", async () => {
      const { account, session } = await withAccount();
      expect(await store.renameAccount(account.id, account.version, "New")).toBe(true);
      expect(await store.renameAccount(account.id, account.version, "Newer")).toBe(false);
      expect(await store.findAccount(account.id)).toEqual({ ...account, displayName: "New", version: 2 });
      expect(await store.findSession(session.tokenHash)).toMatchObject({ displayName: "New" });
      expect(await store.renameAccount(newId(), 1, "Nobody")).toBe(false);
    });

    it("AU3 replaces only the hash that was read (X11)", async () => {
      const { account } = await withAccount();
      expect(await store.replacePasswordHash(account.id, "hash 1", "hash 2")).toBe(true);
      expect(await store.replacePasswordHash(account.id, "hash 1", "hash 3")).toBe(false);
      expect(await store.findAccount(account.id)).toMatchObject({ passwordHash: "hash 2" });
    });

    it("AU1 a change of the password revokes the other sessions of that account with it", async () => {
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

    it("AU8 knows the addresses that an account was opened from, by its folded name", async () => {
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

  describe(`${name} keeps sessions`, () => {
    it("AU3 opens no session on a hash that is no longer the account's", async () => {
      const { account } = await withAccount();
      const session = aSession(account.id);
      expect(await store.createSession(session, "hash 0")).toBe(false);
      expect(await store.findSession(session.tokenHash)).toBeNull();
      expect(await store.createSession(aSession(newId()), "hash 1")).toBe(false);
    });

    it("AU5 lists what lives, the one used last first", async () => {
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

    it("AU6 ends one session of its account once, and tells siblings nothing", async () => {
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

    it("AU6 expires at the very millisecond, and what was revoked stays revoked", async () => {
      const { account, session } = await withAccount();
      const revoked = await withSession(account);
      await store.endSession(revoked.id, account.id, NOW);
      await store.expireSessions(NOW + HOUR - 1);
      expect(await endReason(session)).toBeNull();
      await store.expireSessions(NOW + HOUR);
      expect([await endReason(session), await endReason(revoked)]).toEqual(["expired", "revoked"]);
    });

    it("AU6 remembers what is not announced yet, oldest first", async () => {
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

    it("AU6 forgets an ended session late, and only once it was announced", async () => {
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

    it("AU8 forgets an address that nobody logged in from for long, and renews one by a login", async () => {
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

  describe(`${name} keeps device tokens`, () => {
    const aToken = (deviceId: string, updatedAt = NOW) => ({
      deviceId,
      platform: "ios",
      token: "t",
      updatedAt,
    });

    it("AU7 stores, replaces, lists and deletes by account and device", async () => {
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

    it("AU7 forgets the tokens of a forgotten session, and can then take others", async () => {
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
    it("GW2 lists every key that has not expired, and forgets the others", async () => {
      const keys = [NOW + 1, NOW + 2, NOW + 3].map((expiresAt) => ({ kid: newId(), x: "x", expiresAt }));
      for (const key of keys) await store.addSigningKey(key);
      expect(await store.signingKeys(NOW)).toEqual(keys);
      expect(await store.signingKeys(NOW + 1)).toEqual(keys.slice(1));
      await store.forgetSigningKeys(NOW + 2);
      expect(await store.signingKeys(NOW)).toEqual(keys.slice(1));
    });
  });

  describe(`${name} away`, () => {
    it("ER6 everything asked of a store that is closed is refused as UNAVAILABLE", async () => {
      const { account, session } = await withAccount();
      expect(store.ready()).toBe(true);
      await store.close();
      expect(store.ready()).toBe(false);
      const asked: (() => Promise<unknown>)[] = [
        () => store.createAccount(anAccount(), session),
        () => store.findAccount(account.id),
        () => store.findAccountByName("ada"),
        () => store.renameAccount(account.id, 1, "x"),
        () => store.replacePasswordHash(account.id, "a", "b"),
        () =>
          store.changePassword({
            accountId: account.id,
            from: "a",
            to: "b",
            keepSessionId: session.id,
            at: 0,
          }),
        () => store.knowsAddress("ada", "x"),
        () => store.importAccounts([anAccount()], "all"),
        () => store.createSession(session, "hash 1"),
        () => store.findSession(session.tokenHash),
        () => store.sessionState(session.id, account.id),
        () => store.listSessions(account.id, 0),
        () => store.noteUses([{ id: session.id, seenLastUsedAt: 0, lastUsedAt: 1, deviceName: null }]),
        () => store.endSession(session.id, account.id, 0),
        () => store.endOtherSessions(account.id, session.id, 0),
        () => store.expireSessions(0),
        () => store.unannounced(1),
        () => store.markAnnounced([session.id]),
        () => store.forgetEnded(0, 0),
        () => store.listDeviceTokens(account.id, 0),
        () =>
          store.putDeviceToken(
            account.id,
            session.id,
            { deviceId: "a", platform: "ios", token: "t", updatedAt: 0 },
            1,
          ),
        () => store.deleteDeviceToken(account.id, "a"),
        () => store.addSigningKey({ kid: "k", x: "x", expiresAt: 0 }),
        () => store.signingKeys(0),
        () => store.forgetSigningKeys(0),
      ];
      for (const ask of asked) await expect(ask()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    });
  });
}
