import type { LocalTokenInfo } from "./local-api.ts";
import type { LocalServerState } from "./local-api.ts";
import type { LocalApiSettings, SettingIssue } from "@hearth/device";
import type { ClientStore } from "@hearth/store";

/** Everything the local API's settings screen shows. */
export interface LocalApiView {
  /** The settings as they are stored; changing one takes effect at once (rule LA8). */
  readonly settings: LocalApiSettings;
  readonly state: LocalServerState;
  readonly tokens: readonly LocalTokenInfo[];
}

/** A refused change changed nothing. */
export type SettingsChange =
  | { readonly ok: true; readonly view: LocalApiView }
  | { readonly ok: false; readonly issues: readonly SettingIssue[] };

/** How well secrets are kept: by the operating system, or only until the app ends. */
export type SecretLevel = "protected" | "session";

/** The documents that the local server can serve. */
export type LocalDocument = "reference" | "static-docs";

/** Where a notification leads. */
export interface NotificationTarget {
  readonly signalServerUrl: string;
  readonly roomId: string;
  readonly messageId: string;
}

/** A `hearth://` link that another program opened; anything else that such a link may say is dropped. */
export type DeepLink =
  | { readonly page: "home" }
  | { readonly page: "local-api" }
  | { readonly page: "invite"; readonly signalServerUrl: string; readonly inviteId: string };

/**
 * What every call of the bridge rejects with: a code of the product's error list and a sentence for people. It is a
 * plain object and no `Error`, because only those cross from the preload script with all of their properties.
 */
export interface BridgeFailure {
  readonly name: "BridgeFailure";
  readonly code: string;
  readonly message: string;
}

/**
 * What the desktop window may ask of the app, as `window.hearth`; in a browser there is none. Every call crosses to
 * the main process by a named channel whose input is checked there, and rejects with a `BridgeFailure`.
 */
export interface HearthBridge {
  readonly version: string;
  readonly localApi: {
    view(): Promise<LocalApiView>;
    change(settings: Partial<LocalApiSettings>): Promise<SettingsChange>;
    revokeToken(tokenId: string): Promise<LocalApiView>;
    revokeAllTokens(): Promise<LocalApiView>;
    /** Called with every change of the view; returns how to end that. */
    onChange(listener: (view: LocalApiView) => void): () => void;
  };
  /** Enables what the document needs, then opens it in the system's browser (interface 4.3, rule 5). */
  openDocument(document: LocalDocument): Promise<LocalApiView>;
  readonly secrets: {
    level(): Promise<SecretLevel>;
    get(name: string): Promise<string | null>;
    set(name: string, value: string): Promise<SecretLevel>;
    remove(name: string): Promise<void>;
  };
  readonly notifications: {
    show(notification: {
      readonly title: string;
      readonly body: string;
      readonly target: NotificationTarget;
    }): Promise<void>;
    /** Also called for a click that came before anybody listened. */
    onActivate(listener: (target: NotificationTarget) => void): () => void;
  };
  readonly links: {
    /** Also called for a link that came before anybody listened, such as the one that started the app. */
    onOpen(listener: (link: DeepLink) => void): () => void;
  };
  readonly autoStart: {
    get(): Promise<boolean>;
    set(enabled: boolean): Promise<boolean>;
  };
  /** The device's database. `eraseAll` also ends every token of the local API. */
  readonly store: ClientStore;
}
