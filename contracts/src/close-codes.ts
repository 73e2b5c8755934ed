/** A reason for the server to close a connection, with its WebSocket close code (rule WS14). */
export interface CloseKind {
  readonly code: number;
  readonly reason: string;
}

/** WS14: a client reconnects after 4000–4499 and does not after 4500–4999. */
export const CLOSE = {
  RESTARTING: { code: 4001, reason: "restarting" },
  SLOW_READER: { code: 4002, reason: "slow_reader" },
  HEARTBEAT: { code: 4003, reason: "heartbeat" },
  RATE: { code: 4008, reason: "rate" },
  IDENTIFY_TIMEOUT: { code: 4009, reason: "identify_timeout" },
  REFUSED: { code: 4500, reason: "refused" },
  SESSION_REVOKED: { code: 4501, reason: "session_revoked" },
  SESSION_EXPIRED: { code: 4502, reason: "session_expired" },
  SUPERSEDED: { code: 4503, reason: "superseded" },
  BANNED: { code: 4504, reason: "banned" },
  TOO_MANY_CONNECTIONS: { code: 4505, reason: "too_many_connections" },
  PROTOCOL: { code: 4506, reason: "protocol" },
} as const satisfies Record<string, CloseKind>;

/** True when a client may reconnect by itself after this close code (rule WS14). */
export const mayReconnect = (code: number): boolean => code < 4500 || code > 4999;
