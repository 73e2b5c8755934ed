import type { Bus, Metrics, ServiceModule, Subscription } from "@hearth/runtime";
import { connectBus } from "./edge/bus.ts";
import { createSyncMetrics } from "./edge/metrics.ts";

export interface SyncServiceDeps {
  readonly bus: Bus;
  readonly metrics: Metrics;
}

/** One account on many devices: checks `account_sync` envelopes and publishes them for every node. Stores nothing. */
export const createSyncService = ({ bus, metrics }: SyncServiceDeps): ServiceModule => {
  let subscriptions: readonly Subscription[] = [];
  let started = false;
  const ready = (): boolean => started && bus.connected;
  return {
    name: "sync",
    ready,
    start: async () => {
      subscriptions = connectBus({ bus, metrics: createSyncMetrics(metrics), ready });
      started = true;
    },
    stop: async () => {
      started = false;
      for (const subscription of subscriptions) subscription.close();
    },
  };
};
