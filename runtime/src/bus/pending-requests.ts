import { ProblemError } from "@hearth/contracts";
import type { RequestSubject } from "@hearth/contracts";
import type { Log } from "../log/log.ts";
import type { BusMetrics } from "./bus-metrics.ts";
import { readReply } from "./messages.ts";
import type { Reply } from "./messages.ts";

export type Settle = (reply: Reply | ProblemError) => void;

/** Requests that wait for their answers, each until its timeout. */
export class PendingRequests {
  readonly #log: Log;
  readonly #metrics: BusMetrics | undefined;
  readonly #settled: () => void;
  readonly #waiting = new Set<Settle>();

  constructor(log: Log, metrics: BusMetrics | undefined, settled: () => void) {
    this.#log = log;
    this.#metrics = metrics;
    this.#settled = settled;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** `send` sends the request. The first settlement counts; later ones are ignored. */
  ask<Question, Answer>(
    subject: RequestSubject<Question, Answer>,
    timeoutMs: number,
    send: (settle: Settle) => void,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const askedAt = performance.now();
      const settle: Settle = (reply) => {
        if (!this.#waiting.delete(settle)) return;
        clearTimeout(timer);
        this.#metrics?.answered(subject.name, askedAt);
        try {
          if (reply instanceof ProblemError) throw reply;
          resolve(readReply(subject, reply, this.#log));
        } catch (error) {
          const problem = error instanceof ProblemError ? error : new ProblemError("INTERNAL");
          this.#metrics?.failed(subject.name, problem.code);
          reject(problem);
        }
        this.#settled();
      };
      const timer = setTimeout(() => settle(new ProblemError("TIMEOUT")), timeoutMs);
      this.#waiting.add(settle);
      try {
        send(settle);
      } catch (error) {
        settle(error instanceof ProblemError ? error : new ProblemError("INTERNAL"));
      }
    });
  }

  refuseAll(problem: ProblemError): void {
    for (const settle of [...this.#waiting]) settle(problem);
  }
}
