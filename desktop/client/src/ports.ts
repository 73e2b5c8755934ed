import type { HearthBridge, NotificationTarget, SecretLevel } from "@hearth/bridge";
import type { Readable } from "./observable.ts";

/** Local or session storage. Writing throws if it is full or forbidden. */
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

/** The part of `WebSocket` that a connection uses. */
export type Socket = Pick<
  WebSocket,
  "readyState" | "send" | "close" | "onopen" | "onmessage" | "onclose" | "onerror" | "bufferedAmount"
>;

/** The other tabs of this browser, or the other windows of this app. */
export interface Tabs {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): () => void;
  /**
   * Runs `work` while no other tab does under the same name. Waits for its turn; gives up without running it when
   * `signal` is aborted.
   */
  exclusive(name: string, work: () => Promise<void>, signal?: AbortSignal): Promise<void>;
}

/** The user's attention to this page. */
export interface Attention {
  /** The page is visible and its window has the focus. */
  readonly isAttended: boolean;
  readonly isVisible: boolean;
  readonly isOnline: boolean;
}

export type NotificationLevel = "granted" | "denied" | "not-asked" | "unsupported";

export interface Notifications {
  level(): NotificationLevel;
  /** Call it only after a click. */
  ask(): Promise<NotificationLevel>;
  /** `tag` replaces an earlier notification of the same tag. Returns a function that removes it. */
  show(notification: { title: string; body: string; tag: string; target: NotificationTarget }): () => void;
  onActivate(listener: (target: NotificationTarget) => void): () => void;
}

/** What the client needs from its environment. Browser and desktop window differ only in this. */
export interface Platform {
  readonly kind: "web" | "desktop";
  /** The app behind the window, with its version; `null` in a browser. */
  readonly bridge: HearthBridge | null;
  readonly version: string;
  /** The page's origin. In a browser this is also the URL of the instance that served it. */
  readonly origin: string;
  /** This device's name in session lists, such as "Firefox on Linux". */
  readonly deviceName: string;
  readonly local: KeyValues;
  /** Called when another tab changed local storage, with the key, or `null` if everything may have changed. */
  onLocalChange(listener: (key: string | null) => void): () => void;
  readonly session: KeyValues;
  readonly secrets: Secrets;
  readonly tabs: Tabs;
  readonly attention: Readable<Attention>;
  /** Called when the machine woke up or the page was resumed. */
  onResume(listener: () => void): () => void;
  readonly notifications: Notifications;
  /** Requests persistent storage; false if that is refused or unknown. */
  keepStorage(): Promise<boolean>;
  readonly fetch: typeof fetch;
  /** Opens a plain WebSocket. */
  openSocket(url: string): Socket;
  /** Epoch ms of this device's clock. */
  now(): number;
  /** Runs `run` later. Returns a function that cancels it. */
  later(milliseconds: number, run: () => void): () => void;
  /** 0 to 1, for jitter. */
  random(): number;
  randomBytes(length: number): Uint8Array<ArrayBuffer>;
  /** UUID v7. */
  newId(): string;
}
