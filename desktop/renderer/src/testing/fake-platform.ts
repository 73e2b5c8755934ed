import { createStore } from "zustand/vanilla";
import type { Attention, KeyValues, Platform } from "@hearth/client";

const keyValues = (): KeyValues => {
  const values = new Map<string, string>();
  return {
    get: (key) => values.get(key) ?? null,
    set: (key, value) => void values.set(key, value),
    remove: (key) => void values.delete(key),
  };
};

/** A place to run in that reaches nothing; its clock is the real one unless `now` is given. */
export function createFakePlatform(origin: string, now: () => number) {
  const attention = createStore<Attention>(() => ({ isAttended: true, isVisible: true, isOnline: true }));
  const secrets = new Map<string, string>();
  const platform: Platform = {
    kind: "web",
    bridge: null,
    version: "0.1.0",
    origin,
    deviceName: "Firefox on Linux",
    local: keyValues(),
    onLocalChange: () => () => undefined,
    session: keyValues(),
    secrets: {
      level: async () => "session",
      get: async (name) => secrets.get(name) ?? null,
      set: async (name, value) => (secrets.set(name, value), "session"),
      remove: async (name) => void secrets.delete(name),
    },
    tabs: {
      post: () => undefined,
      onMessage: () => () => undefined,
      exclusive: (_name, work) => work(),
    },
    attention,
    onResume: () => () => undefined,
    notifications: {
      level: () => "not-asked",
      ask: async () => "granted",
      show: () => () => undefined,
      onActivate: () => () => undefined,
    },
    keepStorage: async () => false,
    fetch: async () => {
      throw new TypeError("There is no network here");
    },
    openSocket: () => {
      throw new TypeError("There is no network here");
    },
    now,
    later(milliseconds, run) {
      const timer = setTimeout(run, milliseconds);
      return () => clearTimeout(timer);
    },
    random: () => 0.5,
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    newId: () => crypto.randomUUID(),
  };
  return { platform, attention };
}
