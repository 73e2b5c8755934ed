import { ProblemError } from "@hearth/contracts";
import type { SessionEndReason } from "@hearth/contracts";
import type { Metrics } from "@hearth/runtime";

export interface AuthMetrics {
  /** Counts the result of a login or another proof of a password, and returns it. */
  countLogin<Result>(login: Promise<Result>): Promise<Result>;
  readonly countEnded: (reason: SessionEndReason) => void;
  readonly showHashing: (inFlight: number, queued: number) => void;
}

const resultOf = (error: unknown): string => {
  if (!(error instanceof ProblemError)) return "unavailable";
  if (error.code === "INVALID_CREDENTIALS") return "wrong";
  return error.code === "RATE_LIMITED" ? "blocked" : "unavailable";
};

export function createAuthMetrics(metrics: Metrics): AuthMetrics {
  const logins = metrics.counter({
    name: "hearth_auth_logins_total",
    help: "Proofs of a password by result: ok, wrong, blocked, unavailable",
    labels: ["result"],
  });
  const ended = metrics.counter({
    name: "hearth_auth_sessions_ended_total",
    help: "Sessions ended and announced, by reason",
    labels: ["reason"],
  });
  const hashing = metrics.gauge({
    name: "hearth_auth_hashing",
    help: "Password hashes running and waiting",
    labels: ["state"],
  });
  return {
    countLogin: (login) =>
      login.then(
        (result) => {
          logins.inc({ result: "ok" });
          return result;
        },
        (error: unknown) => {
          logins.inc({ result: resultOf(error) });
          throw error;
        },
      ),
    countEnded: (reason) => ended.inc({ reason }),
    showHashing: (inFlight, queued) => {
      hashing.set({ state: "running" }, inFlight);
      hashing.set({ state: "waiting" }, queued);
    },
  };
}
