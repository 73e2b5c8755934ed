import { setTimeout } from "node:timers/promises";
import { gatewaySubjects } from "@hearth/contracts";
import type { AddressCounts, Bus, Log } from "@hearth/runtime";

export interface FarewellDeps {
  readonly gatewayId: string;
  readonly bus: Pick<Bus, "publish">;
  readonly open: Pick<AddressCounts, "total">;
  readonly log: Log;
}

/** A little more than presence lets a message take that was accepted before. */
const PATIENCE_MS = 3_500;
const LOOK_MS = 25;

/**
 * WS15: has the sockets that this gateway passes on told when to come back, and waits until they have left. Without
 * the bus nobody can tell them, and they are cut.
 */
export async function sayFarewell({ gatewayId, bus, open, log }: FarewellDeps): Promise<void> {
  if (open.total === 0) return;
  try {
    await bus.publish(gatewaySubjects.leaving, { gatewayId });
  } catch (error) {
    log.warn({ err: error, sockets: open.total }, "sockets are cut without a word");
    return;
  }
  const deadline = performance.now() + PATIENCE_MS;
  while (open.total > 0 && performance.now() < deadline) await setTimeout(LOOK_MS);
}
