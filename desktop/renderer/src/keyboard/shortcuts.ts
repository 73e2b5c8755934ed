/** A combination of keys; `mod` is Ctrl, on a Mac the command key. */
export interface Combination {
  readonly key: string;
  readonly mod?: boolean;
  readonly alt?: boolean;
  readonly shift?: boolean;
}

export type ShortcutGroup = "everywhere" | "moving" | "reading" | "writing";

export interface Shortcut {
  readonly id: ShortcutId;
  readonly group: ShortcutGroup;
  /** The first is the one that is shown where there is little room. */
  readonly combinations: readonly Combination[];
}

export type ShortcutId =
  | "switcher"
  | "help"
  | "settings"
  | "server"
  | "previous-channel"
  | "next-channel"
  | "previous-unread"
  | "next-unread"
  | "mark-read"
  | "mark-server-read"
  | "members"
  | "edit-last"
  | "send"
  | "new-line";

/** Every shortcut of the client: the help, the settings and the handlers read this one table. */
export const SHORTCUTS: readonly Shortcut[] = [
  { id: "switcher", group: "everywhere", combinations: [{ key: "k", mod: true }] },
  { id: "help", group: "everywhere", combinations: [{ key: "/", mod: true }] },
  { id: "settings", group: "everywhere", combinations: [{ key: ",", mod: true }] },
  {
    id: "server",
    group: "moving",
    combinations: Array.from({ length: 9 }, (_, index) => ({ key: String(index + 1), mod: true })),
  },
  { id: "previous-channel", group: "moving", combinations: [{ key: "ArrowUp", alt: true }] },
  { id: "next-channel", group: "moving", combinations: [{ key: "ArrowDown", alt: true }] },
  { id: "previous-unread", group: "moving", combinations: [{ key: "ArrowUp", alt: true, shift: true }] },
  { id: "next-unread", group: "moving", combinations: [{ key: "ArrowDown", alt: true, shift: true }] },
  { id: "members", group: "moving", combinations: [{ key: "u", mod: true }] },
  { id: "mark-read", group: "reading", combinations: [{ key: "Escape" }] },
  { id: "mark-server-read", group: "reading", combinations: [{ key: "Escape", shift: true }] },
  { id: "send", group: "writing", combinations: [{ key: "Enter" }] },
  { id: "new-line", group: "writing", combinations: [{ key: "Enter", shift: true }] },
  { id: "edit-last", group: "writing", combinations: [{ key: "ArrowUp" }] },
];

/** Those that work wherever the focus is; the composer has the rest. */
export type GlobalShortcut = Exclude<ShortcutId, "send" | "new-line" | "edit-last">;

type Press = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** Layouts that have no such key without Shift, or another letter there, still have the key at its place. */
const isKey = (press: Press, key: string): boolean => {
  if (press.key.toLowerCase() === key.toLowerCase()) return true;
  if (/^\d$/.test(key)) return press.code === `Digit${key}`;
  const isLatin = /^[\p{Script=Latin}\p{P}\p{S}]$/u.test(press.key);
  return /^[a-z]$/.test(key) && !isLatin && press.code === `Key${key.toUpperCase()}`;
};

const isPressed = (
  press: Press,
  { key, mod = false, alt = false, shift = false }: Combination,
  isMac: boolean,
) =>
  isKey(press, key) &&
  (isMac ? press.metaKey : press.ctrlKey) === mod &&
  !(isMac ? press.ctrlKey : press.metaKey) &&
  press.altKey === alt &&
  (press.shiftKey === shift || (key === "/" && press.key === "/"));

export interface Pressed {
  readonly id: ShortcutId;
  /** Which of its combinations it was. */
  readonly index: number;
}

/** What a press of keys asks for. */
export function shortcutOf(press: Press, isMac: boolean): Pressed | null {
  for (const { id, combinations } of SHORTCUTS) {
    const index = combinations.findIndex((combination) => isPressed(press, combination, isMac));
    if (index >= 0) return { id, index };
  }
  return null;
}

const NAMES: Readonly<Record<string, string>> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  Escape: "Esc",
};

/** The keys as they are printed on the keyboard, in the order they are held. */
export const keysOf = ({ key, mod, alt, shift }: Combination, isMac: boolean): readonly string[] => [
  ...(mod === true ? [isMac ? "⌘" : "Ctrl"] : []),
  ...(alt === true ? [isMac ? "⌥" : "Alt"] : []),
  ...(shift === true ? [isMac ? "⇧" : "Shift"] : []),
  NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key),
];
