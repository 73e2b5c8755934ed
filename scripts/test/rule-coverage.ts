/** The rules that no title starts with, as in `WS4 a join is answered` or `WS4: a join is answered`. */
export function uncoveredRules(rules: readonly string[], passedTitles: readonly string[]): string[] {
  const covered = new Set(passedTitles.map((title) => /^([A-Z]+\d+)[ :]/.exec(title)?.[1]));
  return rules.filter((rule) => !covered.has(rule));
}
