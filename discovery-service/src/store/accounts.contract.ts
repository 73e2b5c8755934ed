import { expect, it } from "@jest/globals";
import { newId } from "@hearth/runtime";
import {
  AMPLE_QUOTAS,
  aBan,
  aMember,
  aRequest,
  aServer,
  anEnding,
  anInvite,
  storedMember,
  storedServer,
  ownerOf,
  T0,
} from "../testing/records.ts";
import type { Store } from "../domain/store.ts";
import { COLD } from "../domain/trending.ts";

export function accountsSuite(store: () => Store): void {
  it("AB12 deletes the requests, invites and bans of an account, and of no other", async () => {
    const userId = newId();
    const { server, owner } = await storedServer(store(), { visibility: "private" });
    const request = aRequest(server.id, { userId });
    await store().requests.create(request);
    const other = aRequest(server.id);
    await store().requests.create(other);
    const invite = anInvite(server.id, { createdBy: userId });
    await store().invites.create(invite, owner, AMPLE_QUOTAS);
    const elsewhere = await storedServer(store());
    const ban = aBan(elsewhere.server.id, { userId });
    const made = aBan(elsewhere.server.id, { bannedBy: userId });
    for (const one of [ban, made])
      await store().bans.put(
        one,
        null,
        null,
        elsewhere.owner,
        anEnding(one.serverId, one.userId),
        AMPLE_QUOTAS,
      );
    expect(await store().accounts.records(userId, 9)).toEqual({
      requests: [request],
      invites: [invite],
      bans: [ban],
    });
    for (let times = 0; times < 2; times += 1) {
      await store().accounts.forget(userId);
      expect(await store().accounts.records(userId, 9)).toEqual({ requests: [], invites: [], bans: [] });
    }
    expect(await store().requests.find(other.id)).toEqual(other);
    expect(await store().bans.find(elsewhere.server.id, made.userId)).toEqual(made);
  });

  it("AB12 names the member of a role who joined first", async () => {
    const { server, owner } = await storedServer(store());
    expect(await store().members.longestMember(server.id, "moderator")).toBeNull();
    const joined = [3, 1, 2].map((time) => ({ joinedAt: T0 + time }));
    for (const fields of joined) await storedMember(store(), owner, fields);
    expect(await store().members.longestMember(server.id, "member")).toMatchObject({ joinedAt: T0 + 1 });
    expect(await store().members.longestMember(server.id, "owner")).toEqual(owner);
  });

  it("AB8 adds the username where rows lack it, and changes none", async () => {
    const { server, owner } = await storedServer(store());
    const old = await storedMember(store(), owner, { username: null });
    const known = await storedMember(store(), owner);
    for (const { userId } of [old, known]) await store().members.addUsername(userId, "new");
    const usernameOf = async (userId: string) =>
      (await store().members.serverAndMember(server.id, userId))?.member?.username;
    expect([await usernameOf(old.userId), await usernameOf(known.userId)]).toEqual(["new", "somebody"]);
  });

  it("AB4 limits the servers of an account, concurrent and transferred ones too", async () => {
    const ownerId = newId();
    const quota = { serversOwned: 3 };
    const make = () => {
      const server = aServer({ ownerId });
      return store().servers.create(server, ownerOf(server), COLD, quota);
    };
    const made = await Promise.allSettled(Array.from({ length: 9 }, make));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(await store().servers.ownedBy(ownerId)).toBe(3);
    const { owner } = await storedServer(store());
    const heir = await storedMember(store(), owner, { userId: ownerId });
    await expect(store().servers.transfer(owner, heir, T0, quota)).rejects.toMatchObject({
      code: "QUOTA_EXCEEDED",
      extras: { reason: "servers_owned" },
    });
    expect(await store().servers.transfer(owner, heir, T0, null)).toMatchObject({ ownerId });
  });

  it("AB4 limits the bans of a server, concurrent ones too, and deletes expired ones", async () => {
    const { server, owner } = await storedServer(store());
    const put = (fields: Parameters<typeof aBan>[1] = {}) => {
      const ban = aBan(server.id, fields);
      return store().bans.put(ban, null, null, owner, anEnding(server.id, ban.userId), { bans: 3 });
    };
    await put({ expiresAt: T0 + 1 });
    const answers = await Promise.allSettled(Array.from({ length: 9 }, () => put({ createdAt: T0 + 1 })));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    await expect(put()).rejects.toMatchObject({ code: "QUOTA_EXCEEDED", extras: { reason: "bans" } });
    const { userId } = aMember(server.id);
    const again = aBan(server.id, { userId });
    expect(await store().bans.find(server.id, again.userId)).toBeNull();
  });

  it("AB11 features, finds and deletes a server for the operator", async () => {
    const { server } = await storedServer(store(), { name: "The [Best] Place", visibility: "private" });
    const { server: other } = await storedServer(store(), { name: "Other" });
    expect((await store().servers.search("[best]", 9)).map(({ id }) => id)).toEqual([server.id]);
    expect(await store().servers.search("x(", 9)).toEqual([]);
    expect(await store().featured.add(other.id, 2)).toBe(true);
    expect(await store().featured.add(server.id, 1)).toBe(true);
    expect(await store().featured.add(server.id, 9)).toBe(true);
    expect(await store().featured.add(newId(), 1)).toBe(false);
    expect(await store().featured.list()).toEqual([server.id, other.id]);
    const ending = { id: newId(), serverId: server.id, userId: null, reason: "deleted" } as const;
    expect(await store().servers.remove(null, ending)).toBe(true);
    expect(await store().servers.remove(null, { ...ending, id: newId() })).toBe(false);
    expect(await store().featured.list()).toEqual([other.id]);
    expect(await store().endings.list()).toEqual([ending]);
    expect([await store().featured.remove(other.id), await store().featured.remove(other.id)]).toEqual([
      true,
      false,
    ]);
  });
}
