import { gatewaySubjects } from "@hearth/contracts";
import { poll } from "@hearth/runtime";
import type { AddressCounts, Bus, Log } from "@hearth/runtime";

export interface LeavingDeps {
  readonly gatewayId: string;
  readonly bus: Pick<Bus, "publish">;
  readonly open: Pick<AddressCounts, "total">;
  readonly log: Log;
}

/** A little longer than presence takes to finish the messages that it has accepted. */
const LIMIT_MS = 3_500;
const LOOK_MS = 15;

/**
 * WS15: asks presence to tell the sockets of this gateway when to come back, and waits until they have left. Without the
 * bus presence cannot be asked, and the sockets are cut.
 */
export async function leave({ gatewayId, bus, open, log }: LeavingDeps): Promise<void> {
  if (open.total === 0) return;
  try {
    await bus.publish(gatewaySubjects.leaving, { gatewayId });
  } catch (error) {
    log.warn({ err: error, sockets: open.total }, "sockets are cut without a word");
    return;
  }
  await poll(() => open.total === 0, { everyMs: LOOK_MS, limitMs: LIMIT_MS });
}
