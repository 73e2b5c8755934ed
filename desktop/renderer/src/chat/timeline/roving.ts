const PAGE = 8;

/** The message that a key leads to from another one; nothing for other keys and at an end. */
export function nextIndex(key: string, from: number, count: number): number | null {
  const last = count - 1;
  const to = {
    ArrowUp: from - 1,
    ArrowDown: from + 1,
    PageUp: Math.max(0, from - PAGE),
    PageDown: Math.min(last, from + PAGE),
    Home: 0,
    End: last,
  }[key];
  return to === undefined || from < 0 || to < 0 || to > last ? null : to;
}
