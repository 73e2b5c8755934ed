import { SERVICES, healthSubject } from "@hearth/contracts";
import type { Health, ServiceName, ServiceState } from "@hearth/contracts";
import type { Bus, Clock } from "@hearth/runtime";

export interface HealthDeps {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly version: string;
}

const ASK_TIMEOUT_MS = 500;

/** GW1: reports the state of every service. Concurrent calls share one round of requests. */
export function createHealth({ bus, clock, version }: HealthDeps): () => Promise<Health> {
  const ask = async (service: ServiceName): Promise<ServiceState> => {
    try {
      const { ready } = await bus.request(healthSubject(service), {}, { timeoutMs: ASK_TIMEOUT_MS });
      return ready ? "ready" : "not_ready";
    } catch {
      return "unreachable";
    }
  };
  const gather = async (): Promise<Health> => {
    const states = await Promise.all(SERVICES.map(async (name) => [name, await ask(name)] as const));
    const status = states.every(([, state]) => state === "ready") ? "ok" : "degraded";
    return { status, version, timestamp: clock.now(), services: Object.fromEntries(states) };
  };
  let gathering: Promise<Health> | undefined;
  return () => (gathering ??= gather().finally(() => (gathering = undefined)));
}
