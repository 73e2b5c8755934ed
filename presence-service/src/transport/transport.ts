import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { CloseKind, ProblemError } from "@hearth/contracts";
import { type Clock, INTERNAL_HEADERS, type Log, refuseUpgrade, systemClock } from "@hearth/runtime";
import { type Server, type ServerOptions, WebSocketServer } from "ws";
import { ClientConnection, type TransportContext } from "./client-connection.ts";
import { ClientSocket } from "./client-socket.ts";
import type { Codec } from "./codec.ts";
import type { Connection, ConnectionHandler, Door, Origin } from "./connection.ts";
import { badHandshake, doorOf, draining, originOf } from "./doors/handshake.ts";
import { plainDoor } from "./doors/plain-door.ts";
import { createSocketioDoor } from "./doors/socketio-door.ts";
import { type Every, everyInterval, startHeartbeat } from "./heartbeat.ts";
import { noMetrics, type TransportMetrics } from "./metrics.ts";
import {
  DEFAULT_HEARTBEAT,
  DEFAULT_LIMITS,
  type HeartbeatSettings,
  type TransportLimits,
} from "./settings.ts";
import { Turn } from "./turn.ts";

export interface TransportOptions {
  readonly handler: ConnectionHandler;
  readonly log: Log;
  readonly metrics?: TransportMetrics;
  readonly clock?: Clock;
  readonly limits?: Partial<TransportLimits>;
  readonly heartbeat?: Partial<HeartbeatSettings>;
  /** The timer of the heartbeat; a test passes its own. */
  readonly every?: Every;
}

type ConnectionFilter = (connection: Connection) => boolean;
type RetryInMs = (connection: Connection) => number;

/** Both doors of the socket (rule WS1). */
export interface Transport {
  /** Takes over an upgrade, or answers it with an HTTP error. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** While false, upgrades are answered with 503 (rule WS15). */
  accepting: boolean;
  /** The number of sockets of both doors, including those that are still connecting or closing. */
  readonly connections: number;
  /** Calls back for every open connection that the handler knows. The callback may close connections. */
  forEach(visit: (connection: Connection) => void): void;
  /**
   * Accepts no more messages, closes each connection when its accepted messages are handled, and resolves when every socket
   * is closed.
   */
  closeAll(kind: CloseKind, message: string, retryInMs?: RetryInMs): Promise<void>;
  /** Closes some connections in the same way, without waiting. */
  closeWhere(matches: ConnectionFilter, kind: CloseKind, message: string, retryInMs?: RetryInMs): void;
  /** Refuses upgrades, destroys the open sockets, and releases everything. */
  stop(): Promise<void>;
}

/** The limits of fragments of one message, and of TCP segments that wait for the rest of a frame. */
const MAX_FRAGMENTS = 1024;
const MAX_CHUNKS = 8192;

const webSocketOptions = (limits: TransportLimits) => {
  const options: ServerOptions<typeof ClientSocket> & { closeTimeout: number } = {
    noServer: true,
    WebSocket: ClientSocket,
    autoPong: false,
    clientTracking: false,
    perMessageDeflate: false,
    // There is no subprotocol; the default confirms the first one that the client offers.
    handleProtocols: () => false,
    maxPayload: limits.frameBytes,
    maxFragments: MAX_FRAGMENTS,
    maxBufferedChunks: MAX_CHUNKS,
    closeTimeout: limits.closeMs,
  };
  return options;
};

export const createTransport = (options: TransportOptions): Transport => new SocketTransport(options);

class SocketTransport implements Transport {
  accepting = true;
  private readonly context: TransportContext;
  private readonly sockets = new Set<ClientConnection>();
  private readonly server: Server<typeof ClientSocket>;
  private readonly codecs: Readonly<Record<Door, Codec>>;
  private readonly stopHeartbeat: () => void;
  private whenEmpty: (() => void)[] = [];

  constructor(options: TransportOptions) {
    const metrics = options.metrics ?? noMetrics;
    this.context = {
      handler: options.handler,
      log: options.log,
      metrics,
      limits: { ...DEFAULT_LIMITS, ...options.limits },
      turn: new Turn((bytes) => metrics.sent(bytes)),
      forget: (connection) => this.forget(connection),
    };
    this.server = new WebSocketServer(webSocketOptions(this.context.limits));
    this.server.on("wsClientError", (_error, socket, request) =>
      this.refuse(request, socket, badHandshake()),
    );
    const heartbeat = { ...DEFAULT_HEARTBEAT, ...options.heartbeat };
    this.codecs = {
      plain: plainDoor,
      socketio: createSocketioDoor(heartbeat, this.context.limits.frameBytes),
    };
    const clock = options.clock ?? systemClock;
    this.stopHeartbeat = startHeartbeat(this.sockets, heartbeat, clock, options.every ?? everyInterval);
  }

  get connections(): number {
    return this.sockets.size;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const door = this.accepting ? doorOf(request) : draining();
    if (typeof door !== "string") {
      this.refuse(request, socket, door);
      return;
    }
    this.server.handleUpgrade(request, socket, head, (webSocket) => {
      this.open(door, webSocket, socket, originOf(request));
    });
  }

  forEach(visit: (connection: Connection) => void): void {
    for (const connection of this.sockets) if (connection.open) visit(connection);
  }

  async closeAll(kind: CloseKind, message: string, retryInMs?: RetryInMs): Promise<void> {
    this.closeWhere(() => true, kind, message, retryInMs);
    await this.untilEmpty();
  }

  closeWhere(matches: ConnectionFilter, kind: CloseKind, message: string, retryInMs?: RetryInMs): void {
    const matching = [...this.sockets].filter(matches);
    for (const connection of matching) connection.closeWhenIdle(kind, message, retryInMs?.(connection));
    const closeRest = (): void => {
      for (const connection of matching) connection.close(kind, message, retryInMs?.(connection));
    };
    setTimeout(closeRest, this.context.limits.finishMs).unref();
  }

  async stop(): Promise<void> {
    this.accepting = false;
    this.stopHeartbeat();
    for (const connection of this.sockets) connection.terminate();
    await this.untilEmpty();
    this.server.close();
  }

  private open(door: Door, webSocket: ClientSocket, socket: Duplex, origin: Origin): void {
    const codec = this.codecs[door];
    const connection = new ClientConnection(this.context, codec, webSocket, socket, origin);
    webSocket.serve(connection);
    this.sockets.add(connection);
    this.context.metrics.opened(door);
    codec.opened(connection);
  }

  private refuse({ headers }: IncomingMessage, socket: Duplex, problem: ProblemError): void {
    this.context.metrics.refused(refuseUpgrade(socket, problem, headers[INTERNAL_HEADERS.requestId]));
  }

  private forget(connection: ClientConnection): void {
    this.sockets.delete(connection);
    if (this.sockets.size > 0) return;
    for (const resolve of this.whenEmpty) resolve();
    this.whenEmpty = [];
  }

  private untilEmpty(): Promise<void> {
    if (this.sockets.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.whenEmpty.push(resolve));
  }
}
