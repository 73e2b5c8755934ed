import type { Metrics } from "@hearth/runtime";
import type { Door } from "./connection.ts";

/** The metrics of the transport. */
export interface TransportMetrics {
  opened(door: Door): void;
  /** With the close code of the side that closed; 1006 if the connection broke. */
  closed(door: Door, code: number): void;
  /** A frame that a slow reader missed (rule WS13). */
  dropped(door: Door): void;
  /** The number of waiting messages of all connections has changed by so many. */
  queued(change: number): void;
  sent(bytes: number): void;
  received(bytes: number): void;
  /** An upgrade answered with this HTTP status. */
  refused(status: number): void;
}

const ignore = (): void => undefined;

export const noMetrics: TransportMetrics = {
  opened: ignore,
  closed: ignore,
  dropped: ignore,
  queued: ignore,
  sent: ignore,
  received: ignore,
  refused: ignore,
};

/** A peer may close with any code. Only known codes become labels. */
const labelOf = (code: number): string =>
  code < 1016 || (code >= 4000 && code < 4600) ? String(code) : "other";

export function createTransportMetrics(metrics: Metrics): TransportMetrics {
  const sockets = metrics.gauge({
    name: "hearth_presence_sockets",
    help: "Open sockets by door",
    labels: ["door"],
  });
  const closes = metrics.counter({
    name: "hearth_presence_closes_total",
    help: "Closed sockets by door and close code",
    labels: ["door", "code"],
  });
  const dropped = metrics.counter({
    name: "hearth_presence_frames_dropped_total",
    help: "Frames that slow readers missed",
    labels: ["door"],
  });
  const queue = metrics.gauge({
    name: "hearth_presence_queue_messages",
    help: "Messages waiting behind another of their connection",
  });
  const sent = metrics.counter({
    name: "hearth_presence_sent_bytes_total",
    help: "Bytes written to sockets",
  });
  const received = metrics.counter({
    name: "hearth_presence_received_bytes_total",
    help: "Bytes of text frames received",
  });
  const refused = metrics.counter({
    name: "hearth_presence_upgrades_refused_total",
    help: "Upgrades answered with an HTTP error",
    labels: ["status"],
  });
  return {
    opened: (door) => sockets.inc({ door }),
    closed(door, code) {
      sockets.dec({ door });
      closes.inc({ door, code: labelOf(code) });
    },
    dropped: (door) => dropped.inc({ door }),
    queued: (change) => queue.inc(change),
    sent: (bytes) => sent.inc(bytes),
    received: (bytes) => received.inc(bytes),
    refused: (status) => refused.inc({ status: String(status) }),
  };
}
