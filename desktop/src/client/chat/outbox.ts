import type { Place } from "../places/places.ts";
import { chatRoom, isReachable } from "./chat-deps.ts";
import type { ChatDeps } from "./chat-deps.ts";
import { OutboxWaits, roomOutbox } from "./room-outbox.ts";
import type { OutboxParts } from "./room-outbox.ts";

/** Sends what waits in the store, room by room; of all tabs one at a time does, and another takes over from it. */
export interface Outbox {
  /** Something of this room waits, or something that was in its way is gone. */
  flush(roomId: string): void;
  start(): void;
  stop(): void;
}

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;

interface Turn {
  isRunning: boolean;
  isWanted: boolean;
  failures: number;
  callOff: (() => void) | null;
}

export function createOutbox(deps: ChatDeps, parts: OutboxParts): Outbox {
  const { platform, places, connections } = deps;
  const turns = new Map<string, Turn>();
  let stopping = new AbortController();
  let leaves: (() => void)[] = [];

  const turnOf = (roomId: string): Turn => {
    const turn = turns.get(roomId) ?? { isRunning: false, isWanted: false, failures: 0, callOff: null };
    turns.set(roomId, turn);
    return turn;
  };

  function retryLater(roomId: string, turn: Turn, retryAfterMs: number | null): void {
    if (stopping.signal.aborted) return;
    const backoff =
      Math.min(FIRST_RETRY_MS * 2 ** turn.failures, LAST_RETRY_MS) * (0.5 + platform.random() / 2);
    turn.failures += 1;
    turn.callOff = platform.later(retryAfterMs ?? backoff, () => flush(roomId));
  }

  /** What is not reachable is tried again when it is; what was reached and failed, after a while. */
  async function drain(roomId: string, turn: Turn): Promise<void> {
    try {
      await roomOutbox(deps, parts, roomId, stopping.signal)();
      turn.failures = 0;
    } catch (problem) {
      const room = chatRoom(deps, roomId);
      if (!room || !isReachable(room)) return;
      retryLater(roomId, turn, problem instanceof OutboxWaits ? problem.retryAfterMs : null);
    }
  }

  async function take(roomId: string, turn: Turn): Promise<void> {
    const { signal } = stopping;
    while (turn.isWanted && !signal.aborted) {
      turn.isWanted = false;
      await platform.tabs.exclusive(`outbox:${roomId}`, async () => drain(roomId, turn), signal);
    }
  }

  function flush(roomId: string): void {
    const room = chatRoom(deps, roomId);
    if (stopping.signal.aborted || !room || !isReachable(room)) return;
    const turn = turnOf(roomId);
    turn.callOff?.();
    turn.callOff = null;
    turn.isWanted = true;
    if (turn.isRunning) return;
    turn.isRunning = true;
    void take(roomId, turn).finally(() => {
      turn.isRunning = false;
      if (turn.isWanted) flush(roomId);
    });
  }

  const all = (): readonly Place[] => [...places.state.getState().places.values()];

  return {
    flush,
    start() {
      stopping = new AbortController();
      leaves = [
        places.state.subscribe((now, before) => {
          for (const [roomId, { standing }] of now.places)
            if (standing === "joined" && before.places.get(roomId)?.standing !== "joined") flush(roomId);
        }),
        connections.onOnline((url) => {
          for (const { room } of all()) if (room.signalServerUrl === url) flush(room.id);
        }),
      ];
      for (const { room } of all()) flush(room.id);
    },
    stop() {
      stopping.abort();
      for (const leave of leaves) leave();
      for (const { callOff } of turns.values()) callOff?.();
      leaves = [];
      turns.clear();
    },
  };
}
