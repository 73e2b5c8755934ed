import { isSyncPayloadType } from "@hearth/contracts";
import type { Metrics } from "@hearth/runtime";

export interface SyncMetrics {
  relayed(payloadType: string): void;
}

/** Payload types that are not the protocol's own are counted as one: they are any client's invention. */
export const createSyncMetrics = (metrics: Metrics): SyncMetrics => {
  const envelopes = metrics.counter({
    name: "hearth_sync_envelopes_total",
    help: "account_sync envelopes handed on",
    labels: ["payload"],
  });
  return { relayed: (type) => envelopes.inc({ payload: isSyncPayloadType(type) ? type : "other" }) };
};
