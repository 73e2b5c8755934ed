import { describe, expect, it } from "@jest/globals";
import { decodeCursor, encodeCursor, pageOf, timePosition } from "./cursors.ts";

const cursor = encodeCursor("newest", [1_700_000_000_000, "an-id"]);
const decode = (text: string | undefined, scope = "newest") => decodeCursor(scope, timePosition, text);
const refusal = expect.objectContaining({ code: "NOT_FOUND" }) as unknown;

const thrownBy = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

describe("cursors", () => {
  it("DI2 decode to the position they were made of; without one the list begins", () => {
    expect(decode(cursor)).toEqual([1_700_000_000_000, "an-id"]);
    expect(decode(undefined)).toBeNull();
  });

  it("DI2 are opaque and need no escaping in a URL", () => {
    expect(cursor).toMatch(/^[A-Za-z0-9_.-]+$/);
    expect(cursor).not.toContain("an-id");
  });

  it("DI2 of another list are refused", () => {
    expect(thrownBy(() => decode(cursor, "members:7"))).toEqual(refusal);
  });

  it("DI2 with any changed letter are refused", () => {
    for (let index = 0; index < cursor.length; index += 1) {
      const letter = cursor[index] === "A" ? "B" : "A";
      const changed = cursor.slice(0, index) + letter + cursor.slice(index + 1);
      expect(thrownBy(() => decode(changed))).toEqual(refusal);
    }
  });

  it.each(["", ".", "x", "x.y", `${cursor}.z`, `${cursor}=`, cursor.slice(0, -1), "e30.AAAAAAAAAAAAAAAA"])(
    "DI2 that never were one are refused: %j",
    (text) => {
      expect(thrownBy(() => decode(text))).toEqual(refusal);
    },
  );

  it.each([
    ["not a position", encodeCursor("newest", ["an-id", 1])],
    ["too short", encodeCursor("newest", [1])],
  ])("DI2 with a right check sum around what is %s are refused", (_what, forged) => {
    expect(thrownBy(() => decode(forged))).toEqual(refusal);
  });
});

describe("pages", () => {
  it("DI2 use one extra row to tell whether another page follows", () => {
    const name = (row: number): string => `after ${row}`;
    expect(pageOf([1, 2, 3], 2, name)).toEqual({ items: [1, 2], nextCursor: "after 2" });
    expect(pageOf([1, 2], 2, name)).toEqual({ items: [1, 2], nextCursor: null });
    expect(pageOf([], 2, name)).toEqual({ items: [], nextCursor: null });
  });
});
