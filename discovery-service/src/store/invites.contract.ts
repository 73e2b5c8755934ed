import { expect, it } from "@jest/globals";
import type { Invite } from "@hearth/contracts";
import {
  AMPLE_QUOTAS,
  aMember,
  anEnding,
  anEntry,
  anInvite,
  storedMember,
  storedServer,
  T0,
} from "../testing/records.ts";
import type { MemberRecord } from "../domain/records.ts";
import type { Slice, Store } from "../domain/store.ts";

export function invitesSuite(store: () => Store): void {
  it("DI3 keeps an invite until it is withdrawn, and a code only once", async () => {
    const { server, owner } = await storedServer(store());
    const invite = anInvite(server.id, { createdBy: owner.userId, expiresAt: T0 + 1, maxUses: 3 });
    expect(await store().invites.create(invite, owner, AMPLE_QUOTAS)).toBe(true);
    expect(await store().invites.create({ ...invite, maxUses: null }, owner, AMPLE_QUOTAS)).toBe(false);
    expect(await store().invites.find(invite.code)).toEqual(invite);
    expect(await store().invites.remove(invite, null)).toBe(true);
    expect(await store().invites.remove(invite, null)).toBe(false);
    expect(await store().invites.find(invite.code)).toBeNull();
  });

  it("DI8 creates and withdraws invites only with a current authority", async () => {
    const { server, owner } = await storedServer(store());
    const former = { ...owner, role: "moderator" } as const;
    const invite = anInvite(server.id, { createdBy: owner.userId });
    expect(await store().invites.create(invite, former, AMPLE_QUOTAS)).toBe(false);
    await store().invites.create(invite, owner, AMPLE_QUOTAS);
    expect(await store().invites.remove(invite, former)).toBe(false);
    expect(await store().invites.find(invite.code)).toEqual(invite);
  });

  const scene = async (visibility: "public" | "private" = "public") => {
    const { server, owner } = await storedServer(store());
    const [moderator, member] = [
      await storedMember(store(), owner, { role: "moderator" }),
      await storedMember(store(), owner),
    ];
    const invites: Invite[] = [];
    for (const maker of [owner, moderator, member]) {
      const invite = anInvite(server.id, { createdBy: maker.userId, createdAt: T0 + invites.length });
      await store().invites.create(invite, maker, AMPLE_QUOTAS);
      invites.push(invite);
    }
    const hidden = { ...server, visibility, version: 2 };
    if (visibility === "private") await store().servers.update(owner, hidden);
    const living = async () => {
      const found = await Promise.all(invites.map(({ code }) => store().invites.find(code)));
      const listed = await store().invites.list(server.id, { after: null, limit: 9 }, T0 + 9);
      expect(listed.map(({ code }) => code)).toEqual(found.flatMap((one) => one?.code ?? []).toReversed());
      return found.map((one) => one !== null);
    };
    return { server, owner, moderator, member, invites, living };
  };

  it("AB9 ends the invites of plain members when the server becomes private, for good", async () => {
    const { server, owner, living } = await scene("private");
    expect(await living()).toEqual([true, true, false]);
    await store().servers.update(owner, { ...server, visibility: "public", version: 3 });
    expect(await living()).toEqual([true, true, false]);
  });

  it("AB9 ends the invites of a moderator of a private server at the demotion, for good", async () => {
    const { owner, moderator, living } = await scene("private");
    await store().members.setRole(moderator, "member", owner);
    expect(await living()).toEqual([true, false, false]);
    await store().members.setRole({ ...moderator, role: "member" }, "moderator", owner);
    expect(await living()).toEqual([true, false, false]);
  });

  it("AB9 lets a demoted moderator's invites to an open server live, and ends those of one who leaves", async () => {
    const { owner, moderator, member, living } = await scene();
    await store().members.setRole(moderator, "member", owner);
    expect(await living()).toEqual([true, true, true]);
    await store().members.remove(member, null, anEnding(member.serverId, member.userId));
    expect(await living()).toEqual([true, true, false]);
  });

  it("AB9 admits nobody by an invite whose maker may no longer invite", async () => {
    const { server, owner } = await storedServer(store());
    const member = await storedMember(store(), owner);
    const invite = anInvite(server.id, { createdBy: member.userId });
    await store().invites.create(invite, member, AMPLE_QUOTAS);
    const stray = anInvite(server.id, { createdBy: aMember(server.id).userId });
    await store().invites.create(stray, owner, AMPLE_QUOTAS);
    expect(await store().invites.find(stray.code)).toBeNull();
    expect(await store().invites.list(server.id, { after: null, limit: 9 }, T0)).toEqual([invite]);
    const entry = { inviteCode: stray.code };
    expect(await store().members.add(anEntry(aMember(server.id), entry))).toBeNull();
    expect(
      await store().members.add(anEntry(aMember(server.id), { inviteCode: invite.code })),
    ).not.toBeNull();
  });

  it("AB9 lists usable invites, the latest first, in pages", async () => {
    const { server, owner } = await storedServer(store());
    const make = (createdAt: number, more: Partial<Invite> = {}) => {
      const invite = anInvite(server.id, { createdBy: owner.userId, createdAt, ...more });
      return store().invites.create(invite, owner, AMPLE_QUOTAS);
    };
    await make(T0 + 1);
    await make(T0 + 2, { expiresAt: T0 + 20 });
    await make(T0 + 3, { maxUses: 1, uses: 1 });
    await make(T0 + 3);
    await make(T0 + 3, { expiresAt: T0 + 10 });
    const list = (after: Slice<[number, string]>["after"], now: number) =>
      store().invites.list(server.id, { after, limit: 2 }, now);
    const one = await list(null, T0 + 10);
    const last = one.at(-1);
    const two = await list(last ? [last.createdAt, last.code] : null, T0 + 10);
    expect([...one, ...two].map(({ createdAt }) => createdAt - T0)).toEqual([3, 2, 1]);
  });

  it("AB4 limits usable invites, concurrent ones too, and deletes spent ones", async () => {
    const { server, owner } = await storedServer(store());
    const member = await storedMember(store(), owner);
    const quota = { invites: 5, invitesOfMember: 3 };
    const make = (maker: MemberRecord, more: Partial<Invite> = {}) =>
      store().invites.create(anInvite(server.id, { createdBy: maker.userId, ...more }), maker, quota);
    await make(member, { expiresAt: T0 + 1 });
    const later = { createdAt: T0 + 1 };
    const answers = await Promise.allSettled(Array.from({ length: 12 }, () => make(member, later)));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    const reason = (name: string) => ({ code: "QUOTA_EXCEEDED", extras: { reason: name } });
    await expect(make(member, later)).rejects.toMatchObject(reason("invites_member"));
    for (let times = 0; times < 2; times += 1) expect(await make(owner, later)).toBe(true);
    await expect(make(owner, later)).rejects.toMatchObject(reason("invites"));
  });
}
