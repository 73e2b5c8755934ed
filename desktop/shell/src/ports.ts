import type { BrowserWindowConstructorOptions, MenuItemConstructorOptions, Rectangle } from "electron";
import type { LocalApiView, LocalDocument, SettingsChange } from "@hearth/bridge";
import type { CallName, EventName } from "@hearth/bridge";
import type { LocalApiSettings } from "@hearth/device";

/** What the shell needs of the local API: settings, server and tokens in one. */
export interface LocalApi {
  view(): LocalApiView;
  change(settings: Partial<LocalApiSettings>): Promise<SettingsChange>;
  /** Enables what the document needs; resolves to its URL, and rejects when the server cannot serve it. */
  openDocument(document: LocalDocument): Promise<string>;
  revoke(tokenId: string): boolean;
  revokeAll(): void;
  onChange(listener: () => void): () => void;
}

/** Where a window is, kept over a restart. */
export interface WindowBounds {
  readonly bounds: Rectangle;
  readonly maximized: boolean;
}

/** An open window; nothing of it may be called once `closed` was told. */
export interface AppWindow {
  /** Tells its web contents from others. */
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

/** What a window tells. */
export interface WindowEvents {
  readyToShow(): void;
  /** Its user wants to close it; false keeps it open. */
  closing(): boolean;
  closed(): void;
  /** Its page's process ended. */
  gone(reason: string): void;
  unresponsive(): void;
  responsive(): void;
}

export interface WindowPort {
  open(options: BrowserWindowConstructorOptions, events: WindowEvents): AppWindow;
  /** The screens without their bars. */
  workAreas(): readonly Rectangle[];
}

/** Who asked by a channel. */
export interface Caller {
  readonly contentsId: number;
  readonly isMainFrame: boolean;
  /** Such as `app://hearth`; empty when the frame is gone. */
  readonly origin: string;
}

export interface IpcPort {
  /** Registers the channels; returns what takes them off. */
  serve(
    channels: readonly CallName[],
    answer: (channel: CallName, caller: Caller, input: unknown) => Promise<unknown>,
  ): () => void;
}

/** One use of a permission that a page asks for. */
export interface PermissionRequest {
  readonly permission: string;
  readonly requestingUrl: string;
  readonly isMainFrame: boolean;
  /** `audio` or `video`, where the permission is `media`. */
  readonly media: readonly string[];
}

/** What holds for every page of the process, whoever opened it. */
export interface ContentRules {
  mayNavigate(url: string): boolean;
  /** A page wanted to leave or to open a window; neither happens. */
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
  /** Hands a URL to the system's browser. */
  open(url: string): Promise<void>;
}

export interface TrayPort {
  /** False where the desktop shows none. */
  show(onActivate: () => void): boolean;
  update(tooltip: string, menu: MenuItemConstructorOptions[]): void;
  remove(): void;
}

export interface MenuPort {
  set(menu: MenuItemConstructorOptions[]): void;
}

export interface SecretPort {
  /** False where the operating system protects nothing, such as Linux without a keyring. */
  isProtected(): Promise<boolean>;
  encrypt(text: string): Promise<Buffer>;
  /** Rejects when the keyring is another one; what is outdated should be encrypted anew. */
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
  /** Before there is a window, and before the app is ready. */
  showError(title: string, text: string): void;
}

/** What the app as a whole is told. */
export interface AppEvents {
  /** Another start of the app: its arguments, already without those of Chromium. */
  secondInstance(argv: readonly string[]): void;
  /** macOS hands a link over by this event, possibly before the app is ready. */
  openUrl(url: string): void;
  /** macOS: the dock icon was clicked. */
  activate(): void;
  /** Somebody wants the app to end; it does not by itself. */
  quitRequested(): void;
  processGone(details: { readonly type: string; readonly reason: string }): void;
}

/** The app's life: one instance, its start, its end. */
export interface AppPort {
  readonly isPackaged: boolean;
  /** Where a package keeps what is not code; `undefined` without a package. */
  readonly resourcesDirectory: string | undefined;
  readonly dataDirectory: string;
  /** Where programs keep their settings, such as `~/.config`. */
  readonly configDirectory: string;
  /** Before the app is ready; false when another instance runs, which is told. */
  claimInstance(): boolean;
  registerLinks(): void;
  listen(events: AppEvents): void;
  whenReady(): Promise<void>;
  /** Ends the process at once. */
  exit(code: number): void;
}
