/** What this version cannot test, by name; printed at the end of every complete run. */
export const notRun: readonly string[] = [
  "the end-to-end suites on two processes of everything: npm run test:cluster",
  "faults and rolling restarts of a cluster under load: npm run test:faults; slow races and soaks: npm run test:long",
  "the desktop app's window in Electron itself, its packages and updates: Electron's program is not part of its npm package",
  "secrets in a real keychain, tray, notifications and start at login: they need a desktop session",
];
