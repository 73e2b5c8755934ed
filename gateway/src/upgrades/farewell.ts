import { gatewaySubjects } from "@hearth/contracts";
import { until } from "@hearth/runtime";
import type { AddressCounts, Bus, Log } from "@hearth/runtime";

export interface FarewellDeps {
  readonly gatewayId: string;
  readonly bus: Pick<Bus, "publish">;
  readonly open: Pick<AddressCounts, "total">;
  readonly log: Log;
}

/** A little more than presence lets a message take that was accepted before. */
const LIMIT_MS = 3_500;
const LOOK_MS = 15;

/**
 * WS15: asks presence to tell the sockets of this gateway when to come back, and waits until they have left. Without the
 * bus presence cannot be asked, and the sockets are cut.
 */
export async function sayFarewell({ gatewayId, bus, open, log }: FarewellDeps): Promise<void> {
  if (open.total === 0) return;
  try {
    await bus.publish(gatewaySubjects.leaving, { gatewayId });
  } catch (error) {
    log.warn({ err: error, sockets: open.total }, "sockets are cut without a word");
    return;
  }
  await until(() => open.total === 0, { everyMs: LOOK_MS, limitMs: LIMIT_MS });
}
