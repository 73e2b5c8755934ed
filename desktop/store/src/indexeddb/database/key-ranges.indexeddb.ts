type Part = string | number;

/** Sorts after every key with the same parts, because arrays sort after numbers and texts. */
const END: IDBValidKey = [];

/** All keys with this prefix. */
export const within = (...parts: readonly Part[]): IDBKeyRange =>
  IDBKeyRange.bound([...parts], [...parts, END]);

/** From a position on. */
export const onward = (parts: readonly Part[], place: readonly Part[]): IDBKeyRange =>
  IDBKeyRange.bound([...parts, ...place], [...parts, END]);

/** After a position. */
export const behind = (parts: readonly Part[], place: readonly Part[]): IDBKeyRange =>
  IDBKeyRange.bound([...parts, ...place], [...parts, END], true);

/** After all keys with this number next. */
export const behindAll = (parts: readonly Part[], next: number): IDBKeyRange =>
  IDBKeyRange.bound([...parts, next, END], [...parts, END], true);

/** Before a position. */
export const before = (parts: readonly Part[], place: readonly Part[]): IDBKeyRange =>
  IDBKeyRange.bound([...parts], [...parts, ...place], false, true);

/** Texts with a prefix. */
export function beginning(prefix: string): IDBKeyRange {
  const raised = prefix.replace(/\uFFFF+$/, "");
  const last = raised.length - 1;
  if (last < 0) return IDBKeyRange.lowerBound(prefix);
  const next = raised.slice(0, last) + String.fromCharCode(raised.charCodeAt(last) + 1);
  return IDBKeyRange.bound(prefix, next, false, true);
}
