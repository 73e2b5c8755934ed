/** What this version cannot test, by name; printed at the end of every complete run. */
export const notRun: readonly string[] = [
  "networked twins (NATS, Redis, MongoDB): not part of this version yet",
];
