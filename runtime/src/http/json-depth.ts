const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);

/** The byte behind the string that opens at `start`; the length of the input when it never closes. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

/**
 * True when arrays and objects nest deeper than `limit`. Looks at the bytes alone, so that what is too deep is
 * refused before a parser recurses into it; `limit` is `LIMITS.jsonDepth` for what comes from outside.
 */
export function exceedsJsonDepth(json: Uint8Array, limit: number): boolean {
  let depth = 0;
  let at = 0;
  while (at < json.length) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) {
      at = endOfString(json, at);
      continue;
    }
    if (OPEN.has(byte)) depth += 1;
    else if (CLOSE.has(byte)) depth -= 1;
    if (depth > limit) return true;
    at += 1;
  }
  return false;
}
