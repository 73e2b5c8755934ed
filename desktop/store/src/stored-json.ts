/** `JSON.stringify` writes half a surrogate pair as an escape, and stands a backslash before whatever else it escapes. */
const ESCAPES = /\\(?:ud[89a-f][0-9a-f]{2}|.)/g;

/**
 * JSON text for a column. Half a surrogate pair becomes U+FFFD, as it does in a column of text: many a reader of JSON
 * refuses the whole answer for one. `undefined` for what is no JSON value.
 */
export const storedJson = (value: unknown): string | undefined =>
  (JSON.stringify(value) as string | undefined)?.replace(ESCAPES, (escape) =>
    escape.length > 2 ? "\u{FFFD}" : escape,
  );

/** For what always is a JSON value. */
export const storedList = (values: readonly unknown[]): string => storedJson(values) ?? "[]";
