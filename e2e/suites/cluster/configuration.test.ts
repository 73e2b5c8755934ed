import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { outcomeOf, startChild } from "../../src/server/child.ts";

const BUS = ["NATS_SERVERS", "NATS_USER", "NATS_PASSWORD"];
const REDIS = ["REDIS_URL", "REDIS_USER", "REDIS_PASSWORD"];
const MONGO = ["MONGODB_URL", "MONGODB_USER", "MONGODB_PASSWORD"];
const INTERNAL = ["INTERNAL_SECRET"];

const NEEDS: readonly (readonly [string, readonly string[]])[] = [
  ["gateway", [...BUS, ...REDIS, ...INTERNAL, "AUTH_URLS", "DISCOVERY_URLS", "PRESENCE_URLS"]],
  ["auth-service", [...BUS, ...REDIS, ...MONGO, ...INTERNAL]],
  ["discovery-service", [...BUS, ...REDIS, ...MONGO, ...INTERNAL]],
  ["presence-service", [...BUS, ...REDIS, ...INTERNAL]],
  ["sync-service", BUS],
];

const START_MS = 20_000;

const startFailing = (folder: string, env: Readonly<Record<string, string>>) => {
  const own = { HOST: "127.0.0.1", METRICS_HOST: "127.0.0.1" };
  return outcomeOf(startChild([`${folder}/src/main.ts`], { ...own, ...env }), START_MS);
};

describe.each(NEEDS)("%s in a process of its own", (folder, names) => {
  it("C12 refuses to start without its addresses and secrets, and lists all that are missing", async () => {
    const { code, output } = await startFailing(folder, {});
    expect(code).toBe(1);
    for (const name of names) expect(output).toContain(name);
    expect(output).not.toContain("    at ");
  });

  it("C12 C13 refuses invalid settings, lists them all and prints no value", async () => {
    const env = Object.fromEntries(names.map((name) => [name, "s3cret"]));
    const { code, output } = await startFailing(folder, { ...env, PORT: "70000", LOG_LEVEL: "loud" });
    expect(code).toBe(1);
    // A user may have any name.
    for (const name of [...names.filter((each) => !each.endsWith("_USER")), "PORT", "LOG_LEVEL"])
      expect(output).toContain(name);
    for (const value of ["s3cret", "70000", "loud"]) expect(output).not.toContain(value);
  });

  it("C13 reads secrets from files, and refuses one that is set twice or whose file is missing", async () => {
    const folderOfSecrets = await mkdtemp(join(tmpdir(), "hearth-secrets-"));
    const file = join(folderOfSecrets, "nats");
    await writeFile(file, "0123456789abcdef-of-a-file\n");
    const both = await startFailing(folder, { NATS_PASSWORD_FILE: file, NATS_PASSWORD: "0123456789abcdef" });
    expect([both.code, /NATS_PASSWORD is given twice/.test(both.output)]).toEqual([1, true]);
    const absent = await startFailing(folder, { NATS_PASSWORD_FILE: join(folderOfSecrets, "none") });
    expect([absent.code, /NATS_PASSWORD_FILE names a file/.test(absent.output)]).toEqual([1, true]);
    const alone = await startFailing(folder, { NATS_PASSWORD_FILE: file });
    expect([alone.code, alone.output.includes("NATS_PASSWORD")]).toEqual([1, false]);
    await rm(folderOfSecrets, { recursive: true });
  });
});
