import { healthSubject, syncSubjects } from "@hearth/contracts";
import type { Bus, Subscription } from "@hearth/runtime";
import { deliveredEnvelope } from "../domain/envelope.ts";
import type { SyncMetrics } from "./metrics.ts";

export interface SyncBusDeps {
  readonly bus: Bus;
  readonly metrics: SyncMetrics;
  readonly ready: () => boolean;
}

/**
 * AS1: `sync.relay` is answered after the envelope was published. Presence asks for one envelope of a connection at a
 * time, so the order of a connection holds with any number of replicas.
 */
export const connectBus = ({ bus, metrics, ready }: SyncBusDeps): readonly Subscription[] => [
  bus.answer(healthSubject("sync"), async () => ({ ready: ready() })),
  bus.answer(syncSubjects.relay, async ({ oderId, connectionId, sequence, envelope }) => {
    const delivered = deliveredEnvelope(envelope, oderId);
    await bus.publish(syncSubjects.deliver, {
      oderId,
      exceptConnectionId: connectionId,
      sequence,
      envelope: delivered,
    });
    metrics.countRelayed(delivered.payload.type);
    return {};
  }),
];
