import { createStore } from "zustand/vanilla";
import type { HearthBridge, NotificationTarget, SecretLevel } from "@hearth/bridge";
import { createIdSource } from "../uuid.ts";
import type { Attention, NotificationLevel, Notifications, Platform, Secrets } from "../ports.ts";
import type { FakeClock } from "./fake-clock.ts";
import { createFakeDevice, createFakeKeyValues } from "./fake-device.ts";
import type { FakeDevice, FakeKeyValues } from "./fake-device.ts";
import type { FakeNetwork } from "./fake-network.ts";
import { FakeSocket } from "./fake-socket.ts";

export interface FakePlatformOptions {
  /** Tabs of one device share its clock, network, local storage and locks. */
  readonly device?: FakeDevice;
  readonly kind?: "web" | "desktop";
  readonly origin?: string;
  readonly bridge?: HearthBridge | null;
  /** The initial session storage. */
  readonly session?: ReadonlyMap<string, string>;
  readonly secrets?: Map<string, string>;
  readonly secretLevel?: SecretLevel;
  /** The seed of its random numbers; by default every tab gets another one. */
  readonly seed?: number;
}

/** A shown notification; `isShown` becomes false when it is removed. */
export interface ShownNotification {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly target: NotificationTarget;
  isShown: boolean;
}

/** An in-memory `Platform` controlled by the test. */
export interface FakePlatform extends Platform {
  readonly device: FakeDevice;
  readonly clock: FakeClock;
  readonly network: FakeNetwork;
  readonly local: FakeKeyValues;
  readonly session: FakeKeyValues;
  /** All opened sockets, newest last. */
  readonly sockets: readonly FakeSocket[];
  /** How often persistent storage was requested; it is refused. */
  keptStorage: number;
  /** Called with every new socket. */
  onDial: ((socket: FakeSocket) => void) | null;
  readonly shown: readonly ShownNotification[];
  /** The user's answer to the notification prompt; `not-asked` until then. */
  setNotificationLevel(level: NotificationLevel): void;
  activate(target: NotificationTarget): void;
  attend(attention: Partial<Attention>): void;
  /** The machine woke up, or the page was resumed. */
  resume(): void;
  /** The same tab after a reload. The old page is gone. */
  reload(): FakePlatform;
  /** A duplicated tab with a copy of the session storage. */
  duplicate(): FakePlatform;
  /** Closes the tab: releases its locks, stops its messages and breaks its sockets. */
  leave(): void;
}

function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function createFakeSecrets(entries: Map<string, string>, level: SecretLevel): Secrets {
  return {
    level: async () => level,
    get: async (name) => entries.get(name) ?? null,
    set: async (name, value) => {
      entries.set(name, value);
      return level;
    },
    remove: async (name) => void entries.delete(name),
  };
}

function createFakeNotifications() {
  const shown: ShownNotification[] = [];
  const listeners = new Set<(target: NotificationTarget) => void>();
  let level: NotificationLevel = "not-asked";
  const notifications: Notifications = {
    level: () => level,
    ask: async () => {
      if (level === "not-asked") level = "granted";
      return level;
    },
    show(notification) {
      const entry = { ...notification, isShown: true };
      for (const other of shown) if (other.tag === entry.tag) other.isShown = false;
      shown.push(entry);
      return () => void (entry.isShown = false);
    },
    onActivate(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return {
    notifications,
    shown,
    setNotificationLevel: (next: NotificationLevel) => void (level = next),
    activate: (target: NotificationTarget) => listeners.forEach((tell) => tell(target)),
  };
}

/** The user's attention and the machine's state. */
function createFakeSituation() {
  const attention = createStore<Attention>(() => ({ isAttended: true, isVisible: true, isOnline: true }));
  const listeners = new Set<() => void>();
  return {
    attention,
    attend: (change: Partial<Attention>) => attention.setState(change),
    resume: () => listeners.forEach((tell) => tell()),
    onResume(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

let tabCount = 0;

/** One tab or window, on its own device by default. */
export function createFakePlatform(options: FakePlatformOptions = {}): FakePlatform {
  const { device = createFakeDevice(), kind = "web", secretLevel = "session", bridge = null } = options;
  const { origin = kind === "web" ? "http://home.example" : "app://hearth" } = options;
  const { secrets = new Map<string, string>() } = options;
  const { clock, network } = device;
  const random = createRandom(options.seed ?? (tabCount += 1));
  const randomBytes = (length: number): Uint8Array<ArrayBuffer> =>
    Uint8Array.from({ length }, () => Math.floor(random() * 256));
  const { tab, tabs, local, leave } = device.join();
  const session = createFakeKeyValues(new Map(options.session));
  const sockets: FakeSocket[] = [];
  const again = (): FakePlatform =>
    createFakePlatform({ ...options, device, secrets, session: session.entries });
  const platform: FakePlatform = {
    keptStorage: 0,
    keepStorage: async () => {
      platform.keptStorage += 1;
      return false;
    },
    ...{ device, clock, network, kind, origin, bridge, local, session, tabs, sockets, random, randomBytes },
    ...createFakeSituation(),
    ...createFakeNotifications(),
    version: "0.0.0-test",
    deviceName: "Test browser",
    secrets: createFakeSecrets(secrets, secretLevel),
    fetch: network.fetch,
    now: () => clock.now(),
    later: (milliseconds, run) => clock.later(milliseconds, run),
    newId: createIdSource(() => clock.now(), randomBytes),
    onDial: null,
    openSocket(url) {
      const socket = new FakeSocket(url);
      sockets.push(socket);
      platform.onDial?.(socket);
      return socket;
    },
    onLocalChange(listener) {
      tab.localChanges.add(listener);
      return () => void tab.localChanges.delete(listener);
    },
    duplicate: again,
    reload() {
      platform.leave();
      return again();
    },
    leave() {
      leave();
      for (const socket of sockets) socket.drop(1001);
    },
  };
  return platform;
}
