import { createStore } from "zustand/vanilla";
import type {
  Connection,
  Connections,
  ConnectionState,
  Incoming,
} from "../../client/connection/connection.ts";
import type { Calls } from "./fake-calls.ts";

const LIMITS = { messageBytes: 65_536, accountSyncBytes: 1_048_576, messagesPerSecond: 60, burst: 240 };

const online = (url: string, now: number): ConnectionState => ({
  url,
  status: "online",
  attempts: 0,
  retryAt: null,
  offlineSince: null,
  lastOnlineAt: now,
  limits: LIMITS,
  reason: null,
});

/** Connections that are what a test says they are. */
export function createFakeConnections(urls: readonly string[], calls: Calls, now: () => number) {
  const states = createStore<ReadonlyMap<string, ConnectionState>>(
    () => new Map(urls.map((url) => [url, online(url, now())])),
  );
  const listeners = new Set<(url: string, message: Incoming) => void>();
  const set = (url: string, changes: Partial<ConnectionState>): void =>
    states.setState(
      (before) => new Map(before).set(url, { ...online(url, now()), ...before.get(url), ...changes }),
      true,
    );
  const connectionTo = (url: string): Connection => {
    const own = createStore<ConnectionState>(() => states.getState().get(url) ?? online(url, now()));
    states.subscribe((all) => {
      const next = all.get(url);
      if (next !== undefined) own.setState(next, true);
    });
    return {
      state: own,
      async request(message) {
        await calls.did(`connection.request ${message.type}`, url);
        return { type: "ack", inReplyTo: message.type };
      },
      cast: (message) => void calls.did(`connection.cast ${message.type}`, url),
      on(listener) {
        const heard = (from: string, message: Incoming): void =>
          from === url ? listener(message) : undefined;
        listeners.add(heard);
        return () => void listeners.delete(heard);
      },
      retryNow() {
        void calls.did("connection.retryNow", url);
        set(url, online(url, now()));
      },
      now,
    };
  };
  const made = new Map<string, Connection>();
  const of = (url: string): Connection | null => {
    if (!states.getState().has(url)) return null;
    const connection = made.get(url) ?? connectionTo(url);
    made.set(url, connection);
    return connection;
  };
  const connections: Connections = {
    states,
    of,
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onOnline(listener) {
      for (const [url, { status }] of states.getState()) {
        const connection = of(url);
        if (status === "online" && connection !== null) listener(url, connection);
      }
      return () => undefined;
    },
    start: () => undefined,
    stop: () => undefined,
  };
  const say = (url: string, message: Incoming): void => {
    for (const listener of [...listeners]) listener(url, message);
  };
  return { connections, set, say };
}
