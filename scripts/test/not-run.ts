import { suitesByProject } from "./suite-files.ts";

/** Suites that run on request, with their commands. */
const ON_REQUEST = {
  rest: "end-to-end suites besides the smoke suite: npm run test:all",
  cluster: "suites on two processes of every service: npm run test:cluster",
  containers: "suites of the containers: npm run test:containers",
  faults: "suites of faults, of which .ci/run takes one of each kind: npm run test:faults",
  long: "suites with slow races and soaks: npm run test:long",
} as const;

/** What this version cannot test. */
const UNTESTABLE: readonly string[] = [
  "the desktop app's window in Electron, its packages and updates: Electron's program is not part of its npm package",
  "secrets in a real keychain, tray, notifications and start at login: they need a desktop session",
];

/** A skipped test's name says what the machine lacks, after `optional: ` if that is never required. */
const LACK = /\((needs? [^)]+)\)/;

const lackOf = (title: string): string => LACK.exec(title)?.[1] ?? "skipped without a reason";

export const isOptional = (title: string): boolean => title.startsWith("optional: ");

/** One line per reason, with the number of tests and one of their names. */
export function reasons(titles: readonly string[]): readonly string[] {
  return [...Map.groupBy(titles, lackOf)].map(
    ([lack, of]) => `${of.length} × ${lack}, such as: ${of[0] ?? ""}`,
  );
}

export async function notRun(ran: readonly string[], skipped: readonly string[]): Promise<readonly string[]> {
  const suites = await suitesByProject();
  const left = Object.entries(ON_REQUEST).filter(([name]) => !ran.includes(name));
  const lines = left.map(([name, line]) => `${suites.get(name)?.length ?? 0} ${line}`);
  return [...lines, ...UNTESTABLE, ...reasons(skipped)];
}
