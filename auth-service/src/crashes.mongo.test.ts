import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { newId, silentLog } from "@hearth/runtime";
import { openMongo } from "@hearth/runtime/network";
import type { Mongo } from "@hearth/runtime/network";
import { createMongoServer, mongoProgram } from "@hearth/runtime/testing";
import type { ServerProcess } from "@hearth/runtime/testing";
import { mongoAccounts } from "./accounts.mongo.ts";
import { collectionsOf, createIndexes } from "./collections.mongo.ts";
import type { AuthCollections } from "./collections.mongo.ts";
import { mongoSessions } from "./sessions.mongo.ts";
import type { SessionRecord } from "./store.ts";

const WRITES = new Set(["create", "updateOne", "updateMany", "deleteOne", "deleteMany"]);
const LATER_MS = 120_000;

class Died extends Error {}

/** Collections of a process that dies instead of making its write number `last`, and does nothing from then on. */
function mortal(collections: AuthCollections, last: number) {
  const life = { writes: 0, dead: false };
  const wrapped = Object.entries(collections).map(([name, model]) => [
    name,
    new Proxy(model, {
      get(target, key) {
        const member: unknown = Reflect.get(target, key);
        if (typeof member !== "function") return member;
        const method = member as (...given: unknown[]) => unknown;
        return (...given: unknown[]) => {
          if (!life.dead && WRITES.has(String(key))) life.dead = life.writes++ === last;
          if (life.dead) throw new Died();
          return method.apply(target, given);
        };
      },
    }),
  ]);
  return { life, collections: Object.fromEntries(wrapped) as AuthCollections };
}

function storeOf(collections: AuthCollections) {
  const { writer, ...sessions } = mongoSessions(collections);
  return { ...sessions, ...mongoAccounts(collections, writer) };
}

const suite = mongoProgram === undefined ? describe.skip : describe;

suite("auth dies between two writes (needs mongod or a server of its protocol)", () => {
  let server: ServerProcess;
  let mongo: Mongo;
  let collections: AuthCollections;
  const at = Date.now();

  beforeAll(async () => {
    server = await createMongoServer(mongoProgram ?? "");
    await server.start();
    mongo = openMongo({ url: `mongodb://127.0.0.1:${server.port}/crashes`, log: silentLog });
    while (!mongo.ready) await setTimeout(5);
    collections = collectionsOf(mongo);
    await createIndexes(collections, silentLog);
  });
  afterAll(async () => {
    await mongo.close();
    await server.end();
  });

  const account = () => {
    const id = newId();
    const name = id.slice(-10);
    const names = { username: name, foldedName: name, displayName: name };
    return { id, ...names, passwordHash: "old", createdAt: at, version: 1 };
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
  const dying = async (work: Promise<unknown>): Promise<void> => {
    await work.catch((error: unknown) => {
      if (!(error instanceof Died)) throw error;
    });
  };

  it("F8 AU4 a login is in force or not there, whenever its process dies, and what is left is forgotten", async () => {
    for (let last = 0; ; last++) {
      const owner = account();
      const session = sessionOf(owner.id);
      const { life, collections: own } = mortal(collections, last);
      await dying(storeOf(own).createAccount(owner, session));
      const healthy = storeOf(collections);
      const found = await healthy.findSession(session.tokenHash);
      if (found) expect(await healthy.listSessions(owner.id, at)).toHaveLength(1);
      else expect(await healthy.listSessions(owner.id, at)).toEqual([]);
      // A name is taken once, and whoever retries can log in.
      const rival = { ...account(), foldedName: owner.foldedName };
      const again = await healthy.createAccount(rival, sessionOf(rival.id));
      expect((await healthy.findAccount(owner.id)) === null).toBe(again);
      if (!life.dead) {
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
      const { life, collections: own } = mortal(collections, last);
      const change = { accountId: owner.id, from: "old", to: "new", keepSessionId: mine.id, at };
      await dying(storeOf(own).changePassword(change));
      const changed = (await healthy.findAccount(owner.id))?.passwordHash === "new";
      if (changed) await healthy.createSession({ ...newer, createdAt: at + 1 }, "new");
      await healthy.expireSessions(at + LATER_MS);
      const live = (await healthy.listSessions(owner.id, at)).map(({ id }) => id).sort();
      expect(live).toEqual((changed ? [mine.id, newer.id] : [mine.id, other.id]).sort());
      expect(await collections.passwordChanges.countDocuments()).toBe(0);
      if (!life.dead) break;
    }
  });

  it("findSession answers neither a pending login nor a token that nobody has", async () => {
    const owner = account();
    const session = sessionOf(owner.id);
    const { collections: own } = mortal(collections, 2);
    await dying(storeOf(own).createAccount(owner, session));
    expect(await collections.sessions.countDocuments({ _id: session.id, pending: true })).toBe(1);
    const healthy = storeOf(collections);
    expect(await healthy.findSession(session.tokenHash)).toBeNull();
    expect(await healthy.sessionState(session.id, owner.id)).toBeNull();
    expect(await healthy.findSession("none")).toBeNull();
  });
});
