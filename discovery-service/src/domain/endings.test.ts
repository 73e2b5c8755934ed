import { afterEach, describe, expect, it } from "@jest/globals";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { discoverySubjects } from "@hearth/contracts";
import { silentLog } from "@hearth/runtime";
import { anEnding, anEntry, storedMember, storedServer } from "../testing/records.ts";
import { startDiscovery } from "../testing/service.ts";
import type { TestDiscovery } from "../testing/service.ts";
import { createSqliteDiscoveryStore } from "../store/sqlite/store.sqlite.ts";

const folders: string[] = [];
const running: TestDiscovery[] = [];

/** A store's file in which a removal was written down by a process that died before it could tell anybody. */
async function crashed() {
  const folder = mkdtempSync(path.join(tmpdir(), "discovery-"));
  folders.push(folder);
  const file = path.join(folder, "discovery.db");
  const store = createSqliteDiscoveryStore({ file, log: silentLog });
  const { server, owner } = await storedServer(store);
  const member = await storedMember(store, owner);
  await store.members.remove(member, owner, anEnding(server.id, member.userId));
  return { file, store, server, member };
}

async function started(file: string) {
  const discovery = await startDiscovery({ file });
  running.push(discovery);
  return discovery;
}

describe("endings", () => {
  afterEach(async () => {
    for (const discovery of running.splice(0)) await discovery.stop();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  it("DI7 that a crash left unannounced are announced at the next start", async () => {
    const { file, store, server, member } = await crashed();
    await store.close();
    const discovery = await started(file);
    const { userId } = member;
    expect(await discovery.events()).toEqual([
      {
        subject: discoverySubjects.membershipEnded.name,
        payload: { serverId: server.id, userId, reason: "removed" },
      },
    ]);
    expect(await discovery.store.endings.list()).toEqual([]);
  });

  it("DI7 of a user who has become a member again are not announced", async () => {
    const { file, store, member } = await crashed();
    await store.members.add(anEntry(member));
    await store.close();
    const discovery = await started(file);
    expect(await discovery.events()).toEqual([]);
    expect(await discovery.store.endings.list()).toEqual([]);
  });

  it("DI7 are stored until they are announced, and no longer", async () => {
    const { file, store } = await crashed();
    await store.close();
    const discovery = await started(file);
    const owner = discovery.user();
    const { id } = await owner.create();
    const member = discovery.user();
    await member.send("POST", `/api/servers/${id}/join`);
    const counts: number[] = [];
    discovery.before("endings.forget", async () =>
      counts.push((await discovery.store.endings.list()).length),
    );
    await owner.send("DELETE", `/api/servers/${id}/members/${member.userId}`);
    expect(counts).toEqual([1]);
    discovery.before("endings.forget", async () =>
      counts.push((await discovery.store.endings.list()).length),
    );
    await owner.send("DELETE", `/api/servers/${id}`);
    expect(counts).toEqual([1, 1]);
    expect(await discovery.store.endings.list()).toEqual([]);
  });
});
