const numbered = (prefix: string, last: number): string[] =>
  Array.from({ length: last }, (_, index) => `${prefix}${index + 1}`);

/**
 * The numbered protocol rules that this version implements. Each has at least one test whose title starts with its
 * number; `npm run test:all` fails for a rule without a passed test.
 */
export const RULES: readonly string[] = [
  ...numbered("ER", 6),
  ...numbered("AU", 9),
  ...numbered("GW", 7),
  ...numbered("DI", 8),
  ...numbered("WS", 16),
  ...numbered("AS", 4),
  ...numbered("VO", 3),
  ...numbered("LA", 8),
  ...numbered("CL", 6),
  ...numbered("AB", 13),
];
