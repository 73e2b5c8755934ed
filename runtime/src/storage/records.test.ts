import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { mongoFields, mongoFieldsOf } from "./mongo-schema.ts";
import { pickFields } from "./record-fields.ts";
import { columnsOf } from "./sqlite-columns.ts";

const record = z.object({
  id: z.guid(),
  displayName: z.string(),
  kind: z.enum(["a", "b"]),
  createdAt: z.int(),
  announced: z.boolean(),
  reason: z.string().nullable(),
  endedAt: z.int().nullable(),
  username: z.string().nullable().default(null),
  tags: z.array(z.string()),
  config: z.record(z.string(), z.unknown()).nullable(),
});

describe("what stores derive from the schema of a record", () => {
  it("names columns like fields, in snake case", () => {
    const columns = columnsOf(record.pick({ id: true, displayName: true }));
    expect(columns.select()).toBe("id AS id, display_name AS displayName");
    expect(columns.select("m")).toBe("m.id AS id, m.display_name AS displayName");
    expect(columns.insert).toBe("(id, display_name) VALUES (:id, :displayName)");
    expect(columns.assign).toBe("id = :id, display_name = :displayName");
  });

  it("declares fields of documents by their types", () => {
    const { text, prose, number, flag, textOrNull, numberOrNull, list, json } = mongoFields;
    expect(mongoFieldsOf(record)).toEqual({
      id: text,
      displayName: prose,
      kind: text,
      createdAt: number,
      announced: flag,
      reason: textOrNull,
      endedAt: numberOrNull,
      username: textOrNull,
      tags: list,
      config: json,
    });
  });

  it("refuses a field that cannot be stored", () => {
    expect(() => mongoFieldsOf(z.object({ at: z.date() }))).toThrow("at");
  });

  it("picks the fields of a record from a larger value", () => {
    const value = { id: "1", displayName: "Ada", heat: 3 };
    expect(pickFields(record.pick({ id: true, displayName: true }), value)).toEqual({
      id: "1",
      displayName: "Ada",
    });
  });
});
