import type { Bus, Metrics, ServiceModule, Subscription } from "@hearth/runtime";
import { connectBus } from "./bus.ts";
import { createSyncMetrics } from "./sync-metrics.ts";

/** What the sync service is made from. */
export interface SyncDependencies {
  readonly bus: Bus;
  readonly metrics: Metrics;
}

/** One account on many devices: checks `account_sync` and hands it to every node. Keeps nothing. */
export const createSyncService = ({ bus, metrics }: SyncDependencies): ServiceModule => {
  let subscriptions: readonly Subscription[] = [];
  let running = false;
  const ready = (): boolean => running && bus.connected;
  return {
    name: "sync",
    ready,
    async start() {
      subscriptions = connectBus(bus, createSyncMetrics(metrics), ready);
      running = true;
    },
    async stop() {
      running = false;
      for (const subscription of subscriptions) subscription.close();
    },
  };
};
