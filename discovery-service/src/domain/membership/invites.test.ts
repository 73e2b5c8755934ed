import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { inviteSchema } from "@hearth/contracts";
import { startDiscovery } from "../../testing/service.ts";
import type { TestDiscovery, TestUser } from "../../testing/service.ts";
import { newCode } from "./invites.ts";

describe("invite codes", () => {
  it("DI3 are ten letters and digits, from the whole alphabet", () => {
    let next = 0;
    const counting = (below: number): number => next++ % below;
    const codes = Array.from({ length: 62 }, () => newCode(counting));
    expect(codes.every((code) => /^[0-9A-Za-z]{10}$/.test(code))).toBe(true);
    expect(new Set(codes.join("")).size).toBe(62);
  });
});

describe("invites", () => {
  let discovery: TestDiscovery;
  beforeEach(async () => {
    discovery = await startDiscovery();
  });
  afterEach(() => discovery.stop());

  const setting = async (visibility: string) => {
    const owner = discovery.user("Olga");
    const server = await owner.create({ name: "The place", description: "d", visibility });
    return { owner, server, path: `/api/servers/${server.id}` };
  };
  const invite = async (user: TestUser, path: string, body: unknown = {}) =>
    inviteSchema.parse((await user.send("POST", `${path}/invites`, body)).body);
  const join = (user: TestUser, path: string, inviteCode?: string) =>
    user.send("POST", `${path}/join`, { inviteCode });
  const preview = (code: string) => discovery.anybody("GET", `/api/invites/${code}`);

  it("DI3 admit to a private server, and count their uses", async () => {
    const { owner, path } = await setting("private");
    const { code } = await invite(owner, path);
    expect(code).toMatch(/^[0-9A-Za-z]{10}$/);
    expect(await join(discovery.user(), path, code)).toMatchObject({ status: 200, body: { memberCount: 2 } });
    expect((await discovery.store.invites.find(code))?.uses).toBe(1);
  });

  it("DI3 show anybody their server, also a private one, and nothing more", async () => {
    const { owner, server, path } = await setting("private");
    const expiresAt = discovery.clock.now() + 1_000;
    const { code } = await invite(owner, path, { expiresAt });
    const { id, name, description, iconHash } = server;
    expect(await preview(code)).toMatchObject({ status: 200 });
    expect((await preview(code)).body).toEqual({
      code,
      expiresAt,
      server: { id, name, description, iconHash, memberCount: 1, onlineCount: 0 },
    });
    expect((await preview("AAAAAAAAAA")).status).toBe(404);
  });

  it("DI3 admit exactly their number of users under 100 concurrent joins", async () => {
    const { owner, server, path } = await setting("private");
    const { code } = await invite(owner, path, { maxUses: 10 });
    const users = Array.from({ length: 100 }, () => discovery.user());
    const answers = await Promise.all(users.map((user) => join(user, path, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.every(({ status }) => status === 403)).toBe(true);
    expect(refused.every(({ body }) => (body as { code: string }).code === "ACCESS_DENIED")).toBe(true);
    expect((await owner.see(server.id)).memberCount).toBe(11);
    expect((await discovery.store.invites.find(code))?.uses).toBe(10);
    expect((await preview(code)).status).toBe(404);
  });

  it("DI3 admit until they expire", async () => {
    const { owner, path } = await setting("private");
    const { code } = await invite(owner, path, { expiresAt: discovery.clock.now() + 1_000 });
    discovery.clock.advance(999);
    expect((await join(discovery.user(), path, code)).status).toBe(200);
    discovery.clock.advance(1);
    expect(await join(discovery.user(), path, code)).toMatchObject({ body: { code: "ACCESS_DENIED" } });
    expect((await preview(code)).status).toBe(404);
  });

  it("DI3 are not used up by existing members", async () => {
    const { owner, path } = await setting("private");
    const { code } = await invite(owner, path, { maxUses: 1 });
    expect((await join(owner, path, code)).status).toBe(200);
    expect((await discovery.store.invites.find(code))?.uses).toBe(0);
  });

  it("DI3 admit only to their own server", async () => {
    const { path } = await setting("private");
    const other = await setting("private");
    const { code } = await invite(other.owner, other.path);
    expect((await join(discovery.user(), path, code)).status).toBe(403);
    expect((await discovery.store.invites.find(code))?.uses).toBe(0);
  });

  it("DI3 count on an open server too; a spent one does not close it", async () => {
    const { owner, path } = await setting("public");
    const { code } = await invite(owner, path, { maxUses: 1 });
    expect((await join(discovery.user(), path, code)).status).toBe(200);
    expect((await discovery.store.invites.find(code))?.uses).toBe(1);
    expect((await join(discovery.user(), path, code)).status).toBe(200);
  });

  it("DI3 are made by any member of an open server, and by moderators of a private one", async () => {
    const open = await setting("unlisted");
    const member = discovery.user();
    await join(member, open.path);
    expect((await member.send("POST", `${open.path}/invites`, {})).status).toBe(201);
    expect((await discovery.user().send("POST", `${open.path}/invites`, {})).status).toBe(403);

    const secret = await setting("private");
    await join(member, secret.path, (await invite(secret.owner, secret.path)).code);
    expect((await member.send("POST", `${secret.path}/invites`, {})).status).toBe(403);
    await secret.owner.send("PUT", `${secret.path}/members/${member.userId}`, { role: "moderator" });
    expect((await member.send("POST", `${secret.path}/invites`, {})).status).toBe(201);
  });

  it.each([
    [{ expiresAt: 1 }, 409],
    [{ maxUses: 0 }, 400],
    [{ maxUses: 1.5 }, 400],
    [{ expiresAt: "soon" }, 400],
  ])("DI3 refuse %j", async (body, status) => {
    const { owner, path } = await setting("public");
    expect((await owner.send("POST", `${path}/invites`, body)).status).toBe(status);
  });

  it("DI3 are withdrawn by their maker, the owner and the moderators, and by nobody else", async () => {
    const { owner, path } = await setting("public");
    const [maker, moderator, other] = [discovery.user(), discovery.user(), discovery.user()];
    for (const user of [maker, moderator, other]) await join(user, path);
    await owner.send("PUT", `${path}/members/${moderator.userId}`, { role: "moderator" });
    for (const allowed of [maker, moderator, owner]) {
      const { code } = await invite(maker, path);
      for (const user of [other, discovery.user()]) {
        expect((await user.send("DELETE", `/api/invites/${code}`)).status).toBe(403);
      }
      expect((await preview(code)).status).toBe(200);
      expect((await allowed.send("DELETE", `/api/invites/${code}`)).status).toBe(204);
      expect((await preview(code)).status).toBe(404);
      expect((await allowed.send("DELETE", `/api/invites/${code}`)).status).toBe(404);
    }
  });

  it("DI3 of a removed member admit nobody any more, not even their maker", async () => {
    const { owner, path } = await setting("private");
    const maker = discovery.user();
    await join(maker, path, (await invite(owner, path)).code);
    await owner.send("PUT", `${path}/members/${maker.userId}`, { role: "moderator" });
    const { code } = await invite(maker, path);
    await owner.send("DELETE", `${path}/members/${maker.userId}`);
    for (const user of [maker, discovery.user()]) expect((await join(user, path, code)).status).toBe(403);
  });
});
