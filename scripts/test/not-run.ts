/** What is left out unless it is asked for, and how to ask. */
export const ON_REQUEST = {
  cluster: "the end-to-end suites on two processes of everything: npm run test:cluster",
  faults: "faults and rolling restarts of a cluster under load: npm run test:faults",
  long: "slow races and soaks: npm run test:long",
} as const;

/** What this version cannot test, by name; printed at the end of every complete run. */
export const notRun: readonly string[] = [
  "the desktop app's window in Electron itself, its packages and updates: Electron's program is not part of its npm package",
  "secrets in a real keychain, tray, notifications and start at login: they need a desktop session",
];
