import { describe, expect, it } from "@jest/globals";
import { openSqlite } from "@hearth/runtime";
import { z } from "zod";
import { Table } from "./table.sqlite.ts";

const noteSchema = z.object({
  id: z.string(),
  sentAt: z.number(),
  tags: z.array(z.string()),
  isRead: z.boolean(),
});
type Note = z.output<typeof noteSchema>;

const create =
  "CREATE TABLE notes (id TEXT, sent_at INTEGER, tags TEXT, is_read INTEGER, size INTEGER) STRICT";
const notes = new Table<Note>("notes", noteSchema);
const note: Note = { id: "n-1", sentAt: 5, tags: ["a", "b"], isRead: true };

describe("a table made of a schema", () => {
  const { database } = openSqlite(":memory:", [{ number: 1, name: "notes", sql: create }]);
  database.prepare(`INSERT ${notes.into({ size: "length(:id)" })}`).run(notes.row(note));
  const select = database.prepare(`SELECT ${notes.select("n")} FROM notes n`);

  it("keeps lists as JSON and booleans as numbers, under the fields' names in snake case", () => {
    expect({ ...database.prepare("SELECT * FROM notes").get() }).toEqual({
      id: "n-1",
      sent_at: 5,
      tags: '["a","b"]',
      is_read: 1,
      size: 3,
    });
  });

  it("reads the same record from a row and from an array", () => {
    expect(notes.record(select.get() ?? {})).toEqual(note);
    const arrays = database.prepare(`SELECT ${notes.select()} FROM notes`);
    arrays.setReturnArrays(true);
    expect(notes.recordOfArray(arrays.get() as unknown as readonly unknown[])).toEqual(note);
  });

  it("leaves out what is no field, and reads an expression in place of a column", () => {
    expect(notes.row({ ...note, more: 1 } as Note)).not.toHaveProperty("more");
    const upper = database.prepare(`SELECT ${notes.select("n", { id: "upper(n.id)" })} FROM notes n`).get();
    expect(notes.record(upper ?? {}).id).toBe("N-1");
  });
});
