import { expect } from "@jest/globals";
import { setTimeout as pause } from "node:timers/promises";
import { SEED } from "../expectations/races.ts";
import type { Cluster } from "../server/cluster.ts";
import { violationsIn } from "./checks/checker.ts";
import { Ledger, type Traffic } from "./ledger.ts";
import { Load } from "./load/load.ts";
import { noteOccupants } from "./load/occupants.ts";
import { untilEverythingWorks } from "./probe.ts";
import { summary } from "./summary.ts";

export interface Fault {
  /** As in `F1`. */
  readonly name: string;
  /** Traffic whose loss is excused from the start of the fault until everything works again. */
  readonly disturbs: readonly Traffic[];
  /** Causes the fault; resolves when it has ended. */
  readonly strike: (load: Load, ledger: Ledger) => Promise<void>;
  readonly restUrl?: () => string;
}

const UNDISTURBED_MS = 1_500;
const RECOVERY_LIMIT_MS = 30_000;
/** After this time no ghost may be in a server (F1). */
const GHOSTS_MS = 15_000;

/** Records processes that ended on their own (I12) and secrets in logs (I13). */
const noteProcesses = (ledger: Ledger, cluster: Cluster, load: Load): void => {
  for (const member of cluster.members)
    if (!member.running)
      ledger.note({ kind: "exited", process: member.name, outcome: "an end", asked: false });
  const secrets = [
    ...load.accounts.map(({ token }) => ["a token", token] as const),
    ...Object.values(cluster.passwords.nats).map((password) => ["a password of NATS", password] as const),
    ["the password of Redis", cluster.passwords.redis] as const,
    ["the password of MongoDB", cluster.passwords.mongo] as const,
    ["the secret between services", cluster.passwords.internal] as const,
    ["the text of a message", "text of u"] as const,
    ["a password", "correct horse"] as const,
  ];
  for (const member of cluster.members)
    for (const [what, secret] of secrets)
      if (member.output().includes(secret))
        ledger.note({ kind: "leaked", where: `the log of ${member.name}`, what });
};

/** Runs the load, causes the fault, and checks everything observed against the invariants. */
export const underFault = async (
  cluster: Cluster,
  { name, disturbs, strike, restUrl }: Fault,
): Promise<Ledger> => {
  const ledger = new Ledger();
  const { url } = cluster;
  const load = await Load.start({ url, ledger, seed: SEED, ...(restUrl && { restUrl }) });
  try {
    await pause(UNDISTURBED_MS);
    ledger.note({ kind: "fault", name, disturbs });
    await strike(load, ledger);
    ledger.note({ kind: "returned", name });
    const [account] = load.accounts;
    // A probe asks one process of each service; another one may still be reconnecting.
    await cluster.ready(RECOVERY_LIMIT_MS);
    if (account) await untilEverythingWorks(url, account, RECOVERY_LIMIT_MS);
    await load.untilEverybodyJoined(RECOVERY_LIMIT_MS);
    await load.mutations.settled(RECOVERY_LIMIT_MS);
    ledger.note({ kind: "whole", name });
    await pause(UNDISTURBED_MS);
    await load.end();
    await load.mutations.verify();
    await noteOccupants(ledger, load, GHOSTS_MS);
    noteProcesses(ledger, cluster, load);
  } finally {
    load.leave();
  }
  console.log(`${name} (seed ${SEED}): ${summary(ledger.entries)}`);
  expect(violationsIn(ledger.entries)).toEqual([]);
  return ledger;
};
