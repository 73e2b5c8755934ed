import { createStore } from "zustand/vanilla";
import type { StoreApi } from "zustand/vanilla";
import type { Connection, Connections, ConnectionState, Incoming } from "@hearth/client";
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
class Wires {
  readonly states: StoreApi<ReadonlyMap<string, ConnectionState>>;
  readonly listeners = new Set<(url: string, message: Incoming) => void>();
  readonly #made = new Map<string, Connection>();
  readonly #calls: Calls;
  readonly #now: () => number;

  constructor(urls: readonly string[], calls: Calls, now: () => number) {
    this.#calls = calls;
    this.#now = now;
    this.states = createStore<ReadonlyMap<string, ConnectionState>>(
      () => new Map(urls.map((url) => [url, online(url, now())])),
    );
  }

  set(url: string, changes: Partial<ConnectionState>): void {
    const base = online(url, this.#now());
    this.states.setState(
      (before) => new Map(before).set(url, { ...base, ...before.get(url), ...changes }),
      true,
    );
  }

  of(url: string): Connection | null {
    if (!this.states.getState().has(url)) return null;
    const connection = this.#made.get(url) ?? this.#make(url);
    this.#made.set(url, connection);
    return connection;
  }

  hear(listener: (url: string, message: Incoming) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  #make(url: string): Connection {
    const calls = this.#calls;
    const own = createStore<ConnectionState>(
      () => this.states.getState().get(url) ?? online(url, this.#now()),
    );
    this.states.subscribe((all) => {
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
      on: (listener) => this.hear((from, message) => (from === url ? listener(message) : undefined)),
      retryNow: () => {
        void calls.did("connection.retryNow", url);
        this.set(url, online(url, this.#now()));
      },
      now: this.#now,
    };
  }
}

export function createFakeConnections(urls: readonly string[], calls: Calls, now: () => number) {
  const wires = new Wires(urls, calls, now);
  const connections: Connections = {
    states: wires.states,
    of: (url) => wires.of(url),
    on: (listener) => wires.hear(listener),
    onOnline(listener) {
      for (const [url, { status }] of wires.states.getState()) {
        const connection = wires.of(url);
        if (status === "online" && connection !== null) listener(url, connection);
      }
      return () => undefined;
    },
    start: () => undefined,
    stop: () => undefined,
  };
  const say = (url: string, message: Incoming): void => {
    for (const listener of [...wires.listeners]) listener(url, message);
  };
  return { connections, set: wires.set.bind(wires), say };
}
