import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { StartError, openSqlite, silentLog } from "@hearth/runtime";
import { recordedLog } from "@hearth/runtime/testing";
import {
  ROOM,
  T0,
  aCredential,
  aMessage,
  aRoom,
  aUser,
  anEdit,
} from "../contract/device-records.contract.ts";
import type { DeviceReader } from "../device-store.ts";
import { migrations } from "./database/migrations.sqlite.ts";
import { openDeviceReader, openDeviceStore } from "./open.ts";
import type { DeviceStore } from "./open.ts";
import { openExisting } from "./read-only.sqlite.ts";

describe("a device's database", () => {
  let folder: string;
  let file: string;
  const opened: { close(): void }[] = [];
  const kept = <Handle extends { close(): void }>(handle: Handle): Handle => {
    opened.push(handle);
    return handle;
  };
  const log = silentLog;
  const openStore = (): DeviceStore => kept(openDeviceStore({ file, log, busyTimeoutMs: 5 }));
  const openReader = () => kept(openDeviceReader({ file, log, busyTimeoutMs: 5 }));
  const stranger = (): DatabaseSync => {
    const database = new DatabaseSync(file, { timeout: 0 });
    kept({ close: () => database.isOpen && database.close() });
    return database;
  };

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "hearth-device-"));
    file = path.join(folder, "device.db");
  });
  afterEach(() => {
    for (const handle of opened.splice(0)) handle.close();
    rmSync(folder, { recursive: true });
  });

  /** Runs every read. */
  const askAll = (reader: DeviceReader): Promise<unknown[]> =>
    Promise.all([
      reader.profile(),
      reader.rooms(),
      reader.room(ROOM),
      reader.roomUsers(ROOM),
      reader.user("user-1"),
      reader.messages(ROOM, { limit: 9, from: { offset: 0 } }),
      reader.messagesJson(ROOM, { limit: 9, from: { offset: 300 } }),
      reader.messagesSince(ROOM, { limit: 9, after: { updatedAt: 0 } }),
      reader.messagesSinceJson(ROOM, { limit: 9, after: { updatedAt: 0 } }),
      reader.message("message-1"),
      reader.messageEdits("message-1"),
      reader.reactions("message-1"),
      reader.messageAttachments("message-1"),
      reader.attachments(),
      reader.bans(ROOM, T0),
      reader.isBanned(ROOM, "user-1", T0),
      reader.pluginDatum({ pluginId: "p", key: "k", scope: "local", serverId: null }),
      reader.meta("key"),
      reader.credentials(),
      reader.friends(),
      reader.emoji(),
    ]);

  const fill = async ({ writer }: DeviceStore): Promise<void> => {
    await writer.saveRooms([aRoom()]);
    await writer.saveUsers([aUser("user-1")]);
    await writer.saveMessages([aMessage("message-1"), aMessage("message-2")]);
    await writer.editMessages([anEdit("message-1", 1)]);
    await writer.saveCredential(aCredential("https://a.example"));
  };

  it("LA1 is read through a handle on which SQLite itself refuses every write", async () => {
    await fill(openStore());
    const handle = kept(
      openExisting({ file, log, busyTimeoutMs: 5 }) ?? { close: () => undefined, database: stranger() },
    );
    const attempts = [
      "INSERT INTO meta VALUES ('key', 'value')",
      "UPDATE messages SET content = ''",
      "DELETE FROM rooms",
      "DROP TABLE rooms",
      "CREATE TABLE mine (id)",
      "PRAGMA user_version = 99",
      "VACUUM",
    ];
    for (const sql of attempts) expect(() => handle.database.exec(sql)).toThrow(/readonly|read-only/);
    handle.database.exec("PRAGMA query_only = OFF");
    for (const sql of attempts) expect(() => handle.database.exec(sql)).toThrow(/readonly|read-only/);
    handle.database.exec("BEGIN");
    expect(() => handle.database.exec("DELETE FROM rooms")).toThrow(/readonly/);
  });

  it("LA1 is not changed by any read", async () => {
    const store = openStore();
    await fill(store);
    store.close();
    const hash = (): string => createHash("sha256").update(readFileSync(file)).digest("hex");
    const before = hash();
    const { reader, close } = openReader();
    expect(await askAll(reader)).toHaveLength(Object.keys(reader).length);
    close();
    expect(hash()).toBe(before);
  });

  it("shows a reader the app's writes at the next read", async () => {
    const { writer } = openStore();
    const { reader } = openReader();
    expect(await reader.rooms()).toEqual([]);
    await writer.saveRooms([aRoom()]);
    expect(await reader.rooms()).toEqual([aRoom()]);
    await writer.saveMessages([aMessage("message-1")]);
    expect((await reader.messages(ROOM, { limit: 1, from: { offset: 0 } }))?.total).toBe(1);
  });

  it("shows a reader the writes of another process, without a build step", async () => {
    openStore();
    const { reader } = openReader();
    const entry = new URL("index.ts", import.meta.url).href;
    const runtime = new URL("../../../../runtime/src/index.ts", import.meta.url).href;
    const program = `
      const { openDeviceStore } = await import(${JSON.stringify(entry)});
      const { silentLog } = await import(${JSON.stringify(runtime)});
      const { writer, close } = openDeviceStore({ file: ${JSON.stringify(file)}, log: silentLog });
      await writer.setMeta("app_currentUserId", "user-1");
      close();`;
    execFileSync(process.execPath, ["--input-type=module", "--eval", program], { stdio: "pipe" });
    expect(await reader.meta("app_currentUserId")).toBe("user-1");
  });

  it("counts as empty while it does not exist", async () => {
    const { log, records } = recordedLog();
    const { reader } = kept(openDeviceReader({ file, log }));
    expect(records()).toMatchObject([{ msg: "the device holds no data yet" }]);
    expect(await reader.rooms()).toEqual([]);
    expect(await reader.messages(ROOM, { limit: 1, from: { offset: 0 } })).toBeUndefined();
    writeFileSync(file, "");
    expect(await reader.rooms()).toEqual([]);
    await fill(openStore());
    expect(await reader.rooms()).toEqual([aRoom()]);
  });

  it("of a newer version is refused to the app and to readers, with a message", async () => {
    openStore().close();
    stranger().exec("PRAGMA user_version = 99");
    expect(openStore).toThrow(StartError);
    expect(openReader).toThrow(StartError);
    expect(openReader).toThrow(/schema 99.*newer version/);
  });

  it("of a newer version that appears after the reader was opened is UNAVAILABLE", async () => {
    const { reader } = openReader();
    openStore().close();
    stranger().exec("PRAGMA user_version = 99");
    await expect(reader.rooms()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  it("of every released version opens with its data", async () => {
    for (const known of migrations.keys()) {
      file = path.join(folder, `${known}.db`);
      openSqlite(file, migrations.slice(0, known)).close();
      const store = openStore();
      await fill(store);
      expect(await store.reader.rooms()).toEqual([aRoom()]);
      store.close();
      expect(stranger().prepare("PRAGMA user_version").get()).toEqual({ user_version: migrations.length });
    }
  });

  it("that is no database is refused with a message", () => {
    writeFileSync(file, "x".repeat(8_192));
    expect(openReader).toThrow(StartError);
    expect(openReader).toThrow(/cannot be opened/);
  });

  it("ER6 is UNAVAILABLE while another process locks it exclusively, and serves again afterwards", async () => {
    const store = openStore();
    await fill(store);
    store.close();
    const before = openReader();
    expect(await before.reader.rooms()).toHaveLength(1);
    before.close();
    const other = stranger();
    other.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE change_time SET last = last");
    const { reader } = openReader();
    await expect(reader.rooms()).rejects.toMatchObject({ code: "UNAVAILABLE", retryable: true });
    other.exec("COMMIT");
    other.close();
    expect(await reader.rooms()).toHaveLength(1);
  });

  it("ER6 refuses writes, and serves reads, while another process writes", async () => {
    const { writer, reader } = openStore();
    await writer.saveRooms([aRoom()]);
    const other = stranger();
    other.exec("BEGIN IMMEDIATE");
    await expect(writer.setMeta("key", "value")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(await reader.rooms()).toHaveLength(1);
    other.exec("COMMIT");
    await writer.setMeta("key", "value");
    expect(await reader.meta("key")).toBe("value");
  });

  it("is UNAVAILABLE after a close, and may be closed twice", async () => {
    const store = openStore();
    const { reader, close } = openReader();
    store.close();
    store.close();
    close();
    close();
    await expect(store.reader.rooms()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await expect(store.writer.setMeta("key", "value")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await expect(reader.rooms()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  it("L19 has no column for a secret, and returns none that another program inserted", async () => {
    const { reader } = openStore();
    const database = stranger();
    const columns = database.prepare("SELECT name FROM pragma_table_info('credentials')").all();
    expect(columns.map(({ name }) => name)).toEqual([
      "signal_server_url",
      "user_id",
      "username",
      "display_name",
      "expires_at",
      "auto_provisioned",
      "is_home",
    ]);
    database.exec("INSERT INTO meta VALUES ('app.authTokens', 'marker'), ('Provision', 'marker')");
    expect(await reader.meta("app.authTokens")).toBeUndefined();
    expect(await reader.meta("Provision")).toBeUndefined();
  });
});
