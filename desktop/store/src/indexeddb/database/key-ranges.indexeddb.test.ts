import { describe, expect, it } from "@jest/globals";
import { beginning } from "./key-ranges.indexeddb.ts";
import "../testing/fake-indexeddb.ts";
import { fc } from "@hearth/device/testing";

describe("the range of a text prefix", () => {
  it("contains the prefix and all longer texts, and no other", () => {
    const unit = fc.constantFrom("a", "b", "\uD83C\uDF31", "\uFFFE", "\uFFFF");
    const text = fc.array(unit, { maxLength: 4 }).map((units) => units.join(""));
    fc.assert(
      fc.property(text, text, text, (prefix, more, other) => {
        const range = beginning(prefix);
        expect(range.includes(prefix + more)).toBe(true);
        expect(range.includes(other)).toBe(other.startsWith(prefix));
      }),
      { numRuns: 1_000 },
    );
  });
});
