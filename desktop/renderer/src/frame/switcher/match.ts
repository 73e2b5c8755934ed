const MARKS = /\p{M}/gu;

/** Without case and accents, as people type names they know. */
export const folded = (text: string): string => text.normalize("NFKD").replace(MARKS, "").toLowerCase();

const isStart = (text: string, index: number): boolean =>
  index === 0 || !/[\p{L}\p{N}]/u.test(text[index - 1] ?? "");

/** Characters in order, those at the beginnings of words and next to each other counting more. */
function scattered(wanted: string, text: string): number {
  let score = 0;
  let from = 0;
  let before = -2;
  for (const character of wanted) {
    const index = text.indexOf(character, from);
    if (index < 0) return 0;
    score += isStart(text, index) ? 3 : index === before + 1 ? 2 : 0.25;
    before = index;
    from = index + 1;
  }
  return score / (wanted.length * 3);
}

/**
 * How well a name fits what was typed: 0 for not at all. A name that begins so comes before one with such a word, that
 * before one that has it somewhere, and that before one whose letters only come in this order.
 */
export function fitOf(typed: string, name: string): number {
  const wanted = folded(typed).trim();
  const text = folded(name);
  if (wanted === "") return 1;
  const index = text.indexOf(wanted);
  const brevity = wanted.length / Math.max(text.length, wanted.length);
  if (index === 0) return 4 + brevity;
  const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)];
  if (words.some((word) => word[0].startsWith(wanted))) return 3 + brevity;
  if (index > 0) return 2 + brevity;
  const parts = wanted.split(/\s+/u);
  if (parts.length > 1 && parts.every((part) => text.includes(part))) return 1 + brevity;
  const fit = scattered(wanted.replaceAll(/\s/gu, ""), text);
  return fit >= 0.4 ? fit : 0;
}
