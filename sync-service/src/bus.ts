import { healthSubject, syncSubjects } from "@hearth/contracts";
import type { Bus, Subscription } from "@hearth/runtime";
import { toDelivered } from "./envelope.ts";
import type { SyncMetrics } from "./sync-metrics.ts";

/**
 * AS1: the answer leaves after the envelope was handed to the bus, and presence asks for one envelope of a
 * connection at a time, so the order of a connection holds with any number of replicas.
 */
export const connectBus = (
  bus: Bus,
  metrics: SyncMetrics,
  isReady: () => boolean,
): readonly Subscription[] => [
  bus.answer(healthSubject("sync"), async () => ({ ready: isReady() })),
  bus.answer(syncSubjects.relay, async ({ oderId, connectionId, sequence, envelope }) => {
    const delivered = toDelivered(envelope, oderId);
    await bus.publish(syncSubjects.deliver, {
      oderId,
      exceptConnectionId: connectionId,
      sequence,
      envelope: delivered,
    });
    metrics.relayed(delivered.payload.type);
    return {};
  }),
];
