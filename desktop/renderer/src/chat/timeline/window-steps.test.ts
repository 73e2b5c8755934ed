import { describe, expect, it } from "@jest/globals";
import { windowSteps } from "./window-steps.ts";
import { fc } from "@hearth/device/testing";

const list = (ids: string) => Array.from(ids, (id) => ({ id }));
const shown = (before: string, after: string) =>
  windowSteps(list(before), list(after)).map(({ messages, shift, isNew }) => ({
    ids: messages.map(({ id }) => id).join(""),
    shift,
    isNew,
  }));

describe("from one window of messages to another", () => {
  it("keeps the distance from the end when older ones come or go", () => {
    expect(shown("def", "abcdef")).toEqual([{ ids: "abcdef", shift: true, isNew: false }]);
    expect(shown("abcdef", "def")).toEqual([{ ids: "def", shift: true, isNew: false }]);
  });

  it("keeps the distance from the start otherwise", () => {
    expect(shown("abc", "abcd")).toEqual([{ ids: "abcd", shift: false, isNew: false }]);
    expect(shown("abcd", "ab")).toEqual([{ ids: "ab", shift: false, isNew: false }]);
    expect(shown("ac", "abc")).toEqual([{ ids: "abc", shift: false, isNew: false }]);
    expect(shown("abc", "abc")).toEqual([{ ids: "abc", shift: false, isNew: false }]);
  });

  it("goes in two steps when both ends change", () => {
    expect(shown("cdef", "abcd")).toEqual([
      { ids: "abcdef", shift: true, isNew: false },
      { ids: "abcd", shift: false, isNew: false },
    ]);
    expect(shown("abcd", "cdef")).toEqual([
      { ids: "cd", shift: true, isNew: false },
      { ids: "cdef", shift: false, isNew: false },
    ]);
  });

  it("shows messages that move to the end once in each step", () => {
    expect(shown("abcd", "cdab")).toEqual([
      { ids: "cd", shift: true, isNew: false },
      { ids: "cdab", shift: false, isNew: false },
    ]);
    expect(shown("abc", "acb")).toEqual([{ ids: "acb", shift: false, isNew: false }]);
    expect(shown("abcd", "bcad")).toEqual([{ ids: "bcad", shift: true, isNew: false }]);
  });

  it("begins anew where nothing is left of it", () => {
    expect(shown("abc", "xyz")).toEqual([{ ids: "xyz", shift: false, isNew: true }]);
    expect(shown("", "abc")).toEqual([{ ids: "abc", shift: false, isNew: true }]);
  });

  it("ends with the new window, and moves one end in each step", () => {
    const windows = fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20), fc.nat(20));
    fc.assert(
      fc.property(windows, ([from, size, to, length]) => {
        const slice = (start: number, count: number) =>
          Array.from({ length: count }, (_, index) => ({ id: String(start + index) }));
        const [before, after] = [slice(from, size), slice(to, length)];
        const steps = windowSteps(before, after);
        expect(steps.at(-1)?.messages).toEqual(after);
        let shownBefore = before;
        for (const { messages, shift, isNew } of steps) {
          if (isNew) expect(messages.some(({ id }) => before.some((it) => it.id === id))).toBe(false);
          else if (shift) expect(messages.at(-1)?.id).toBe(shownBefore.at(-1)?.id);
          else expect(messages[0]?.id).toBe(shownBefore[0]?.id);
          shownBefore = [...messages];
        }
      }),
    );
  });
});
