import { setTimeout } from "node:timers/promises";
import { ProblemError } from "@hearth/contracts";
import type { Bus } from "../bus/bus.ts";
import { createHttpListener } from "../http/listener.ts";
import { createInternalServer } from "../internal/internal-server.ts";
import type { Readiness } from "../internal/internal-server.ts";
import { codeOf } from "../errors/error-code.ts";
import { createLifecycle } from "../lifecycle/lifecycle.ts";
import type { Part } from "../lifecycle/lifecycle.ts";
import type { Log } from "../log/log.ts";
import { TroubleLog } from "../log/trouble-log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { retry } from "../timing/retry.ts";
import { createIdleMemory } from "./idle-memory.ts";
import type { Door } from "./internal-door.ts";
import type { ProcessConfig } from "./process-config.ts";

export interface ServiceProcessOptions {
  readonly config: ProcessConfig;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly bus: Bus;
  readonly service: Part & Readiness;
  /** The HTTP door, if the service has one; `ready` returns false from the moment the process is about to stop. */
  readonly door?: (ready: () => boolean) => Door;
  /** Stores and connections. They are stopped after the service. */
  readonly connections?: readonly Part[];
  /** How long the service itself may take to stop: sockets are asked to leave one after the other. */
  readonly stopLimitMs?: number;
  /** How long it serves after it has reported that it is not ready, until others have noticed; default 1,500. */
  readonly drainMs?: number;
}

const RETRY_MS = 500;

/** A service's dependencies may start later than it: retries while they are unavailable, and throws any other error. */
const startWhenPossible = (service: Part, log: Log, stopLimitMs: number): Part => ({
  name: service.name,
  stopLimitMs,
  async start(stopping) {
    const trouble = new TroubleLog(log);
    const started = retry(async () => service.start?.(stopping), {
      delayMs: RETRY_MS,
      signal: stopping,
      isRetryable: (error) => error instanceof ProblemError && error.retryable,
      onFailure: (error) => trouble.report(codeOf(error), "what this service needs is not there yet"),
    });
    await started.catch((error: unknown) => {
      if (!stopping.aborted) throw error;
    });
  },
  stop: async () => service.stop?.(),
});

/**
 * Runs one service in a process of its own until a signal ends it. It serves health and metrics from the start, so that an
 * orchestrator sees it as live but not ready while it waits for its dependencies.
 */
export async function runServiceProcess(options: ServiceProcessOptions): Promise<void> {
  const { config, log, metrics, bus, service, door, connections = [] } = options;
  const { stopLimitMs = 8_000, drainMs = 1_500 } = options;
  const { host, port } = config;
  let draining = false;
  const ready = (): boolean => service.ready() && !draining;
  const drain = async (): Promise<void> => {
    draining = true;
    // Answers the requests that were on their way while it still serves.
    await Promise.all([bus.retire?.(), setTimeout(drainMs)]);
  };
  const parts: Part[] = [
    createInternalServer({ ...config.metrics, metrics, modules: [{ name: service.name, ready }], log }),
    ...connections,
    { name: "bus", stop: () => bus.close() },
    startWhenPossible(service, log, stopLimitMs),
  ];
  if (door) parts.push(createHttpListener({ name: "door", host, port, ...door(ready), log }));
  parts.push(createIdleMemory(), { name: "drain", stop: drain });
  const lifecycle = createLifecycle({ log, hardLimitMs: stopLimitMs + drainMs + 4_000 });
  for (const part of parts) lifecycle.add(part);
  lifecycle.handleSignals();
  await lifecycle.start();
  log.info({ host, port, service: service.name }, "the service runs");
}
