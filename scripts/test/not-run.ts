/** What is left out unless it is asked for, and how to ask. */
const ON_REQUEST = {
  rest: "the end-to-end suites that are not in the smoke suite: npm run test:all",
  cluster: "what differs on two processes of everything: npm run test:cluster",
  containers: "the deployment in containers: npm run test:containers",
  "one-of-each": "faults and rolling restarts of a cluster under load: npm run test:faults",
  long: "slow races and soaks: npm run test:long",
} as const;

/** What this version cannot test, by name. */
const UNTESTABLE: readonly string[] = [
  "the desktop app's window in Electron, its packages and updates: Electron's program is not part of its npm package",
  "secrets in a real keychain, tray, notifications and start at login: they need a desktop session",
];

/** A skipped test says in its name what the machine lacks: `needs Chromium: …`, or `optional: …` where none is demanded. */
const LACK = /(?:^| )(needs .+?|optional): /;

const lackOf = (title: string): string => LACK.exec(title)?.[1] ?? "skipped without a reason";

export const isOptional = (title: string): boolean => lackOf(title) === "optional";

/** One line for each reason, with the number of tests and the name of one. */
export function reasons(titles: readonly string[]): readonly string[] {
  return [...Map.groupBy(titles, lackOf)].map(
    ([lack, of]) => `${of.length} × ${lack}, such as: ${of[0] ?? ""}`,
  );
}

export function notRun(ran: readonly string[], skipped: readonly string[]): readonly string[] {
  const left = Object.entries(ON_REQUEST).filter(([name]) => !ran.includes(name));
  return [...left.map(([, line]) => line), ...UNTESTABLE, ...reasons(skipped)];
}
