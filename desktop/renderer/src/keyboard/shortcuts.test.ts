import { describe, expect, it } from "@jest/globals";
import { SHORTCUTS, keysOf, shortcutOf } from "./shortcuts.ts";

const none = { code: "", ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
const press = (key: string, held: Partial<typeof none> = {}) => ({ ...none, key, ...held });

describe("a press of keys", () => {
  it.each([
    [press("k", { ctrlKey: true }), "switcher", 0],
    [press("K", { ctrlKey: true }), "switcher", 0],
    [press("л", { ctrlKey: true, code: "KeyK" }), "switcher", 0],
    [press("/", { ctrlKey: true }), "help", 0],
    [press("/", { ctrlKey: true, shiftKey: true, code: "Digit7" }), "help", 0],
    [press("3", { ctrlKey: true }), "server", 2],
    [press("é", { ctrlKey: true, code: "Digit2" }), "server", 1],
    [press("ArrowUp", { altKey: true }), "previous-channel", 0],
    [press("ArrowDown", { altKey: true, shiftKey: true }), "next-unread", 0],
    [press("Escape"), "mark-read", 0],
    [press("Escape", { shiftKey: true }), "mark-server-read", 0],
  ])("%j asks for %s", (keys, id, index) => expect(shortcutOf(keys, false)).toEqual({ id, index }));

  it.each([
    press("k"),
    press("k", { ctrlKey: true, altKey: true }),
    press("k", { ctrlKey: true, metaKey: true }),
    press("o", { ctrlKey: true, code: "KeyK" }),
    press("ArrowDown"),
    press("0", { ctrlKey: true }),
  ])("%j asks for nothing", (keys) => expect(shortcutOf(keys, false)).toBeNull());

  it("means the command key on a Mac", () => {
    expect(shortcutOf(press("k", { metaKey: true }), true)?.id).toBe("switcher");
    expect(shortcutOf(press("k", { ctrlKey: true }), true)).toBeNull();
  });
});

describe("the table", () => {
  it("has no combination twice", () => {
    const all = SHORTCUTS.flatMap(({ combinations }) =>
      combinations.map((it) => keysOf(it, false).join("+")),
    );
    expect(new Set(all).size).toBe(all.length);
    expect(all).toContain("Alt+Shift+↓");
  });

  it("names the keys as they are printed", () => {
    expect(keysOf({ key: "k", mod: true }, true)).toEqual(["⌘", "K"]);
    expect(keysOf({ key: "Escape", shift: true }, false)).toEqual(["Shift", "Esc"]);
  });
});
