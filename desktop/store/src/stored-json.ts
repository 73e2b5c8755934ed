/** `JSON.stringify` writes lone surrogates as escapes, and escapes everything else with a backslash too. */
const ESCAPES = /\\(?:ud[89a-f][0-9a-f]{2}|.)/g;

/**
 * JSON text for a column. Lone surrogates become U+FFFD, as in text columns, because many JSON readers refuse the
 * whole text otherwise. `undefined` for values that are not JSON.
 */
export const storedJson = (value: unknown): string | undefined =>
  (JSON.stringify(value) as string | undefined)?.replace(ESCAPES, (escape) =>
    escape.length > 2 ? "\u{FFFD}" : escape,
  );

/** For values that are always JSON. */
export const storedList = (values: readonly unknown[]): string => storedJson(values) ?? "[]";
