import { setTimeout } from "node:timers/promises";
import { beforeAll, expect, it } from "@jest/globals";
import { AMPLE_QUOTAS } from "../../testing/records.ts";
import { newId } from "@hearth/runtime";
import { describeWithMongo, crashing, untilCrash, until } from "@hearth/runtime/testing";
import { collectionsOf, createIndexes } from "./collections.mongo.ts";
import type { Collections } from "./collections.mongo.ts";
import { createLocks } from "./locks.mongo.ts";
import type { LockTimes } from "./locks.mongo.ts";
import { mongoMembers } from "./members.mongo.ts";
import { mongoInvites } from "./invites.mongo.ts";
import { mongoBans, mongoRequests } from "./moderation.mongo.ts";
import { repair } from "./repair.mongo.ts";
import { mongoServers } from "./servers.mongo.ts";
import { createSteps } from "./steps.mongo.ts";
import type { MemberRecord, ServerRecord } from "../../domain/records.ts";

const ABANDONED_MS = 30;

const locksFor = (collections: Collections, times: LockTimes) =>
  createLocks(collections, (id) => repair(collections, id, Date.now()), times);

function storeOf(collections: Collections) {
  const locks = locksFor(collections, { abandonedMs: ABANDONED_MS });
  const steps = createSteps(collections);
  return {
    locks,
    servers: mongoServers(collections, locks, steps),
    members: mongoMembers(collections, locks, steps),
    bans: mongoBans(collections, locks, steps),
    invites: mongoInvites(collections, locks, steps),
    requests: mongoRequests(collections, locks, steps),
  };
}
type StoreOf = ReturnType<typeof storeOf>;

describeWithMongo("a process that dies between two writes", ({ open }) => {
  let collections: Collections;
  const at = Date.now();

  beforeAll(async () => {
    collections = collectionsOf(await open());
    await createIndexes(collections);
  });

  const member = (serverId: string, userId: string, role: MemberRecord["role"]): MemberRecord => ({
    serverId,
    userId,
    username: userId,
    displayName: userId,
    role,
    joinedAt: at,
  });
  const serverRecord = (id: string): ServerRecord => ({
    id,
    name: "A server",
    description: "",
    iconHash: null,
    tags: [],
    visibility: "private",
    ownerId: "owner",
    memberCount: 1,
    channels: [],
    createdAt: at,
    updatedAt: at,
    version: 1,
  });
  const ending = (serverId: string, userId: string | null, reason: "removed" | "banned" | "deleted") =>
    ({ id: newId(), serverId, userId, reason }) as Parameters<StoreOf["members"]["remove"]>[2];

  const settled = async (): Promise<void> => {
    const { locks } = storeOf(collections);
    const limit = Date.now() + 5_000;
    while ((await collections.locks.countDocuments()) > 0 && Date.now() < limit) {
      await locks.sweep();
      await setTimeout(ABANDONED_MS);
    }
    locks.close();
    expect(await collections.locks.countDocuments()).toBe(0);
  };

  const expectAgreement = async (serverId: string): Promise<void> => {
    const { servers, members, bans, invites, requests } = collections;
    const known = await servers.findById(serverId).lean();
    const everybody = await members.find({ serverId }).lean();
    if (!known) {
      const left = [bans, invites, requests].map((model) =>
        (model as typeof bans).countDocuments({ serverId }),
      );
      expect(await Promise.all(left)).toEqual([0, 0, 0]);
      // A creation that died early may leave the owner without a server, which no query returns.
      expect(everybody.filter(({ role }) => role !== "owner")).toEqual([]);
      return;
    }
    expect(known.memberCount).toBe(everybody.length);
    const owners = everybody.filter(({ role }) => role === "owner");
    expect(owners.map(({ userId }) => userId)).toEqual([known.ownerId]);
    const banned = new Set((await bans.find({ serverId }).lean()).map(({ userId }) => userId));
    expect(everybody.filter(({ userId }) => banned.has(userId))).toEqual([]);
  };

  const asOwner = (serverId: string) => member(serverId, "owner", "owner");
  const writes: Record<string, (store: StoreOf, serverId: string) => Promise<unknown>> = {
    create: (store, id) =>
      store.servers.create({ ...serverRecord(`${id}-new`) }, asOwner(`${id}-new`), 1, AMPLE_QUOTAS),
    join: (store, id) =>
      store.members.add({
        member: member(id, "joiner", "member"),
        visibility: "private",
        inviteCode: `code-${id}`,
        points: 5,
      }),
    remove: (store, id) =>
      store.members.remove(member(id, "ada", "member"), asOwner(id), ending(id, "ada", "removed")),
    ban: (store, id) =>
      store.bans.put(
        {
          serverId: id,
          userId: "ada",
          bannedBy: "owner",
          reason: null,
          createdAt: at,
          expiresAt: null,
          revision: newId(),
        },
        null,
        member(id, "ada", "member"),
        asOwner(id),
        ending(id, "ada", "banned"),
        AMPLE_QUOTAS,
      ),
    transfer: (store, id) =>
      store.servers.transfer(asOwner(id), member(id, "ada", "member"), at, AMPLE_QUOTAS),
    approve: async (store, id) => {
      const request = await store.requests.findPending(id, "asker");
      if (!request) throw new Error("There is no request");
      const decision = { status: "approved", decidedAt: at, decidedBy: "owner" } as const;
      return store.requests.decide(request, decision, asOwner(id), 5);
    },
    delete: (store, id) => store.servers.remove(asOwner(id), ending(id, null, "deleted")),
  };

  const prepared = async (): Promise<string> => {
    const id = newId();
    const store = storeOf(collections);
    await store.servers.create(serverRecord(id), asOwner(id), 1, AMPLE_QUOTAS);
    const invite = { serverId: id, createdBy: "owner", createdAt: at, expiresAt: null, uses: 0 };
    await store.invites.create({ code: `code-${id}`, ...invite, maxUses: null }, asOwner(id), AMPLE_QUOTAS);
    const ada = { member: member(id, "ada", "member"), visibility: "private", points: 1 } as const;
    await store.members.add({ ...ada, inviteCode: null });
    await store.requests.create({
      id: newId(),
      serverId: id,
      userId: "asker",
      username: "asker",
      displayName: "Asker",
      message: null,
      status: "pending",
      createdAt: at,
      decidedAt: null,
      decidedBy: null,
    });
    store.locks.close();
    return id;
  };

  it.each(Object.keys(writes))(
    "F8 X20 %s leaves nothing that does not heal by itself",
    async (name) => {
      const write = writes[name];
      if (!write) throw new Error("unknown");
      for (let last = 0; ; last++) {
        const id = await prepared();
        const { life, collections: own } = crashing(collections, last);
        const store = storeOf(own);
        await untilCrash(write(store, id));
        store.locks.close();
        await settled();
        await expectAgreement(id);
        await expectAgreement(`${id}-new`);
        if (!life.crashed) {
          expect(last).toBeGreaterThan(1);
          break;
        }
      }
    },
    30_000,
  );

  it("a write that fails half-way is mended by the process itself, as soon as MongoDB lets it", async () => {
    const id = await prepared();
    let broken = true;
    const failing = new Proxy(collections.servers, {
      get(target, key) {
        const found: unknown = Reflect.get(target, key);
        if (key !== "updateOne" || !broken) return found;
        return () => Promise.reject(new Error("MongoDB is away"));
      },
    });
    const own = { ...collections, servers: failing };
    const locks = locksFor(own, { abandonedMs: 10_000 });
    const members = mongoMembers(own, locks, createSteps(own));
    const removal = members.remove(member(id, "ada", "member"), asOwner(id), ending(id, "ada", "removed"));
    await expect(removal).rejects.toThrow("MongoDB is away");
    expect(await collections.locks.countDocuments()).toBe(1);
    broken = false;
    await until(async () => (await collections.locks.countDocuments()) === 0, 5_000);
    locks.close();
    await expectAgreement(id);
    expect(await collections.locks.countDocuments()).toBe(0);
  });

  it("X20 who is slow keeps the lock, who is dead does not", async () => {
    const slow = locksFor(collections, { abandonedMs: 150, renewMs: 20 });
    const other = locksFor(collections, { abandonedMs: 150, renewMs: 20 });
    const id = newId();
    const steps: string[] = [];
    const first = slow.hold(id, async () => {
      for (let looks = 0; looks < 10; looks += 1) {
        await setTimeout(50);
        await other.sweep();
      }
      steps.push("slow");
    });
    await setTimeout(20);
    const second = other.hold(id, async () => void steps.push("other"));
    await Promise.all([first, second]);
    expect(steps).toEqual(["slow", "other"]);

    await collections.locks.create([{ _id: id, holder: "dead", renewals: 3 }]);
    await other.hold(id, async () => void steps.push("after the dead"));
    await collections.locks.collection.insertOne({ _id: id, holder: "dead before an upgrade" } as never);
    await other.hold(id, async () => void steps.push("after the upgrade"));
    expect(steps.slice(2)).toEqual(["after the dead", "after the upgrade"]);
    for (const locks of [slow, other]) locks.close();
  });
});
