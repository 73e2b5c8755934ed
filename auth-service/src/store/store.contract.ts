import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { describeAccounts } from "./accounts.contract.ts";
import { describeDeviceTokensAndKeys } from "./device-tokens.contract.ts";
import { describeOperator } from "./operator.contract.ts";
import { describePeople } from "./people.contract.ts";
import { describeSessions } from "./sessions.contract.ts";
import { anAccount, storeUnderTest } from "./store-records.contract.ts";
import type { StoreUnderTest } from "./store-records.contract.ts";
import type { AuthStore } from "../domain/store.ts";

/** The suite that every twin of the store passes. */
export function describeAuthStoreContract(name: string, open: () => Promise<AuthStore>): void {
  let current: StoreUnderTest;
  const world = (): StoreUnderTest => current;
  beforeEach(async () => {
    current = storeUnderTest(await open());
  });
  afterEach(() => current.store.close());

  describeAccounts(name, world);
  describeSessions(name, world);
  describeDeviceTokensAndKeys(name, world);
  describePeople(name, world);
  describeOperator(name, world);

  describe(`${name} after close`, () => {
    it("ER6 refuses every call of a closed store with UNAVAILABLE", async () => {
      const { store, withAccount } = world();
      const { account, session } = await withAccount();
      expect(store.ready()).toBe(true);
      await store.close();
      expect(store.ready()).toBe(false);
      const calls: (() => Promise<unknown>)[] = [
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
        ...peopleAndOperator(store, account.id),
      ];
      for (const call of calls) await expect(call()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    });
  });
}

/** AB11, AB12 */
const peopleAndOperator = (store: AuthStore, id: string): (() => Promise<unknown>)[] => [
  () => store.listBlocks(id),
  () => store.putBlock(id, "b", 0, 1),
  () => store.deleteBlock(id, "b"),
  () => store.isBlocked(id, "b"),
  () => store.listReports("all", 1),
  () => store.reportsBy(id),
  () => store.resolveReport("r", null, 0),
  () => store.deleteAccount(id, "delete", 0),
  () => store.dueDeletions(0, 1),
  () => store.scheduleDeletion(id, 0),
  () => store.listAddresses(id),
  () => store.listAllSessions(id),
  () => store.listInvitations(1),
  () => store.revokeInvitation("i", 0),
  () => store.isInvitationUsable("c", 0),
  () => store.takeInvitation("c", 0),
  () => store.returnInvitation("c"),
  () => store.putResetCode({ codeHash: "c", accountId: id, createdAt: 0, expiresAt: 0 }),
  () => store.findResetCode("c", 0),
  () => store.appendAudit({ id: "e", at: 0, actor: "a", action: "b", target: null, outcome: "c" }),
  () => store.listAudit(1),
  () => store.searchAccounts("a", 1),
  () => store.suspendAccount(id, 0),
  () => store.unsuspendAccount(id),
];
