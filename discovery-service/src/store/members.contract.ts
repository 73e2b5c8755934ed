import { expect, it } from "@jest/globals";
import { newId } from "@hearth/runtime";
import {
  AMPLE_QUOTAS,
  aBan,
  aMember,
  aRequest,
  anEnding,
  anEntry,
  anInvite,
  storedMember,
  storedServer,
  T0,
} from "../testing/records.ts";
import type { MemberRecord } from "../domain/records.ts";
import type { Store } from "../domain/store.ts";

export function membersSuite(store: () => Store): void {
  const countOf = async (serverId: string) => (await store().servers.find(serverId))?.memberCount;
  const leave = (member: MemberRecord) =>
    store().members.remove(member, null, anEnding(member.serverId, member.userId));
  const first = { after: null, limit: 9 };

  it("DI3 makes a member, and counts it, once", async () => {
    const { server } = await storedServer(store());
    const member = aMember(server.id);
    const added = await store().members.add(anEntry(member));
    expect(added).toEqual({ server: { ...server, memberCount: 2 }, member });
    expect(await store().members.add(anEntry({ ...member, displayName: "Again" }))).toBeNull();
    expect(await store().members.serverAndMember(server.id, member.userId)).toEqual(added);
  });

  it("DI8 makes no member if the server is gone, or has another visibility than was read", async () => {
    const { server } = await storedServer(store(), { visibility: "unlisted" });
    const member = aMember(server.id);
    expect(await store().members.add(anEntry(member, { visibility: "public" }))).toBeNull();
    expect(await store().members.add(anEntry(aMember(newId())))).toBeNull();
    expect(await countOf(server.id)).toBe(1);
  });

  it("DI3 makes no member of a banned user, until the ban ends", async () => {
    const { server, owner } = await storedServer(store());
    const member = aMember(server.id);
    const { userId } = member;
    const ban = aBan(server.id, { userId, expiresAt: T0 + 10 });
    await store().bans.put(ban, null, null, owner, anEnding(server.id, userId), AMPLE_QUOTAS);
    expect(await store().members.add(anEntry({ ...member, joinedAt: T0 + 9 }))).toBeNull();
    expect(await store().members.add(anEntry({ ...member, joinedAt: T0 + 10 }))).not.toBeNull();
  });

  it("DI3 counts the uses of an invite exactly under 100 joins at once", async () => {
    const { server, owner } = await storedServer(store(), { visibility: "private" });
    const invite = anInvite(server.id, { createdBy: owner.userId, maxUses: 7 });
    await store().invites.create(invite, owner, AMPLE_QUOTAS);
    const entry = { visibility: "private", inviteCode: invite.code } as const;
    const joins = Array.from({ length: 100 }, () => store().members.add(anEntry(aMember(server.id), entry)));
    expect((await Promise.all(joins)).filter((joined) => joined !== null)).toHaveLength(7);
    expect((await store().invites.find(invite.code))?.uses).toBe(7);
    expect(await countOf(server.id)).toBe(8);
  });

  it("DI3 admits by no invite that has expired, is withdrawn, or is another server's", async () => {
    const { server, owner } = await storedServer(store(), { visibility: "private" });
    const elsewhere = await storedServer(store());
    const old = anInvite(server.id, { createdBy: owner.userId, expiresAt: T0 + 1, createdAt: T0 });
    const foreign = anInvite(elsewhere.server.id, { createdBy: elsewhere.owner.userId });
    await store().invites.create(old, owner, AMPLE_QUOTAS);
    await store().invites.create(foreign, elsewhere.owner, AMPLE_QUOTAS);
    for (const inviteCode of [old.code, foreign.code, anInvite(server.id).code]) {
      const entry = anEntry(aMember(server.id, { joinedAt: T0 + 1 }), { visibility: "private", inviteCode });
      expect(await store().members.add(entry)).toBeNull();
    }
    expect((await store().invites.find(foreign.code))?.uses).toBe(0);
  });

  it("DI8 removes only in the role that was read, and keeps the ending with it", async () => {
    const { server, owner } = await storedServer(store());
    const member = await storedMember(store(), owner);
    await store().members.setRole(member, "moderator", owner);
    const ending = anEnding(server.id, member.userId);
    expect(await store().members.remove(member, owner, ending)).toBe(false);
    expect(await store().endings.list()).toEqual([]);
    const now = { ...member, role: "moderator" } as const;
    expect(await store().members.remove(now, owner, ending)).toBe(true);
    expect(await store().members.remove(now, owner, anEnding(server.id, member.userId))).toBe(false);
    expect(await store().endings.list()).toEqual([ending]);
    expect(await countOf(server.id)).toBe(1);
    await store().endings.forget(ending.id);
    expect(await store().endings.list()).toEqual([]);
  });

  it("DI8 removes only with a current authority", async () => {
    const { owner } = await storedServer(store());
    const member = await storedMember(store(), owner);
    const stranger = { ...member, userId: newId(), role: "moderator" } as const;
    expect(await store().members.remove(member, stranger, anEnding(member.serverId, member.userId))).toBe(
      false,
    );
    expect(await countOf(member.serverId)).toBe(2);
  });

  it("AB9 withdraws the invites of one who is removed, and of one who leaves", async () => {
    const { server, owner } = await storedServer(store());
    const invites: boolean[] = [];
    for (const authority of [owner, null]) {
      const member = await storedMember(store(), owner);
      const invite = anInvite(server.id, { createdBy: member.userId });
      await store().invites.create(invite, member, AMPLE_QUOTAS);
      await store().members.remove(member, authority, anEnding(server.id, member.userId));
      invites.push((await store().invites.find(invite.code)) !== null);
    }
    expect(invites).toEqual([false, false]);
  });

  it("X13 has the membership of the last step after joins and leaves at random, and the count agrees", async () => {
    const { server, owner } = await storedServer(store());
    const users = Array.from({ length: 5 }, () => aMember(server.id));
    const inside = new Set<string>();
    let seed = 20_261_120;
    for (let step = 0; step < 400; step += 1) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      const user = users[seed % users.length] ?? owner;
      if (seed % 7 < 4) {
        expect((await store().members.add(anEntry(user))) !== null).toBe(!inside.has(user.userId));
        inside.add(user.userId);
      } else {
        expect(await leave(user)).toBe(inside.has(user.userId));
        inside.delete(user.userId);
      }
    }
    const members = await store().members.list(server.id, first);
    expect(new Set(members.map(({ userId }) => userId))).toEqual(new Set([owner.userId, ...inside]));
    expect(await countOf(server.id)).toBe(inside.size + 1);
  }, 60_000);

  it("DI8 changes only the role that was read, with a current authority", async () => {
    const { owner } = await storedServer(store());
    const member = await storedMember(store(), owner);
    expect(await store().members.setRole(member, "moderator", { ...owner, role: "moderator" })).toBe(false);
    expect(await store().members.setRole(member, "moderator", owner)).toBe(true);
    expect(await store().members.setRole(member, "member", owner)).toBe(false);
  });

  it("DI3 lists the members in the order of joining, in pages", async () => {
    const { server, owner } = await storedServer(store());
    for (const joinedAt of [T0 + 3, T0 + 1, T0 + 1, T0 + 2]) await storedMember(store(), owner, { joinedAt });
    const one = await store().members.list(server.id, { after: null, limit: 3 });
    const last = one.at(-1) ?? owner;
    const two = await store().members.list(server.id, { after: [last.joinedAt, last.userId], limit: 3 });
    const joined = [...one, ...two].map(({ joinedAt }) => joinedAt - T0);
    expect(joined).toEqual([0, 1, 1, 2, 3]);
    expect(new Set([...one, ...two].map(({ userId }) => userId)).size).toBe(5);
  });

  it("DI2 lists all servers of a user, private ones too, in the order of joining and in pages", async () => {
    const userId = newId();
    const names = ["a", "b", "c"] as const;
    for (const [index, visibility] of (["private", "unlisted", "public"] as const).entries()) {
      const { owner } = await storedServer(store(), { name: names[index] ?? "", visibility });
      await storedMember(store(), owner, { userId, joinedAt: T0 + index });
    }
    const one = await store().members.listOf(userId, { after: null, limit: 2 });
    const last = one.at(-1);
    const after = last ? ([last.member.joinedAt, last.server.id] as [number, string]) : null;
    const two = await store().members.listOf(userId, { after, limit: 2 });
    expect([...one, ...two].map(({ server }) => server.name)).toEqual(["a", "b", "c"]);
    expect(one[0]?.member).toMatchObject({ userId, role: "member" });
  });

  it("DI4 names the owner and the moderators", async () => {
    const { server, owner } = await storedServer(store());
    const moderator = await storedMember(store(), owner, { role: "moderator" });
    await storedMember(store(), owner);
    expect(new Set(await store().members.staff(server.id))).toEqual(
      new Set([owner.userId, moderator.userId]),
    );
  });

  it("WS10 knows whether two users share a server", async () => {
    const { owner } = await storedServer(store());
    const member = await storedMember(store(), owner);
    const stranger = await storedServer(store());
    expect(await store().members.shareServer(owner.userId, member.userId)).toBe(true);
    expect(await store().members.shareServer(member.userId, owner.userId)).toBe(true);
    expect(await store().members.shareServer(member.userId, stranger.owner.userId)).toBe(false);
    await leave(member);
    expect(await store().members.shareServer(owner.userId, member.userId)).toBe(false);
  });

  it("renames a user in all records, and nobody else", async () => {
    const { server, owner } = await storedServer(store(), { visibility: "private" });
    const other = await storedServer(store());
    const member = await storedMember(store(), other.owner);
    const request = aRequest(server.id, { userId: member.userId });
    await store().requests.create(request);
    await store().members.rename(member.userId, "New name");
    expect((await store().members.serverAndMember(other.server.id, member.userId))?.member?.displayName).toBe(
      "New name",
    );
    expect((await store().requests.find(request.id))?.displayName).toBe("New name");
    expect((await store().members.serverAndMember(server.id, owner.userId))?.member?.displayName).toBe(
      "Somebody",
    );
  });
}
