import type { BrowserWindowConstructorOptions, MenuItemConstructorOptions, Rectangle } from "electron";
import type { LocalApiView, LocalDocument, SettingsChange } from "@hearth/bridge";
import type { CallName, EventName } from "@hearth/bridge";
import type { LocalApiSettings } from "@hearth/device";

/** What the shell needs of the local API. */
export interface LocalApi {
  view(): LocalApiView;
  change(settings: Partial<LocalApiSettings>): Promise<SettingsChange>;
  /** Enables what the document needs; resolves to its URL, and rejects if it cannot be served. */
  openDocument(document: LocalDocument): Promise<string>;
  revoke(tokenId: string): boolean;
  revokeAll(): void;
  onChange(listener: () => void): () => void;
}

/** The position and size of a window, kept over a restart. */
export interface WindowBounds {
  readonly bounds: Rectangle;
  readonly maximized: boolean;
}

/** An open window. Do not call it after `closed`. */
export interface AppWindow {
  /** The id of its web contents. */
  readonly contentsId: number;
  load(url: string): Promise<void>;
  reload(): void;
  /** Shows, restores and focuses it. */
  show(): void;
  hide(): void;
  maximize(): void;
  bounds(): WindowBounds;
  send(event: EventName, payload?: unknown): void;
  destroy(): void;
}

/** Events of a window. */
export interface WindowEvents {
  readyToShow(): void;
  /** The user wants to close it; return false to keep it open. */
  closing(): boolean;
  closed(): void;
  /** The page's process ended. */
  gone(reason: string): void;
  unresponsive(): void;
  responsive(): void;
}

export interface WindowPort {
  open(options: BrowserWindowConstructorOptions, events: WindowEvents): AppWindow;
  /** The screens without system bars. */
  workAreas(): readonly Rectangle[];
}

/** The sender of a call. */
export interface Caller {
  readonly contentsId: number;
  readonly isMainFrame: boolean;
  /** For example `app://hearth`; empty if the frame is gone. */
  readonly origin: string;
}

export interface IpcPort {
  /** Registers the channels; returns a function that removes them. */
  serve(
    channels: readonly CallName[],
    answer: (channel: CallName, caller: Caller, input: unknown) => Promise<unknown>,
  ): () => void;
}

/** A permission request of a page. */
export interface PermissionRequest {
  readonly permission: string;
  readonly requestingUrl: string;
  readonly isMainFrame: boolean;
  /** `audio` or `video`, if the permission is `media`. */
  readonly media: readonly string[];
}

/** Security rules for every page of the process. */
export interface ContentRules {
  mayNavigate(url: string): boolean;
  /** A page tried to navigate or to open a window; both are prevented. */
  leave(url: string): void;
  mayUse(request: PermissionRequest): boolean;
}

export interface SecurityPort {
  enforce(rules: ContentRules): void;
}

export interface ProtocolPort {
  /** Before the app is ready. */
  registerScheme(): void;
  serve(handler: (request: Request) => Promise<Response>): void;
}

export interface BrowserPort {
  /** Opens a URL in the system's browser. */
  open(url: string): Promise<void>;
}

export interface TrayPort {
  /** False if the desktop has no tray. */
  show(onActivate: () => void): boolean;
  update(tooltip: string, menu: MenuItemConstructorOptions[]): void;
  remove(): void;
}

export interface MenuPort {
  set(menu: MenuItemConstructorOptions[]): void;
}

export interface SecretPort {
  /** False if the operating system protects nothing, such as Linux without a keyring. */
  isProtected(): Promise<boolean>;
  encrypt(text: string): Promise<Buffer>;
  /** Rejects with another keyring; an outdated value should be encrypted again. */
  decrypt(encrypted: Buffer): Promise<{ readonly text: string; readonly isOutdated: boolean }>;
}

export interface NotificationPort {
  show(notification: { readonly title: string; readonly body: string }, onClick: () => void): void;
}

export interface AutoStartPort {
  isEnabled(): Promise<boolean>;
  set(enabled: boolean): Promise<void>;
}

export interface DialogPort {
  /** Resolves to the index of the button; the first one is the default. */
  ask(question: {
    readonly message: string;
    readonly detail: string;
    readonly buttons: readonly string[];
  }): Promise<number>;
  /** Works before there is a window, and before the app is ready. */
  showError(title: string, text: string): void;
}

/** Events of the whole app. */
export interface AppEvents {
  /** A second start: its arguments, without Chromium's. */
  secondInstance(argv: readonly string[]): void;
  /** macOS passes links by this event, possibly before the app is ready. */
  openUrl(url: string): void;
  /** macOS: the dock icon was clicked. */
  activate(): void;
  /** The app was asked to quit; it does not quit by itself. */
  quitRequested(): void;
  processGone(details: { readonly type: string; readonly reason: string }): void;
}

/** The app's life cycle. */
export interface AppPort {
  readonly isPackaged: boolean;
  /** Where a package keeps its resources; `undefined` if unpackaged. */
  readonly resourcesDirectory: string | undefined;
  readonly dataDirectory: string;
  /** Where programs keep their settings, such as `~/.config`. */
  readonly configDirectory: string;
  /** Before the app is ready. False if another instance runs, which is notified. */
  claimInstance(): boolean;
  registerLinks(): void;
  listen(events: AppEvents): void;
  whenReady(): Promise<void>;
  /** Ends the process at once. */
  exit(code: number): void;
}
