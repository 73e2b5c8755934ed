import { it } from "@jest/globals";
import type { Cluster } from "../server/cluster.ts";
import { type Fault, underFault } from "./faulty-run.ts";
import type { Traffic } from "./ledger.ts";

export const EVERYTHING: readonly Traffic[] = ["chat", "sync", "voice", "tuples"];

/** Declares tests of one fault each. */
export const faultyTests =
  (cluster: () => Cluster, limitMs = 120_000) =>
  (title: string, disturbs: Fault["disturbs"], strike: Fault["strike"]): void => {
    const [name = ""] = title.split(":");
    it(
      title,
      async () => {
        await underFault(cluster(), { name, disturbs, strike });
      },
      limitMs,
    );
  };
