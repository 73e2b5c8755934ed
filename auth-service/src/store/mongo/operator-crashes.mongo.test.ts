import { beforeAll, expect, it } from "@jest/globals";
import { newId, silentLog } from "@hearth/runtime";
import { describeWithMongo, crashing, untilCrash } from "@hearth/runtime/testing";
import { mongoAccounts } from "./accounts.mongo.ts";
import { collectionsOf, createIndexes } from "./collections.mongo.ts";
import type { AuthCollections } from "./collections.mongo.ts";
import { mongoPeople } from "./people.mongo.ts";
import { mongoSessions } from "./sessions.mongo.ts";
import type { SessionRecord } from "../../domain/records.ts";
import { mongoOperator } from "./operator.mongo.ts";

/** After this time the sweep treats a step as abandoned. */
const LATER_MS = 120_000;

function storeOf(collections: AuthCollections) {
  const { writer, ...sessions } = mongoSessions(collections);
  return {
    ...sessions,
    ...mongoAccounts(collections, writer),
    ...mongoOperator(collections, writer),
    ...mongoPeople(collections, writer),
  };
}

describeWithMongo("the operator's process dies between two writes", ({ open }) => {
  let collections: AuthCollections;
  const at = Date.now();
  beforeAll(async () => {
    collections = collectionsOf(await open());
    await createIndexes(collections, silentLog);
  });

  const sessionOf = (accountId: string): SessionRecord => ({
    ...{ id: newId(), accountId, tokenHash: newId(), createdAt: at, lastUsedAt: at },
    ...{ expiresAt: at + 1_000_000, ip: "127.0.0.1", addressBlock: "127.0.0.1" },
    ...{ userAgent: "a browser", deviceName: null },
  });
  /** An account that is signed in twice. */
  const account = async () => {
    const id = newId();
    const name = id.slice(-10);
    const names = { username: name, foldedName: name, displayName: name };
    const record = { id, ...names, passwordHash: "old", createdAt: at, version: 1, state: "active" as const };
    const sessions = [sessionOf(id), sessionOf(id)] as const;
    const store = storeOf(collections);
    await store.createAccount(record, sessions[0]);
    await store.createSession(sessions[1], "old");
    return { id, sessions };
  };
  /** Repeats the work in processes that crash at their first write, at their second, and so on, until one completes it. */
  const atEveryWrite = async (
    act: (store: ReturnType<typeof storeOf>, id: string) => Promise<unknown>,
    check: (found: Awaited<ReturnType<typeof account>>, gotThrough: boolean) => Promise<void>,
  ): Promise<number> => {
    for (let last = 0; ; last++) {
      const found = await account();
      const { life, collections: own } = crashing(collections, last);
      await untilCrash(act(storeOf(own), found.id));
      await check(found, !life.crashed);
      if (!life.crashed) return last;
    }
  };
  const sweep = () => storeOf(collections).expireSessions(at + LATER_MS);
  const live = async (id: string) => (await storeOf(collections).listSessions(id, at)).map((each) => each.id);

  it("AB11 a suspension is in force from its first write, and the sweep ends the sessions", async () => {
    const store = storeOf(collections);
    const writes = await atEveryWrite(
      (own, id) => own.suspendAccount(id, at),
      async ({ id, sessions }, gotThrough) => {
        const suspended = (await store.findAccount(id))?.state === "suspended";
        expect(await store.createSession(sessionOf(id), "old")).toBe(!suspended);
        for (const { tokenHash } of sessions)
          expect(await store.findSession(tokenHash)).toMatchObject({
            endReason: suspended ? "revoked" : null,
          });
        await sweep();
        expect(await live(id)).toHaveLength(suspended ? 0 : 3);
        expect(await store.suspendAccount(id, at)).toBe(!suspended);
        expect(await live(id)).toEqual([]);
        if (gotThrough) expect(suspended).toBe(true);
      },
    );
    expect(writes).toBeGreaterThan(2);
    expect(await collections.accounts.countDocuments({ closing: true })).toBe(0);
  });

  it("AB12 a deletion is in force from its first write, and the sweep removes the remaining records", async () => {
    const store = storeOf(collections);
    const writes = await atEveryWrite(
      async (own, id) => {
        await store.putResetCode({ codeHash: id, accountId: id, createdAt: at, expiresAt: at + LATER_MS });
        await store.putBlock(id, newId(), at, 10);
        return own.deleteAccount(id, "delete", at);
      },
      async ({ id, sessions }, gotThrough) => {
        const deleted = (await store.findAccount(id))?.state === "deleted";
        expect(await store.createSession(sessionOf(id), "old")).toBe(!deleted);
        for (const { tokenHash } of sessions)
          expect(await store.findSession(tokenHash)).toMatchObject({ endReason: deleted ? "revoked" : null });
        await sweep();
        expect(await live(id)).toHaveLength(deleted ? 0 : 3);
        const left = await Promise.all([
          collections.blocks.countDocuments({ accountId: id }),
          collections.resetCodes.countDocuments({ accountId: id }),
          collections.sessions.countDocuments({ accountId: id, userAgent: { $ne: null } }),
        ]);
        expect(left).toEqual(deleted ? [0, 0, 0] : [1, 1, 3]);
        // The deletion is due for the other services if the account is deleted.
        const due = await store.dueDeletions(at, 100);
        expect(due.some(({ userId }) => userId === id)).toBe(deleted);
        expect(await store.deleteAccount(id, "delete", at)).toBe(!deleted);
        await store.scheduleDeletion(id, null);
        if (gotThrough) expect(deleted).toBe(true);
      },
    );
    expect(writes).toBeGreaterThan(5);
  });

  it("AB11 a reset leaves the old password or the new one, never a usable code or an earlier session", async () => {
    const store = storeOf(collections);
    const writes = await atEveryWrite(
      async (own, id) => {
        await store.putResetCode({ codeHash: id, accountId: id, createdAt: at, expiresAt: at + LATER_MS });
        return own.resetPassword({ codeHash: id, accountId: id, to: "new", session: sessionOf(id), at });
      },
      async ({ id, sessions }, gotThrough) => {
        const hash = (await store.findAccount(id))?.passwordHash;
        const other = hash === "new" ? "old" : "new";
        expect(await store.createSession(sessionOf(id), other)).toBe(false);
        await sweep();
        const old = sessions.map((session) => session.id);
        const kept = (await live(id)).filter((each) => old.includes(each));
        expect(kept).toHaveLength(hash === "new" ? 0 : 2);
        // A user whose reset failed requests another code, which works.
        const unused = (await store.findResetCode(id, at)) !== null;
        if (hash === "new") expect(unused).toBe(false);
        await store.putResetCode({
          codeHash: newId(),
          accountId: id,
          createdAt: at,
          expiresAt: at + LATER_MS,
        });
        expect(await store.findResetCode(id, at)).toBeNull();
        if (gotThrough) expect([hash, (await live(id)).length]).toEqual(["new", 1]);
      },
    );
    expect(writes).toBeGreaterThan(4);
    expect(await collections.passwordChanges.countDocuments()).toBe(0);
  });
});
