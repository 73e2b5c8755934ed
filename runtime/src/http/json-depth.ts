const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `[` and `{` differ from these in one bit, as do `]` and `}`. */
const BRACKET_BIT = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;
/** For longer strings a native search for the end is cheaper than a look at each byte. */
const LONG = 32;

function isEscaped(json: Buffer, quote: number): boolean {
  let at = quote - 1;
  while (json[at] === BACKSLASH) at -= 1;
  return (quote - at) % 2 === 0;
}

/** The index after the string that opens at `start`; at least the length of the input when it never closes. */
function endOfString(json: Buffer, start: number): number {
  let at = start + 1;
  let plain = 0;
  while (at < json.length) {
    const byte = json[at];
    if (byte === QUOTE) return at + 1;
    plain = byte === BACKSLASH ? 0 : plain + 1;
    at += byte === BACKSLASH ? 2 : 1;
    if (plain < LONG) continue;
    const quote = json.indexOf(QUOTE, at);
    if (quote < 0) return json.length;
    at = quote + 1;
    if (!isEscaped(json, quote)) return at;
    plain = 0;
  }
  return at;
}

/**
 * True when arrays and objects nest deeper than `limit`. It scans the bytes, so that input is refused before a parser
 * recurses into it. For input from outside `limit` is `LIMITS.jsonDepth`.
 */
export function exceedsJsonDepth(json: Buffer, limit: number): boolean {
  let depth = 0;
  let at = 0;
  while (at < json.length) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) {
      at = endOfString(json, at);
      continue;
    }
    const folded = byte | BRACKET_BIT;
    if (folded === OPEN) depth += 1;
    else if (folded === CLOSE) depth -= 1;
    if (depth > limit) return true;
    at += 1;
  }
  return false;
}
