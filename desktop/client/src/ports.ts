import type { HearthBridge, NotificationTarget, SecretLevel } from "@hearth/bridge";
import type { Readable } from "./observable.ts";

/** Local or session storage. Writing throws where the place is full or forbidden. */
export interface KeyValues {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
}

/** The operating system's secure storage in the desktop app, session storage in a browser (rule CL1). */
export interface Secrets {
  level(): Promise<SecretLevel>;
  get(name: string): Promise<string | null>;
  set(name: string, value: string): Promise<SecretLevel>;
  remove(name: string): Promise<void>;
}

/** The part of a browser's `WebSocket` that a connection uses. */
export type Socket = Pick<
  WebSocket,
  "readyState" | "send" | "close" | "onopen" | "onmessage" | "onclose" | "onerror" | "bufferedAmount"
>;

/** The other tabs of this browser, or the other windows of this app. */
export interface Tabs {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): () => void;
  /**
   * Runs `work` while no other tab does under the same name; waits for its turn, and gives up, without running it,
   * once `signal` is aborted.
   */
  exclusive(name: string, work: () => Promise<void>, signal?: AbortSignal): Promise<void>;
}

/** What the page is to its person right now. */
export interface Attention {
  /** The page is shown, and its window has the focus. */
  readonly isAttended: boolean;
  readonly isVisible: boolean;
  readonly isOnline: boolean;
}

export type NotificationLevel = "granted" | "denied" | "not-asked" | "unsupported";

export interface Notifications {
  level(): NotificationLevel;
  /** Only after somebody asked for it with a click. */
  ask(): Promise<NotificationLevel>;
  /** `tag` replaces an earlier one of the same tag; returns how to take it away. */
  show(notification: { title: string; body: string; tag: string; target: NotificationTarget }): () => void;
  onActivate(listener: (target: NotificationTarget) => void): () => void;
}

/** Everything the client needs of the place it runs in; a browser and the desktop window differ in this alone. */
export interface Platform {
  readonly kind: "web" | "desktop";
  /** The app's version, and the app behind the window; `null` in a browser. */
  readonly bridge: HearthBridge | null;
  readonly version: string;
  /** Of the page. In a browser it is also the URL of the signaling server that served it. */
  readonly origin: string;
  /** What this device is called in session lists, such as "Firefox on Linux". */
  readonly deviceName: string;
  readonly local: KeyValues;
  /** Called when another tab changed local storage: the key, or `null` when everything may have changed. */
  onLocalChange(listener: (key: string | null) => void): () => void;
  readonly session: KeyValues;
  readonly secrets: Secrets;
  readonly tabs: Tabs;
  readonly attention: Readable<Attention>;
  /** Called when the clock jumped, so the machine slept, or the page was thawed. */
  onResume(listener: () => void): () => void;
  readonly notifications: Notifications;
  /** Asks that what is stored stays when the device runs short of room; false where that is refused or unknown. */
  keepStorage(): Promise<boolean>;
  readonly fetch: typeof fetch;
  /** Opens a plain WebSocket. */
  openSocket(url: string): Socket;
  /** Epoch milliseconds of this device. */
  now(): number;
  /** Runs something later; returns how to call that off. */
  later(milliseconds: number, run: () => void): () => void;
  /** 0 to 1, for jitter. */
  random(): number;
  randomBytes(length: number): Uint8Array<ArrayBuffer>;
  /** UUID v7. */
  newId(): string;
}
