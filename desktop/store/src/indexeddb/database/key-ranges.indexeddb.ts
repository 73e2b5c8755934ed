type Part = string | number;

/** Behind every key that begins with the same parts, as lists come after numbers and texts. */
const END: IDBValidKey = [];

/** All keys that begin with these parts. */
export const within = (...parts: readonly Part[]): IDBKeyRange =>
  IDBKeyRange.bound([...parts], [...parts, END]);

/** Those of them from a place on. */
export const onward = (parts: readonly Part[], place: readonly Part[]): IDBKeyRange =>
  IDBKeyRange.bound([...parts, ...place], [...parts, END]);

/** Those of them that come behind a place. */
export const behind = (parts: readonly Part[], place: readonly Part[]): IDBKeyRange =>
  IDBKeyRange.bound([...parts, ...place], [...parts, END], true);

/** Those of them that come behind everything that has this number next. */
export const behindAll = (parts: readonly Part[], next: number): IDBKeyRange =>
  IDBKeyRange.bound([...parts, next, END], [...parts, END], true);

/** Those of them that come before a place. */
export const before = (parts: readonly Part[], place: readonly Part[]): IDBKeyRange =>
  IDBKeyRange.bound([...parts], [...parts, ...place], false, true);

/** Texts that begin so. */
export function beginning(prefix: string): IDBKeyRange {
  const raised = prefix.replace(/\uFFFF+$/, "");
  const last = raised.length - 1;
  if (last < 0) return IDBKeyRange.lowerBound(prefix);
  const next = raised.slice(0, last) + String.fromCharCode(raised.charCodeAt(last) + 1);
  return IDBKeyRange.bound(prefix, next, false, true);
}
