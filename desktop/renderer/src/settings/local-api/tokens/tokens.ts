import type { LocalTokenInfo } from "@hearth/bridge";

/** The tokens that were issued between two views. */
export function issuedTokens(
  before: readonly LocalTokenInfo[],
  after: readonly LocalTokenInfo[],
): readonly LocalTokenInfo[] {
  const known = new Set(before.map(({ id }) => id));
  return after.filter(({ id }) => !known.has(id));
}
