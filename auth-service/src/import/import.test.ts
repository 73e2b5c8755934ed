import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { newId, silentLog } from "@hearth/runtime";
import { importAccounts } from "./import.ts";
import { AUTH_DATABASE, createSqliteAuthStore } from "../store/sqlite/store.sqlite.ts";
import type { AuthStore } from "../domain/store.ts";

const SHA256 = "ab".repeat(32);
const BCRYPT = `$2y$10$${"a".repeat(53)}`;
/** Each of these starts several processes, on a machine that may be busy. */
const SPAWNING = 60_000;
const NOW = 1_700_000_000_000;

const rowsOf = (...values: unknown[]) => values.map((value, index) => ({ line: index + 1, value }));

describe("import of accounts", () => {
  let store: AuthStore;
  beforeEach(() => {
    store = createSqliteAuthStore({ file: ":memory:", log: silentLog });
  });
  afterEach(() => store.close());

  const importRows = (rows: ReturnType<typeof rowsOf>, skipInvalid = false) =>
    importAccounts(store, rows, { skipInvalid, now: NOW });

  it("AU9 accepts every legacy hash, and fills in missing fields", async () => {
    const id = newId();
    const full = { id, username: "Ada", displayName: "Ada L.", passwordHash: BCRYPT, createdAt: 5 };
    const report = await importRows(rowsOf(full, { username: "bob", passwordHash: SHA256 }));
    expect(report).toEqual({ imported: 2, issues: [] });
    expect(await store.findAccount(id)).toEqual({ ...full, foldedName: "ada", version: 1, state: "active" });
    expect(await store.findAccountByName("bob")).toMatchObject({ displayName: "bob", createdAt: NOW });
  });

  const bad: [string, unknown, string][] = [
    ["no object", 5, ""],
    ["no name", { passwordHash: SHA256 }, "username"],
    ["a name with a space", { username: "a da", passwordHash: SHA256 }, "username"],
    ["no hash", { username: "ada" }, "passwordHash"],
    ["a password in the clear", { username: "ada", passwordHash: "hunter2" }, "passwordHash"],
    ["an id that is none", { id: "7", username: "ada", passwordHash: SHA256 }, "id"],
    ["a time that is none", { username: "ada", passwordHash: SHA256, createdAt: "2020" }, "createdAt"],
    ["a blank display name", { username: "ada", passwordHash: SHA256, displayName: " " }, "displayName"],
    ["a member of no meaning", { username: "ada", passwordHash: SHA256, admin: true }, "admin"],
  ];

  it.each(bad)(
    "AU9 names line and field of a bad row, and imports nothing: %s",
    async (_name, value, field) => {
      const good = { username: "good", passwordHash: SHA256 };
      const report = await importRows(rowsOf(good, value));
      expect(report.imported).toBe(0);
      expect(report.issues).toEqual([{ line: 2, field, message: expect.any(String) }]);
      expect(await store.findAccountByName("good")).toBeNull();
    },
  );

  it("AU9 reports all invalid rows and all collisions at once, and never a hash", async () => {
    await importRows(rowsOf({ id: newId(), username: "taken", passwordHash: SHA256 }));
    const id = newId();
    const rows = rowsOf(
      { username: "Ada", passwordHash: SHA256 },
      { username: "b", passwordHash: "hunter2" },
      { username: "aDa", passwordHash: SHA256 },
      { username: "TAKEN", passwordHash: SHA256 },
      { id, username: "carol", passwordHash: SHA256 },
      { id: id.toUpperCase(), username: "dave", passwordHash: SHA256 },
    );
    const report = await importRows(rows);
    expect(report.imported).toBe(0);
    expect(report.issues.map(({ line, field }) => `${line} ${field}`)).toEqual([
      "2 username",
      "2 passwordHash",
      "3 username",
      "4 username",
      "6 id",
    ]);
    expect(JSON.stringify(report)).not.toContain("hunter2");
    expect(await store.findAccountByName("ada")).toBeNull();
  });

  it("AU9 with --skip-invalid imports the valid rows and still reports the others", async () => {
    await importRows(rowsOf({ username: "taken", passwordHash: SHA256 }));
    const rows = rowsOf(
      { username: "Ada", passwordHash: SHA256 },
      { username: "e v e", passwordHash: SHA256 },
      { username: "ada", passwordHash: BCRYPT },
      { username: "taken", passwordHash: BCRYPT },
    );
    const report = await importRows(rows, true);
    expect(report.imported).toBe(1);
    expect(report.issues.map(({ line }) => line)).toEqual([2, 3, 4]);
    expect(await store.findAccountByName("ada")).toMatchObject({ passwordHash: SHA256 });
    expect(await store.findAccountByName("taken")).toMatchObject({ passwordHash: SHA256 });
  });
});

describe("npm run users:import", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "hearth-import-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const command = (...args: string[]) =>
    new Promise<{ code: number; out: string; err: string }>((resolve) => {
      const script = path.join(import.meta.dirname, "command.ts");
      const options = { env: { DATA_DIR: folder }, timeout: 20_000 };
      execFile(process.execPath, [script, ...args], options, (error, out, err) => {
        resolve({ code: error === null ? 0 : Number(error.code), out, err });
      });
    });
  const fileOf = async (text: string): Promise<string> => {
    const file = path.join(folder, "users.json");
    await writeFile(file, text);
    return file;
  };
  const nameIsThere = async (name: string, dataDir = folder): Promise<boolean> => {
    const store = createSqliteAuthStore({ file: path.join(dataDir, AUTH_DATABASE), log: silentLog });
    const account = await store.findAccountByName(name);
    await store.close();
    return account !== null;
  };

  it(
    "AU9 imports a file, and on a second run finds everything taken",
    async () => {
      const file = await fileOf(`[\n{"username": "ada", "passwordHash": "${SHA256}"}\n]`);
      expect(await command(file)).toMatchObject({
        code: 0,
        out: expect.stringContaining("Imported 1 account into"),
      });
      expect(await nameIsThere("ada")).toBe(true);
      expect(await command(file)).toMatchObject({
        code: 1,
        err: "line 2: username: is taken by an account of this server\n",
      });
    },
    SPAWNING,
  );

  it(
    "AU9 reports by line of the file, imports nothing, and skips when asked",
    async () => {
      const rows = [
        `{"username": "ada", "passwordHash": "${SHA256}"}`,
        `{\n"username": "x y",\n"passwordHash": "${BCRYPT}"}`,
        `{"username": "bob"}`,
      ];
      const file = await fileOf(`{"users": [\n${rows.join(",\n")}\n]}`);
      const refused = await command(file);
      expect(refused.code).toBe(1);
      expect(refused.out).toContain("Nothing was imported");
      expect(refused.err.split("\n").map((line) => line.split(":").slice(0, 2).join(":"))).toEqual([
        "line 3: username",
        "line 6: passwordHash",
        "",
      ]);
      expect(await nameIsThere("ada")).toBe(false);
      const other = path.join(folder, "other");
      expect((await command(file, "--skip-invalid", "--data-dir", other)).code).toBe(0);
      expect(await nameIsThere("ada", other)).toBe(true);
    },
    SPAWNING,
  );

  it(
    "AU9 says what is wrong with its arguments or its file",
    async () => {
      const file = await fileOf("[\n{,}\n]");
      const missing = path.join(folder, "missing.json");
      expect(await command()).toMatchObject({ code: 2, err: expect.stringContaining("Usage") });
      expect(await command(file, "--skip")).toMatchObject({
        code: 2,
        err: expect.stringContaining("--skip"),
      });
      expect(await command(missing)).toMatchObject({ code: 2, err: expect.stringContaining("ENOENT") });
      expect(await command(file)).toMatchObject({ code: 2, err: "line 2: not valid JSON\n" });
    },
    SPAWNING,
  );
});
