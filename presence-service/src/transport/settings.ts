import { LIMITS } from "@hearth/contracts";

/** Sizes in bytes, durations in milliseconds. */
export interface TransportLimits {
  /** WS2 */
  readonly queue: { readonly messages: number; readonly bytes: number };
  /** WS12 */
  readonly frameBytes: number;
  /** The maximum of pings and pongs of one connection per sweep of the heartbeat. */
  readonly controlFrames: number;
  /** WS13 */
  readonly unsent: {
    /** AB6 */
    readonly dropStrangers: number;
    readonly dropEphemeral: number;
    readonly close: number;
  };
  /** How long a Socket.IO client may take from the handshake to its CONNECT. */
  readonly connectMs: number;
  /** How long a peer may take to answer a close before its socket is destroyed. */
  readonly closeMs: number;
  /** How long a message that was accepted before {@link Transport.closeAll} may still take. */
  readonly finishMs: number;
}

export const DEFAULT_LIMITS: TransportLimits = {
  queue: LIMITS.queue,
  frameBytes: LIMITS.frameBytes,
  controlFrames: LIMITS.messageRate.burst,
  unsent: LIMITS.unsent,
  connectMs: LIMITS.identify.deadlineMs,
  closeMs: 2000,
  finishMs: 3000,
};

/** WS11 */
export interface HeartbeatSettings {
  readonly intervalMs: number;
  readonly timeoutMs: number;
  /** The interval of the timer, which is also the precision of the other two. */
  readonly sweepMs: number;
}

export const DEFAULT_HEARTBEAT: HeartbeatSettings = { ...LIMITS.heartbeat, sweepMs: 1000 };
