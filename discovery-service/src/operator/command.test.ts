import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { newId } from "@hearth/runtime";
import { startDiscovery } from "../testing/service.ts";
import type { TestDiscovery } from "../testing/service.ts";
import { DISCOVERY_DATABASE } from "../store/sqlite/store.sqlite.ts";
import { serversCommand } from "./command.ts";

describe("the operator's command for servers, while the service runs", () => {
  let folder: string;
  let discovery: TestDiscovery;
  let said: string;
  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "discovery-"));
    discovery = await startDiscovery({ file: path.join(folder, DISCOVERY_DATABASE) });
    said = "";
    for (const stream of [process.stdout, process.stderr])
      jest.spyOn(stream, "write").mockImplementation((text) => {
        said += String(text);
        return true;
      });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await discovery.stop();
    rmSync(folder, { recursive: true });
  });
  const run = async (...argv: string[]) => {
    said = "";
    return { code: await serversCommand(argv, { DATA_DIR: folder }), said };
  };

  it("AB11 finds servers of any visibility by name and id, and features them within seconds", async () => {
    const owner = discovery.user();
    const secret = await owner.create({ name: "Secret garden", visibility: "private" });
    const open = await owner.create({ name: "Open garden" });
    expect(await run("find", "GARDEN")).toMatchObject({
      code: 0,
      said: expect.stringContaining(secret.id),
    });
    expect((await run("find", open.id)).said).toContain("Open garden");
    expect(await run("feature", open.id)).toEqual({ code: 0, said: "Done\n" });
    discovery.clock.advance(5_000);
    expect(await discovery.anybody("GET", "/api/servers/featured")).toMatchObject({
      body: { items: [{ id: open.id, featured: true }] },
    });
    expect((await run("find", open.id)).said).toContain("featured");
    expect((await run("unfeature", open.id)).code).toBe(0);
    discovery.clock.advance(5_000);
    expect(await discovery.anybody("GET", "/api/servers/featured")).toMatchObject({ body: { items: [] } });
  });

  it("AB11 deletes a server, which the service announces", async () => {
    const { id } = await discovery.user().create();
    await discovery.events();
    expect((await run("delete", id)).code).toBe(0);
    expect(await discovery.anybody("GET", `/api/servers/${id}`)).toMatchObject({ status: 404 });
    const seen: unknown[] = [];
    for (let left = 100; seen.length === 0 && left > 0; left -= 1) {
      await wait(100);
      seen.push(...(await discovery.events()));
    }
    expect(seen).toEqual([{ subject: "discovery.server.deleted", payload: { serverId: id } }]);
    expect(await discovery.store.endings.list()).toEqual([]);
  });

  it("AB11 reports a missing server and a wrong command", async () => {
    for (const action of ["find", "feature", "unfeature", "delete"])
      expect(await run(action, newId())).toEqual({ code: 1, said: "No such server\n" });
    for (const argv of [[], ["find"], ["find", ""], ["toString", "x"], ["delete", newId(), "too much"]])
      expect(await run(...argv)).toMatchObject({ code: 2, said: expect.stringContaining("servers find") });
  });
});
