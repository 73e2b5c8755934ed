import type { LocalTokenInfo } from "./local-api.ts";
import type { LocalServerState } from "./local-api.ts";
import type { LocalApiSettings, SettingIssue } from "@hearth/device";
import type { ClientStore } from "@hearth/store";

/** Everything that the local API's settings screen shows. */
export interface LocalApiView {
  /** The settings as they are stored; changing one takes effect at once (rule LA8). */
  readonly settings: LocalApiSettings;
  readonly state: LocalServerState;
  readonly tokens: readonly LocalTokenInfo[];
}

/** A refused change has no effect. */
export type SettingsChange =
  | { readonly ok: true; readonly view: LocalApiView }
  | { readonly ok: false; readonly issues: readonly SettingIssue[] };

/** How secrets are stored: protected by the operating system, or only in memory. */
export type SecretLevel = "protected" | "session";

/** The documents that the local server can serve. */
export type LocalDocument = "reference" | "static-docs";

/** The target of a notification's click. */
export interface NotificationTarget {
  readonly signalServerUrl: string;
  readonly roomId: string;
  readonly messageId: string;
}

/** A `hearth://` link that another program opened. Unknown parts of a link are dropped. */
export type DeepLink =
  | { readonly page: "home" }
  | { readonly page: "local-api" }
  | { readonly page: "invite"; readonly signalServerUrl: string; readonly inviteId: string };

/**
 * What every call of the bridge rejects with: a product error code and a sentence for the user. A plain object and no
 * `Error`, because only plain objects cross from the preload script with all properties.
 */
export interface BridgeFailure {
  readonly name: "BridgeFailure";
  readonly code: string;
  readonly message: string;
}

/**
 * What the page may ask of the app, as `window.hearth`; absent in a browser. Every call is checked in the main
 * process, and rejects with a `BridgeFailure`.
 */
export interface HearthBridge {
  readonly version: string;
  readonly localApi: {
    view(): Promise<LocalApiView>;
    change(settings: Partial<LocalApiSettings>): Promise<SettingsChange>;
    revokeToken(tokenId: string): Promise<LocalApiView>;
    revokeAllTokens(): Promise<LocalApiView>;
    /** Called with every change of the view. Returns an unsubscribe function. */
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
    /** Also called for clicks that came before the subscription. */
    onActivate(listener: (target: NotificationTarget) => void): () => void;
  };
  readonly links: {
    /** Also called for links that came before the subscription, such as the one that started the app. */
    onOpen(listener: (link: DeepLink) => void): () => void;
  };
  readonly autoStart: {
    get(): Promise<boolean>;
    set(enabled: boolean): Promise<boolean>;
  };
  /** The device's database. `eraseAll` also revokes every token of the local API. */
  readonly store: ClientStore;
}
