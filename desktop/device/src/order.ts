/**
 * By code points, like in SQLite; `<` would compare surrogates. A lone surrogate counts as its stored replacement, so
 * that the order is the same before and after.
 */
export const compareText = (a: string, b: string): number => compareUnits(a.toWellFormed(), b.toWellFormed());

function compareUnits(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return weight(left) - weight(right);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points greater than every other unit. */
const weight = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit);

const LATE_UNITS = /[\uD800-\uFFFF]/g;

/** A text that `<` compares by code points: surrogates and the units after them swap places. */
export const orderKey = (text: string): string =>
  text.toWellFormed().replace(LATE_UNITS, (unit) => {
    const code = unit.charCodeAt(0);
    return String.fromCharCode(code <= 0xdfff ? code + 0x2000 : code - 0x800);
  });

/**
 * Users and rooms by name ignoring case, then by id. Each name is normalised once, because a room may have a hundred
 * thousand users and sorting blocks everything else.
 */
export const sortedByName = <Named>(
  all: readonly Named[],
  nameOf: (named: Named) => string,
  idOf: (named: Named) => string,
): Named[] =>
  all
    .map((named) => ({ named, key: orderKey(nameOf(named).toLowerCase()) }))
    .sort((a, b) => {
      if (a.key !== b.key) return a.key < b.key ? -1 : 1;
      return compareText(idOf(a.named), idOf(b.named));
    })
    .map(({ named }) => named);
