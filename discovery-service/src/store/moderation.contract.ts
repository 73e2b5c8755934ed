import { expect, it } from "@jest/globals";
import { newId } from "@hearth/runtime";
import {
  AMPLE_QUOTAS,
  aBan,
  aPlugin,
  aRequest,
  anEnding,
  anInvite,
  storedMember,
  storedServer,
  T0,
} from "../testing/records.ts";
import type { BanRecord, Decision, MemberRecord } from "../domain/records.ts";
import type { Store } from "../domain/store.ts";

export function bansSuite(store: () => Store): void {
  const put = (ban: BanRecord, before: BanRecord | null, member: MemberRecord | null, by: MemberRecord) =>
    store().bans.put(ban, before, member, by, anEnding(ban.serverId, ban.userId), AMPLE_QUOTAS);

  it("DI3 bans a member in one step: no membership, no invites, one fewer, and an ending", async () => {
    const { server, owner } = await storedServer(store());
    const member = await storedMember(store(), owner);
    const { userId } = member;
    const invite = anInvite(server.id, { createdBy: userId });
    await store().invites.create(invite, member, AMPLE_QUOTAS);
    const ban = aBan(server.id, { userId, bannedBy: owner.userId, reason: "spam", expiresAt: T0 + 5 });
    const ending = anEnding(server.id, userId);
    expect(await store().bans.put(ban, null, member, owner, ending, AMPLE_QUOTAS)).toBe(true);
    expect(await store().bans.find(server.id, userId)).toEqual(ban);
    expect(await store().members.serverAndMember(server.id, userId)).toEqual({ server, member: null });
    expect(await store().invites.find(invite.code)).toBeNull();
    expect(await store().endings.list()).toEqual([ending]);
  });

  it("DI3 bans a user who is not a member", async () => {
    const { server, owner } = await storedServer(store());
    expect(await put(aBan(server.id), null, null, owner)).toBe(true);
    expect((await store().servers.find(server.id))?.memberCount).toBe(1);
  });

  it("DI8 bans only over the ban, the membership and the authority that were read", async () => {
    const { server, owner } = await storedServer(store());
    const member = await storedMember(store(), owner);
    const { userId } = member;
    const ban = aBan(server.id, { userId });
    expect(await put(ban, null, null, owner)).toBe(false);
    expect(await put(ban, null, { ...member, role: "moderator" }, owner)).toBe(false);
    expect(await put(ban, aBan(server.id, { userId }), member, owner)).toBe(false);
    expect(await put(ban, null, member, { ...owner, role: "moderator" })).toBe(false);
    expect(await store().endings.list()).toEqual([]);
    expect(await put(ban, null, member, owner)).toBe(true);
    const longer = aBan(server.id, { userId, expiresAt: T0 + 9 });
    expect(await put(longer, null, null, owner)).toBe(false);
    expect(await put(longer, ban, null, owner)).toBe(true);
    expect(await store().bans.find(server.id, userId)).toEqual(longer);
  });

  it("DI8 lifts only the ban that was read", async () => {
    const { server, owner } = await storedServer(store());
    const ban = aBan(server.id);
    await put(ban, null, null, owner);
    expect(await store().bans.lift({ ...ban, revision: newId() }, owner)).toBe(false);
    expect(await store().bans.lift(ban, { ...owner, role: "moderator" })).toBe(false);
    expect(await store().bans.lift(ban, owner)).toBe(true);
    expect(await store().bans.lift(ban, owner)).toBe(false);
    expect(await store().bans.find(server.id, ban.userId)).toBeNull();
  });

  it("DI3 lists the bans in force, the latest first, in pages", async () => {
    const { server, owner } = await storedServer(store());
    for (const [reason, createdAt, expiresAt] of [
      ["a", T0 + 1, null],
      ["b", T0 + 2, T0 + 50],
      ["c", T0 + 3, T0 + 20],
      ["d", T0 + 2, null],
    ] as const) {
      await put(aBan(server.id, { reason, createdAt, expiresAt }), null, null, owner);
    }
    const now = T0 + 20;
    const one = await store().bans.list(server.id, { after: null, limit: 2 }, now);
    const last = one.at(-1);
    const after = last ? ([last.createdAt, last.userId] as [number, string]) : null;
    const two = await store().bans.list(server.id, { after, limit: 2 }, now);
    expect([...one, ...two].map(({ reason }) => reason)).toEqual(["d", "b", "a"]);
  });
}

export function requestsSuite(store: () => Store): void {
  const decision = (status: Decision["status"]): Decision => ({
    status,
    decidedBy: newId(),
    decidedAt: T0 + 7,
  });
  const privately = () => storedServer(store(), { visibility: "private" });

  it("DI4 keeps one pending request per user and server", async () => {
    const { server, owner } = await privately();
    const request = aRequest(server.id, { message: "Hi" });
    const { userId } = request;
    expect(await store().requests.create(request)).toBe(true);
    expect(await store().requests.create(aRequest(server.id, { userId }))).toBe(false);
    expect(await store().requests.findPending(server.id, userId)).toEqual(request);
    await store().requests.decide(request, decision("rejected"), owner, 5);
    expect(await store().requests.findPending(server.id, userId)).toBeNull();
    expect(await store().requests.create(aRequest(server.id, { userId }))).toBe(true);
  });

  it("DI4 accepts no request if the server is not private, from a member, or from a banned user", async () => {
    const open = await storedServer(store());
    expect(await store().requests.create(aRequest(open.server.id))).toBe(false);
    const { server, owner } = await privately();
    expect(await store().requests.create(aRequest(server.id, { userId: owner.userId }))).toBe(false);
    const ban = aBan(server.id, { expiresAt: T0 + 5 });
    const { userId } = ban;
    await store().bans.put(ban, null, null, owner, anEnding(server.id, userId), AMPLE_QUOTAS);
    expect(await store().requests.create(aRequest(server.id, { userId, createdAt: T0 + 4 }))).toBe(false);
    expect(await store().requests.create(aRequest(server.id, { userId, createdAt: T0 + 5 }))).toBe(true);
  });

  it("DI4 makes a member by an approval, once", async () => {
    const { server, owner } = await privately();
    const request = aRequest(server.id);
    await store().requests.create(request);
    const approval = decision("approved");
    expect(await store().requests.decide(request, approval, owner, 5)).toEqual({ added: true });
    expect(await store().requests.decide(request, decision("rejected"), owner, 5)).toBeNull();
    expect(await store().requests.find(request.id)).toEqual({ ...request, ...approval });
    const { userId, username, displayName } = request;
    expect(await store().members.serverAndMember(server.id, userId)).toEqual({
      server: { ...server, memberCount: 2 },
      member: {
        serverId: server.id,
        userId,
        username,
        displayName,
        role: "member",
        joinedAt: approval.decidedAt,
      },
    });
  });

  it("DI4 makes nobody a member by a rejection, nor twice by an approval", async () => {
    const { server, owner } = await privately();
    const one = aRequest(server.id);
    await store().requests.create(one);
    expect(await store().requests.decide(one, decision("rejected"), owner, 5)).toEqual({ added: false });
    const two = aRequest(server.id);
    await store().requests.create(two);
    await storedMember(store(), owner, { userId: two.userId });
    expect(await store().requests.decide(two, decision("approved"), owner, 5)).toEqual({ added: false });
    expect((await store().servers.find(server.id))?.memberCount).toBe(2);
  });

  it("DI8 decides only by an authority that holds, and approves nobody who is banned", async () => {
    const { server, owner } = await privately();
    const request = aRequest(server.id);
    await store().requests.create(request);
    const former = { ...owner, role: "moderator" } as const;
    expect(await store().requests.decide(request, decision("approved"), former, 5)).toBeNull();
    const { userId } = request;
    await store().bans.put(
      aBan(server.id, { userId }),
      null,
      null,
      owner,
      anEnding(server.id, userId),
      AMPLE_QUOTAS,
    );
    expect(await store().requests.decide(request, decision("approved"), owner, 5)).toBeNull();
    expect(await store().requests.find(request.id)).toEqual(request);
    expect(await store().requests.decide(request, decision("rejected"), owner, 5)).not.toBeNull();
  });

  it("DI4 lists the pending requests, the oldest first, in pages", async () => {
    const { server, owner } = await privately();
    for (const [message, createdAt] of [
      ["b", 2],
      ["a", 1],
      ["c", 2],
      ["d", 3],
    ] as const) {
      await store().requests.create(aRequest(server.id, { message, createdAt }));
    }
    const decided = aRequest(server.id, { message: "decided" });
    await store().requests.create(decided);
    await store().requests.decide(decided, decision("rejected"), owner, 5);
    const one = await store().requests.listPending(server.id, { after: null, limit: 3 });
    const last = one.at(-1);
    const after = last ? ([last.createdAt, last.id] as [number, string]) : null;
    const two = await store().requests.listPending(server.id, { after, limit: 3 });
    expect([...one, ...two].map(({ message }) => message)).toEqual(["a", "b", "c", "d"]);
  });
}

export function pluginsSuite(store: () => Store): void {
  it("DI5 keeps a plugin with its configuration, and lists them by id", async () => {
    const { server, owner } = await storedServer(store());
    const config = { colour: "red", depth: { a: [1, null, "ü"] } };
    const b = aPlugin(server.id, { pluginId: "b", config });
    const a = aPlugin(server.id, { pluginId: "a" });
    await store().plugins.put(b, null, owner);
    await store().plugins.put(a, null, owner);
    expect(await store().plugins.list(server.id)).toEqual([a, b]);
    expect(await store().plugins.find(server.id, "b")).toEqual(b);
    expect(await store().plugins.find(server.id, "c")).toBeNull();
  });

  it("DI8 replaces and removes only what was read, by an authority that holds", async () => {
    const { server, owner } = await storedServer(store());
    const first = aPlugin(server.id);
    const former = { ...owner, role: "moderator" } as const;
    expect(await store().plugins.put(first, null, former)).toBe(false);
    expect(await store().plugins.put(first, null, owner)).toBe(true);
    const second = aPlugin(server.id, { version: "2" });
    expect(await store().plugins.put(second, null, owner)).toBe(false);
    expect(await store().plugins.put(second, first, owner)).toBe(true);
    expect(await store().plugins.remove(first, owner)).toBe(false);
    expect(await store().plugins.remove(second, former)).toBe(false);
    expect(await store().plugins.remove(second, owner)).toBe(true);
    expect(await store().plugins.list(server.id)).toEqual([]);
  });
}
