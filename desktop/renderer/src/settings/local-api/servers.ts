/** The list with a person's entry at its end; the app normalises it and says what is wrong with it (rule LA5). */
export const withServer = (servers: readonly string[], typed: string): readonly string[] => [
  ...servers,
  typed.trim(),
];

export const withoutServer = (servers: readonly string[], server: string): readonly string[] =>
  servers.filter((it) => it !== server);

/** The entry that a change added, or `undefined` where the list already held it. */
export const addedServer = (before: readonly string[], after: readonly string[]): string | undefined =>
  after.find((server) => !before.includes(server));
