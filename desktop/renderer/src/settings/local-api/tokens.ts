import type { LocalTokenInfo } from "@hearth/bridge";

/** The tokens that were issued between two views. */
export function issuedTokens(
  before: readonly LocalTokenInfo[],
  after: readonly LocalTokenInfo[],
): readonly LocalTokenInfo[] {
  const known = new Set(before.map(({ id }) => id));
  return after.filter(({ id }) => !known.has(id));
}

/** The host of a signaling server's URL, or the text itself where it is none. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);
