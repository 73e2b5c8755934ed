import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { startDiscovery } from "../../testing/service.ts";
import type { TestDiscovery } from "../../testing/service.ts";

describe("plugin support", () => {
  let discovery: TestDiscovery;
  beforeEach(async () => {
    discovery = await startDiscovery();
  });
  afterEach(() => discovery.stop());

  const setting = async (visibility = "public") => {
    const owner = discovery.user();
    const server = await owner.create({ visibility });
    const path = `/api/servers/${server.id}`;
    return { owner, server, path, plugins: `${path}/plugins` };
  };
  const polls = {
    version: "1.2.0",
    required: "recommended",
    config: { colour: "red", nested: { a: [1, null] } },
  };

  it("DI5 is set by the owner or a moderator, and shown to anybody", async () => {
    const { owner, path, plugins } = await setting();
    const moderator = discovery.user();
    await moderator.send("POST", `${path}/join`);
    expect((await moderator.send("PUT", `${plugins}/polls`, polls)).status).toBe(403);
    await owner.send("PUT", `${path}/members/${moderator.userId}`, { role: "moderator" });
    const answer = await moderator.send("PUT", `${plugins}/polls`, polls);
    const shown = {
      pluginId: "polls",
      ...polls,
      updatedAt: discovery.clock.now(),
      updatedBy: moderator.userId,
    };
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(shown);
    expect((await discovery.anybody("GET", plugins)).body).toEqual([shown]);
  });

  it("DI5 is replaced as a whole, and removed", async () => {
    const { owner, plugins } = await setting();
    await owner.send("PUT", `${plugins}/polls`, polls);
    await owner.send("PUT", `${plugins}/polls`, { version: "2", required: "required" });
    expect((await discovery.anybody("GET", plugins)).body).toMatchObject([
      { version: "2", required: "required", config: null },
    ]);
    expect((await owner.send("DELETE", `${plugins}/polls`)).status).toBe(204);
    expect((await discovery.anybody("GET", plugins)).body).toEqual([]);
    expect((await owner.send("DELETE", `${plugins}/polls`)).status).toBe(404);
  });

  it("DI5 DI2 of a private server is shown only to its members", async () => {
    const { owner, plugins } = await setting("private");
    await owner.send("PUT", `${plugins}/polls`, polls);
    expect((await owner.send("GET", plugins)).body).toMatchObject([{ pluginId: "polls" }]);
    expect((await discovery.anybody("GET", plugins)).status).toBe(404);
    expect((await discovery.user().send("GET", plugins)).status).toBe(404);
  });

  it("DI5 stays small: 16 KiB of configuration, 100 plugins", async () => {
    const { owner, plugins } = await setting();
    const large = { ...polls, config: { text: "x".repeat(16 * 1024) } };
    expect(await owner.send("PUT", `${plugins}/large`, large)).toMatchObject({
      status: 400,
      body: { errors: [{ path: "config" }] },
    });
    for (let index = 0; index < 100; index += 1) {
      expect((await owner.send("PUT", `${plugins}/p${index}`, polls)).status).toBe(200);
    }
    expect((await owner.send("PUT", `${plugins}/p100`, polls)).status).toBe(409);
    expect((await owner.send("PUT", `${plugins}/p99`, polls)).status).toBe(200);
  });

  it.each([
    ["polls", { version: "1" }],
    ["polls", { version: "1", required: "maybe" }],
    ["polls", { version: "", required: "optional" }],
    ["polls", { version: "1", required: "optional", config: [] }],
    ["-polls", polls],
    ["a%20b", polls],
  ])("DI5 refuses %s with %j", async (pluginId, body) => {
    const { owner, plugins } = await setting();
    expect((await owner.send("PUT", `${plugins}/${pluginId}`, body)).status).toBe(400);
    expect((await discovery.anybody("GET", plugins)).body).toEqual([]);
  });
});
