import { isSyncPayloadType } from "@hearth/contracts";
import type { Metrics } from "@hearth/runtime";

export interface SyncMetrics {
  countRelayed(payloadType: string): void;
}

/** Clients may invent payload types, so all types outside the protocol share the label `other`. */
export const createSyncMetrics = (metrics: Metrics): SyncMetrics => {
  const envelopes = metrics.counter({
    name: "hearth_sync_envelopes_total",
    help: "account_sync envelopes relayed",
    labels: ["payload"],
  });
  return { countRelayed: (type) => envelopes.inc({ payload: isSyncPayloadType(type) ? type : "other" }) };
};
