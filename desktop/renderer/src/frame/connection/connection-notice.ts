import type { Instance } from "@hearth/client";
import type { ConnectionState } from "@hearth/client";

/** A moment without a connection is nothing to tell. */
export const PATIENCE_MS = 2_000;

/** What is told about the connection to one signaling server, and what can be done about it. */
export type ConnectionNotice =
  | { readonly kind: "no-network" }
  | { readonly kind: "connecting"; readonly attempts: number }
  | { readonly kind: "waiting"; readonly seconds: number }
  | { readonly kind: "superseded" }
  | { readonly kind: "ended"; readonly reason: string | null };

type Told = Pick<ConnectionState, "status" | "attempts" | "retryAt" | "offlineSince" | "reason">;

/** Needing sign-in is told by its own notice, so that it is not told twice. */
export function noticeOf(
  state: Told,
  authorization: Instance["authorization"],
  isNetworkThere: boolean,
  now: number,
): ConnectionNotice | null {
  if (authorization !== "authorized") return null;
  if (state.status === "ended")
    return state.reason === "superseded" ? { kind: "superseded" } : { kind: "ended", reason: state.reason };
  if (state.status === "online" || state.status === "idle") return null;
  if (state.offlineSince === null || now - state.offlineSince < PATIENCE_MS) return null;
  if (!isNetworkThere) return { kind: "no-network" };
  const { status, retryAt, attempts } = state;
  if (status === "waiting" && retryAt !== null && retryAt > now)
    return { kind: "waiting", seconds: Math.ceil((retryAt - now) / 1000) };
  return { kind: "connecting", attempts };
}

/** The first try of a page that was just opened is no interruption. */
export const isInterrupted = (state: Pick<ConnectionState, "status" | "attempts"> | undefined): boolean => {
  if (state === undefined) return false;
  const { status, attempts } = state;
  return status === "waiting" || status === "ended" || (status === "connecting" && attempts > 0);
};

/** True for an end of an outage that was long enough to be told. */
export const isReturn = (before: Told, after: Told, now: number): boolean =>
  before.status !== "online" &&
  after.status === "online" &&
  before.offlineSince !== null &&
  now - before.offlineSince >= PATIENCE_MS;
