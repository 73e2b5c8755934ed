import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { openSqlite, silentLog } from "@hearth/runtime";
import { ROOM, T0, aMessage, aRoom, anEmoji } from "../contract/device-records.contract.ts";
import { GENERAL, idsOf } from "../contract/history-records.contract.ts";
import { migrations } from "./database/migrations.sqlite.ts";
import { openDeviceReader, openDeviceStore } from "./open.ts";
import type { DeviceStore } from "./open.ts";

describe("a device's database with history", () => {
  let folder: string;
  let file: string;
  let store: DeviceStore | undefined;

  const open = (): DeviceStore => (store = openDeviceStore({ file, log: silentLog }));

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "hearth-history-"));
    file = path.join(folder, "device.db");
  });
  afterEach(() => {
    store?.close();
    rmSync(folder, { recursive: true });
  });

  /** Written by the version before the client. */
  function fillFirstVersion(): void {
    const db = openSqlite(file, migrations.slice(0, 1));
    const insert = db.statement(`
      INSERT INTO messages VALUES (:id, '${ROOM}', 'channel-1', 'user-1', 'Una', :content, NULL, :mentions, :timestamp,
        0, NULL, NULL, :delivery, NULL, :updatedAt, NULL)`);
    const old = { mentions: "[]", delivery: "sent" };
    insert.run({ ...old, id: "a", content: "old tea", timestamp: T0, updatedAt: T0 + 9 });
    insert.run({
      id: "b",
      content: "tea",
      timestamp: T0 + 1,
      mentions: '["user-me"]',
      delivery: "pending",
      updatedAt: T0 + 5,
    });
    db.statement("UPDATE change_time SET last = ?").run(T0 + 9);
    db.statement(
      `INSERT INTO users VALUES ('ben', NULL, 'Ben', 'https://one.example', NULL, NULL, '', ?)`,
    ).run(T0);
    db.statement("INSERT INTO removals VALUES ('friend', 'user-2', '', ?)").run(T0);
    db.close();
  }

  it("of the first version is upgraded, and its messages are dated by their changes", async () => {
    fillFirstVersion();
    const { client: history, writer } = open();
    const told = async (updatedAt: number) =>
      (await history.fullMessages(ROOM, { after: { updatedAt }, limit: 9 })).messages.map(
        ({ message }) => message.id,
      );
    expect(await told(0)).toEqual(["b", "a"]);
    expect(await told(T0 + 5)).toEqual(["a"]);
    expect(await told(T0 + 9)).toEqual([]);
    expect(await history.user("ben", "https://one.example")).toMatchObject({ displayName: "Ben" });
    expect(idsOf((await history.messagesBefore(GENERAL, { limit: 9, before: null })).messages)).toEqual([
      "a",
      "b",
    ]);
    expect(idsOf(await history.searchMessages({ text: "TEA", limit: 9 }))).toEqual(["b", "a"]);
    expect(idsOf(await history.undelivered())).toEqual(["b"]);
    const unread = await history.unread(GENERAL, { after: null, userId: "user-me" });
    expect(unread).toMatchObject({ messages: 2, mentions: 1 });
    expect(await history.removals()).toEqual([{ kind: "friend", id: "user-2", at: T0 }]);
    await writer.saveMessages([aMessage("c")]);
    expect(await told(T0 + 9)).toEqual(["c"]);
  });

  it("contains nothing of its owner after erasing, while a reader has it open", async () => {
    const { writer, client } = open();
    const other = openDeviceReader({ file, log: silentLog });
    const marker = "a sentence that nobody else may read";
    await writer.saveRooms([aRoom({ description: marker })]);
    await writer.saveMessages(
      Array.from({ length: 300 }, (_, index) => aMessage(`m-${index}`, { content: `${marker} ${index}` })),
    );
    await writer.saveEmoji([anEmoji("leaf", { bytes: Buffer.from(marker) })]);
    expect(await other.reader.rooms()).toHaveLength(1);
    const bytes = () => readdirSync(folder).map((name) => readFileSync(path.join(folder, name)));
    expect(bytes().some((content) => content.includes(marker))).toBe(true);
    await client.eraseAll();
    expect(bytes().some((content) => content.includes(marker))).toBe(false);
    expect(await other.reader.rooms()).toEqual([]);
    other.close();
  });

  it("ER6 is erased completely or not at all, and reports a failure", async () => {
    const { writer, reader, client, close } = openDeviceStore({ file, log: silentLog, busyTimeoutMs: 5 });
    await writer.saveRooms([aRoom()]);
    const other = openSqlite(file, migrations);
    other.database.exec("BEGIN IMMEDIATE");
    await expect(client.eraseAll()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(await reader.rooms()).toEqual([aRoom()]);
    other.database.exec("COMMIT");
    other.close();
    await client.eraseAll();
    expect(await reader.rooms()).toEqual([]);
    close();
    await expect(client.eraseAll()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
});
