import { describe, expect, it } from "@jest/globals";
import { changesOf, fieldsOf, merged } from "./overview-fields.ts";
import type { Fields } from "./overview-fields.ts";

const room = { name: "Guild", description: "Makers", visibility: "public", tags: ["wood"] } as const;
const before: Fields = fieldsOf(room);

describe("the overview of a room while two people change it", () => {
  it("DI8 takes over what somebody else changes, and keeps what was changed here", () => {
    const own = { ...before, tags: "wood, tea" };
    const after = { ...room, description: "Menders" };
    const { fields, isContested } = merged(own, before, fieldsOf(after));
    expect([fields.description, fields.tags, isContested]).toEqual(["Menders", "wood, tea", false]);
    expect(changesOf(fields, after, ["wood", "tea"])).toEqual({ tags: ["wood", "tea"] });
  });

  it("DI8 is contested where both changed the same field to something else, and keeps one's own there", () => {
    const own = { ...before, description: "Tea", visibility: "private" } as const;
    const theirs = { ...before, description: "Menders", visibility: "private" } as const;
    expect(merged(own, before, theirs)).toEqual({ fields: own, isContested: true });
    expect(merged(own, before, { ...before, visibility: "private" }).isContested).toBe(false);
  });

  it("sends nothing where nothing is different", () => {
    expect(changesOf({ ...before, name: " Guild " }, room, ["wood"])).toEqual({});
  });
});
