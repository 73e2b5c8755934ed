import { chatRoom, isReachable } from "../chat-deps.ts";
import type { ChatDeps } from "../chat-deps.ts";
import { OutboxBlocked, RoomOutbox } from "./room-outbox.ts";
import type { OutboxParts } from "./room-outbox.ts";

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;

interface Turn {
  isRunning: boolean;
  isWanted: boolean;
  failures: number;
  cancelRetry: (() => void) | null;
}

/**
 * Sends what waits in the store, one room at a time. Only one tab sends at a time; another one takes over when it
 * closes.
 */
export class Outbox {
  private readonly deps: ChatDeps;
  private readonly parts: OutboxParts;
  private readonly turns = new Map<string, Turn>();
  private stopping = new AbortController();
  private leaves: (() => void)[] = [];

  constructor(deps: ChatDeps, parts: OutboxParts) {
    this.deps = deps;
    this.parts = parts;
  }

  start(): void {
    const { servers, connections } = this.deps;
    this.stopping = new AbortController();
    this.leaves = [
      servers.state.subscribe((now, before) => {
        for (const [roomId, { joinState }] of now.servers)
          if (joinState === "joined" && before.servers.get(roomId)?.joinState !== "joined")
            this.flush(roomId);
      }),
      connections.onOnline(() => this.flushAll()),
    ];
    this.flushAll();
  }

  /** Something of this room waits, or what blocked it is gone. */
  flush(roomId: string): void {
    if (this.stopping.signal.aborted || !this.isReachable(roomId)) return;
    const turn = this.turnOf(roomId);
    turn.cancelRetry?.();
    turn.cancelRetry = null;
    turn.isWanted = true;
    if (turn.isRunning) return;
    turn.isRunning = true;
    void this.take(roomId, turn).finally(() => {
      turn.isRunning = false;
      if (turn.isWanted) this.flush(roomId);
    });
  }

  stop(): void {
    this.stopping.abort();
    for (const leave of this.leaves) leave();
    for (const { cancelRetry } of this.turns.values()) cancelRetry?.();
    this.leaves = [];
    this.turns.clear();
  }

  private flushAll(): void {
    for (const roomId of this.deps.servers.state.getState().servers.keys()) this.flush(roomId);
  }

  private isReachable(roomId: string): boolean {
    const room = chatRoom(this.deps, roomId);
    return room !== undefined && isReachable(room);
  }

  private turnOf(roomId: string): Turn {
    const turn = this.turns.get(roomId) ?? {
      isRunning: false,
      isWanted: false,
      failures: 0,
      cancelRetry: null,
    };
    this.turns.set(roomId, turn);
    return turn;
  }

  private async take(roomId: string, turn: Turn): Promise<void> {
    const { signal } = this.stopping;
    while (turn.isWanted && !signal.aborted) {
      turn.isWanted = false;
      const work = async (): Promise<void> => this.drain(roomId, turn, signal);
      await this.deps.platform.tabs.exclusive(`outbox:${roomId}`, work, signal);
    }
  }

  /** An unreachable room is retried when it becomes reachable, a failed one after a delay. */
  private async drain(roomId: string, turn: Turn, signal: AbortSignal): Promise<void> {
    try {
      await new RoomOutbox(this.deps, this.parts, { roomId, signal }).drain();
      turn.failures = 0;
    } catch (problem) {
      if (signal.aborted || !this.isReachable(roomId)) return;
      this.retryLater(roomId, turn, problem instanceof OutboxBlocked ? problem.retryAfterMs : null);
    }
  }

  private retryLater(roomId: string, turn: Turn, retryAfterMs: number | null): void {
    const { platform } = this.deps;
    const backoffMs = Math.min(FIRST_RETRY_MS * 2 ** turn.failures, LAST_RETRY_MS);
    turn.failures += 1;
    turn.cancelRetry?.();
    turn.cancelRetry = platform.later(retryAfterMs ?? backoffMs * (0.5 + platform.random() / 2), () =>
      this.flush(roomId),
    );
  }
}
