import { ClientProblem } from "@hearth/device";
import type { ClientProblemCode } from "@hearth/device";

/** What was asked of the client in memory, and what of it goes wrong. */
export interface Calls {
  /** In order, as `servers.leave "id"`. */
  readonly log: readonly string[];
  /** Writes a call down, takes its time, and rejects where the scenario says so. */
  readonly did: (name: string, details?: unknown) => Promise<void>;
  readonly problem: (code: ClientProblemCode) => ClientProblem;
  /** From now on calls of this name reject; `null` ends that. */
  readonly fail: (name: string, code: ClientProblemCode | null) => void;
}

export function createCalls(latency: number, failing: Readonly<Record<string, ClientProblemCode>>): Calls {
  const log: string[] = [];
  const failures = new Map(Object.entries(failing));
  const problem = (code: ClientProblemCode): ClientProblem =>
    new ClientProblem(code, { retryable: ["NO_ANSWER", "OFFLINE", "UNAVAILABLE", "TIMEOUT"].includes(code) });
  return {
    log,
    problem,
    async did(name, details) {
      log.push(details === undefined ? name : `${name} ${JSON.stringify(details)}`);
      if (latency > 0) await new Promise((resolve) => setTimeout(resolve, latency));
      const code = failures.get(name);
      if (code !== undefined) throw problem(code);
    },
    fail(name, code) {
      if (code === null) failures.delete(name);
      else failures.set(name, code);
    },
  };
}
