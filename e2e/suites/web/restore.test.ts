import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it, jest } from "@jest/globals";
import { inChromium } from "../../src/browser/for-tests.ts";
import type { RunningServer } from "../../src/server/process.ts";
import { shows } from "../../src/web/account-pages.ts";
import { worldForTests } from "../../src/web/for-tests.ts";
import { violationsOf } from "../../src/web/accessibility.ts";

jest.setTimeout(120_000);

inChromium("a home instance restored from a backup", () => {
  const world = worldForTests();
  let backups: string;
  beforeAll(async () => void (backups = await mkdtemp(path.join(tmpdir(), "hearth-backups-"))));
  afterAll(() => rm(backups, { recursive: true, force: true }));

  /** Ends the server, does something with its data, and starts it again. */
  async function meanwhile(
    server: RunningServer,
    work: (data: string) => Promise<void>,
  ): Promise<RunningServer> {
    await server.stop();
    await work(server.dataDir);
    return world.restart(server);
  }

  const keepAs = (name: string) => async (data: string) =>
    cp(data, path.join(backups, name), { recursive: true });
  const setBackTo = (name: string) => async (data: string) => {
    await rm(data, { recursive: true });
    await cp(path.join(backups, name), data, { recursive: true });
  };

  it("cannot open a server created after the backup, keeps its messages, and opens it when the newer state returns", async () => {
    const ada = await (await world.device({ reducedMotion: "reduce" })).open("/register");
    await ada.register("ada");
    let server = await meanwhile(world.home, keepAs("early"));
    await ada.go("/");
    await ada.createRoom("Annex");
    await ada.say("Only here, and on my devices");
    server = await meanwhile(server, keepAs("late"));
    server = await meanwhile(server, setBackTo("early"));
    await ada.go("/");
    await ada.inRail("Annex").click();
    await shows(ada, "You can no longer access Annex.");
    await ada.sees("Only here, and on my devices");
    expect(await violationsOf(ada.page)).toEqual([]);
    server = await meanwhile(server, setBackTo("late"));
    await ada.go("/");
    await ada.enterRoom("Annex");
    await ada.sees("Only here, and on my devices");
    await meanwhile(server, setBackTo("early"));
    await ada.go("/");
    await ada.inRail("Annex").click();
    await ada.button("Remove from list").click();
    await ada.inRail("Annex").waitFor({ state: "detached" });
  });
});
