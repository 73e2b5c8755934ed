import { beforeAll, expect, it } from "@jest/globals";
import { newId, silentLog } from "@hearth/runtime";
import { describeWithMongo, crashing, untilCrash } from "@hearth/runtime/testing";
import { mongoAccounts } from "./accounts.mongo.ts";
import { collectionsOf, createIndexes } from "./collections.mongo.ts";
import type { AuthCollections } from "./collections.mongo.ts";
import { mongoSessions } from "./sessions.mongo.ts";
import type { SessionRecord } from "../../domain/records.ts";

const LATER_MS = 120_000;

function storeOf(collections: AuthCollections) {
  const { writer, ...sessions } = mongoSessions(collections);
  return { ...sessions, ...mongoAccounts(collections, writer) };
}

describeWithMongo("auth dies between two writes", ({ open }) => {
  let collections: AuthCollections;
  const at = Date.now();

  beforeAll(async () => {
    collections = collectionsOf(await open());
    await createIndexes(collections, silentLog);
  });

  const account = () => {
    const id = newId();
    const name = id.slice(-10);
    const names = { username: name, foldedName: name, displayName: name };
    return { id, ...names, passwordHash: "old", createdAt: at, version: 1, state: "active" as const };
  };
  const sessionOf = (accountId: string): SessionRecord => ({
    id: newId(),
    accountId,
    tokenHash: newId(),
    createdAt: at,
    lastUsedAt: at,
    expiresAt: at + 1_000_000,
    ip: "127.0.0.1",
    addressBlock: "127.0.0.1",
    userAgent: null,
    deviceName: null,
  });

  it("F8 AU4 a login is complete or absent, whenever its process dies, and its remains are removed", async () => {
    for (let last = 0; ; last++) {
      const owner = account();
      const session = sessionOf(owner.id);
      const { life, collections: own } = crashing(collections, last);
      await untilCrash(storeOf(own).createAccount(owner, session));
      const healthy = storeOf(collections);
      const found = await healthy.findSession(session.tokenHash);
      if (found) expect(await healthy.listSessions(owner.id, at)).toHaveLength(1);
      else expect(await healthy.listSessions(owner.id, at)).toEqual([]);
      // The name is taken only once, and a retried login succeeds.
      const rival = { ...account(), foldedName: owner.foldedName };
      const again = await healthy.createAccount(rival, sessionOf(rival.id));
      expect((await healthy.findAccount(owner.id)) === null).toBe(again);
      if (!life.crashed) {
        expect(found).not.toBeNull();
        break;
      }
    }
    await storeOf(collections).forgetEnded(at + LATER_MS, 0);
    expect(await collections.sessions.countDocuments({ pending: true })).toBe(0);
  });

  it("F8 AU6 a change of the password ends the other sessions, even if its process dies in between", async () => {
    for (let last = 0; ; last++) {
      const owner = account();
      const [mine, other, newer] = [sessionOf(owner.id), sessionOf(owner.id), sessionOf(owner.id)];
      const healthy = storeOf(collections);
      await healthy.createAccount(owner, mine);
      await healthy.createSession(other, "old");
      const { life, collections: own } = crashing(collections, last);
      const change = { accountId: owner.id, from: "old", to: "new", keepSessionId: mine.id, at };
      await untilCrash(storeOf(own).changePassword(change));
      const changed = (await healthy.findAccount(owner.id))?.passwordHash === "new";
      if (changed) await healthy.createSession({ ...newer, createdAt: at + 1 }, "new");
      await healthy.expireSessions(at + LATER_MS);
      const live = (await healthy.listSessions(owner.id, at)).map(({ id }) => id).sort();
      expect(live).toEqual((changed ? [mine.id, newer.id] : [mine.id, other.id]).sort());
      expect(await collections.passwordChanges.countDocuments()).toBe(0);
      if (!life.crashed) break;
    }
  });

  it("findSession finds neither a pending login nor an unknown token", async () => {
    const owner = account();
    const session = sessionOf(owner.id);
    const { collections: own } = crashing(collections, 2);
    await untilCrash(storeOf(own).createAccount(owner, session));
    expect(await collections.sessions.countDocuments({ _id: session.id, pending: true })).toBe(1);
    const healthy = storeOf(collections);
    expect(await healthy.findSession(session.tokenHash)).toBeNull();
    expect(await healthy.sessionState(session.id, owner.id)).toBeNull();
    expect(await healthy.findSession("none")).toBeNull();
  });
});
