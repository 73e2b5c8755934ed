import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Account, Credential } from "@hearth/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { call, expectOk } from "../../src/client/index.ts";
import { expectProblem } from "../../src/expectations/problem.ts";
import { runCommand } from "../../src/server/command.ts";
import { type RunningServer, startServer } from "../../src/server/process.ts";

const PLAIN = "old plain password";
/** The hash of {@link PLAIN} in PHP's format. */
const BCRYPT = "$2y$04$uo.uYc1I8QebLw7aHFjgzegST3KtRLNANVC.icFgyhviAaG85XLUW";
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const id = "0198c3a0-7c1e-7d3a-9b52-3f1c6d2e8a41";
const good = [
  { id, username: "Ada", displayName: "Ada L.", passwordHash: BCRYPT, createdAt: 1_500_000_000_000 },
  { username: "ben", passwordHash: sha256("bens old password") },
];
const bad = [
  { username: "no spaces", passwordHash: BCRYPT },
  { username: "clear", passwordHash: "in the clear, s3cret" },
  { username: "ADA", passwordHash: BCRYPT },
];

describe("npm run users:import", () => {
  let folder: string;
  let server: RunningServer | undefined;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "hearth-e2e-"));
    const rows = [...good, ...bad].map((row) => JSON.stringify(row));
    await writeFile(join(folder, "users.json"), `[\n${rows.join(",\n")}\n]`);
  });
  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const importUsers = async (...args: string[]) => {
    const command = runCommand("auth-service/src/import/command.ts", args, { DATA_DIR: folder });
    return { code: await command.ended, out: command.stdout(), err: command.stderr() };
  };
  const login = (username: string, password: string) => {
    if (!server) throw new Error("the server was started");
    return call<Credential>(server.url, "POST", "/api/users/login", { body: { username, password } });
  };

  it("AU9 reports every bad row by line and imports nothing", async () => {
    const { code, out, err } = await importUsers(join(folder, "users.json"));
    expect(code).toBe(1);
    expect(err.split("\n").map((line) => line.split(":").slice(0, 2).join(":"))).toEqual([
      "line 4: username",
      "line 5: passwordHash",
      "line 6: username",
      "",
    ]);
    expect(err).not.toContain("s3cret");
    expect(out).toContain("Nothing was imported");
  });

  it("AU9 AU3 --skip-invalid imports the good rows; their users log in with old passwords, which are then rehashed", async () => {
    const { code, out } = await importUsers(join(folder, "users.json"), "--skip-invalid");
    expect(code).toBe(0);
    expect(out).toContain("Imported 2 accounts");
    server = await startServer({ dataDir: folder });
    expectProblem(await login("ada", "another password"), "INVALID_CREDENTIALS");
    for (let times = 0; times < 2; times += 1) {
      const ada = await login("ada", PLAIN);
      expect(ada).toMatchObject({ status: 200, body: { id, username: "Ada", displayName: "Ada L." } });
      const ben = await login("BEN", "bens old password");
      expect(ben).toMatchObject({ status: 200, body: { username: "ben", displayName: "ben" } });
    }
    const { token } = (await login("ada", PLAIN)).body;
    const me = await expectOk<Account>(server.url, "GET", "/api/users/me", { token });
    expect(me.createdAt).toBe(1_500_000_000_000);
    for (const username of ["clear", "no spaces"]) {
      expectProblem(await login(username, "in the clear, s3cret"), "INVALID_CREDENTIALS");
    }
  }, 60_000);

  it("AU9 reports a missing file, invalid JSON or a value that is no list, and changes nothing", async () => {
    await writeFile(join(folder, "broken.json"), '[\n{"username": "x", s3cret');
    const broken = await importUsers(join(folder, "broken.json"));
    expect(broken).toMatchObject({ code: 2, out: "", err: "line 2: not valid JSON\n" });
    const missing = await importUsers(join(folder, "nothing.json"));
    expect(missing).toMatchObject({ code: 2, err: expect.stringContaining("cannot be read (ENOENT)") });
    expect(await importUsers()).toMatchObject({ code: 2, err: expect.stringContaining("Usage:") });
  }, 60_000);
});
