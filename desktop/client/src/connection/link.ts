import { deviceInfoSchema } from "@hearth/contracts";
import type { ClientLimits, ServerMessage } from "@hearth/contracts";
import type { Platform, Socket } from "../ports.ts";
import type { Incoming } from "./connection.ts";
import { again, endingByAuth, endingByRefusal, endingOf } from "./ending.ts";
import type { Ending } from "./ending.ts";
import { createLiveness } from "./liveness.ts";
import type { Liveness } from "./liveness.ts";
import { createRequests } from "./requests.ts";
import type { Requests } from "./requests.ts";
import { readFrame } from "./server-messages.ts";

/** What a connection needs of its platform. */
export type LinkPlatform = Pick<Platform, "kind" | "deviceName" | "openSocket" | "now" | "later" | "newId">;

/** The identity of a connection. Names are up to the server. */
export interface ConnectionCredentials {
  readonly token: string;
  readonly userId: string;
}

interface LinkOptions {
  readonly platform: LinkPlatform;
  /** The base of the socket's URL; also the `connectionScope` (interface 2.2). */
  readonly scope: string;
  readonly clientInstanceId: string;
  readonly credentials: ConnectionCredentials;
  readonly onIdentified: (limits: ClientLimits) => void;
  readonly onMessage: (message: Incoming) => void;
  /** A measurement of the server's clock; `spread` is its uncertainty. */
  readonly onServerTime: (ahead: number, spread: number) => void;
  /** Called exactly once, as the last call. */
  readonly onEnd: (ending: Ending) => void;
}

/** One socket from its handshake to its end. */
export interface Link {
  /** `null` until identified. */
  readonly requests: Requests | null;
  probe(): void;
  /** Closes the socket without calling `onEnd`. */
  abandon(): void;
}

/** From dialling to `identified`. The server waits 15 s for an identify. */
const IDENTIFY_MS = 15_000;

type Identified = Extract<ServerMessage, { readonly type: "identified" }>;

class SocketLink implements Link {
  requests: Requests | null = null;
  private readonly options: LinkOptions;
  private socket: Socket | null = null;
  private liveness: Liveness | null = null;
  private cancelTimer: () => void;
  private askedAt = 0;
  private drainingMs: number | null = null;

  constructor(options: LinkOptions) {
    this.options = options;
    const { platform, scope } = options;
    this.cancelTimer = platform.later(IDENTIFY_MS, () => this.end(again("no_answer")));
    try {
      this.socket = this.listen(platform.openSocket(`${scope}/ws`));
    } catch {
      // Some browsers throw for some URLs; report it like any other end.
      this.cancelTimer();
      this.cancelTimer = platform.later(0, () => this.end(again("refused_by_browser")));
    }
  }

  probe(): void {
    this.liveness?.probe();
  }

  abandon(): void {
    const { socket } = this;
    this.cancelTimer();
    this.liveness?.stop();
    this.requests?.end();
    this.socket = null;
    this.requests = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null;
    socket.close(1000);
  }

  private end(ending: Ending): void {
    this.abandon();
    this.options.onEnd(ending);
  }

  private listen(socket: Socket): Socket {
    socket.onopen = () => this.identify();
    socket.onmessage = ({ data }) => {
      if (this.socket !== socket) return;
      this.liveness?.noteArrival();
      const message = readFrame(data);
      if (message) this.take(message);
    };
    socket.onclose = ({ code, reason }) => {
      if (this.socket === socket) this.end(endingOf({ code, reason }, null, this.drainingMs));
    };
    return socket;
  }

  private write(text: string): void {
    this.socket?.send(text);
  }

  private identify(): void {
    const { platform, credentials, clientInstanceId, scope } = this.options;
    const { token, userId } = credentials;
    const device = deviceInfoSchema.safeParse({ name: platform.deviceName, kind: platform.kind });
    this.askedAt = platform.now();
    const identity = { oderId: userId, connectionScope: scope, clientInstanceId };
    const message = { type: "identify", requestId: platform.newId(), token, ...identity };
    this.write(JSON.stringify({ ...message, device: device.data ?? { kind: platform.kind } }));
  }

  private take(message: Incoming): void {
    switch (message.type) {
      case "auth_error":
      case "auth_required":
        return this.end(endingByAuth(message));
      case "superseded":
        return this.end({ kind: "final", reason: "superseded", authFailure: null });
      case "closing":
        return this.end(endingOf({ code: message.closeCode, reason: "" }, message, this.drainingMs));
      case "server_draining":
        this.drainingMs = message.retryInMs;
        return;
      case "identified":
        return this.admit(message);
      case "pong":
        this.noteTime(message.serverTime);
        return this.pass(message);
      default:
        return this.pass(message);
    }
  }

  private pass(message: Incoming): void {
    const { requests } = this;
    if (!requests) {
      if (message.type === "error") this.end(endingByRefusal(message));
      return;
    }
    const isAnswer = requests.answer(message);
    // `server_joined` belongs in the order of the server's other events; a late answer is dropped.
    if (message.type === "pong" || message.type === "ack" || (isAnswer && message.type !== "server_joined"))
      return;
    this.options.onMessage(message);
  }

  private admit(message: Identified): void {
    const { platform, credentials } = this.options;
    if (this.requests) return;
    if (message.oderId !== credentials.userId)
      return this.end({ kind: "final", reason: "AUTH_INVALID", authFailure: "mismatch" });
    this.cancelTimer();
    const send = (text: string): void => this.write(text);
    const requests = createRequests({ platform, limits: message.limits, send });
    this.requests = requests;
    this.noteTime(message.serverTime);
    this.liveness = createLiveness({
      platform,
      heartbeatMs: message.heartbeatMs,
      ping: () => {
        this.askedAt = platform.now();
        requests.urgent({ type: "ping" });
      },
      unsent: () => this.socket?.bufferedAmount ?? 0,
      onSilence: () => this.end(again("silent")),
    });
    this.options.onIdentified(message.limits);
    this.options.onMessage(message);
  }

  private noteTime(serverTime: number): void {
    const now = this.options.platform.now();
    const spread = Math.max(0, now - this.askedAt) / 2;
    this.options.onServerTime(serverTime - (now - spread), spread);
  }
}

export const openLink = (options: LinkOptions): Link => new SocketLink(options);
