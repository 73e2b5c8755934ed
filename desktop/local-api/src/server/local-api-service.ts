import { ProblemError } from "@hearth/contracts";
import type { Log } from "@hearth/runtime";
import type { LocalApiView, LocalDocument, SettingsChange } from "@hearth/bridge";
import { DEFAULT_LOCAL_API_SETTINGS } from "@hearth/device";
import type { LocalApiSettings } from "@hearth/device";
import { changedSettings } from "@hearth/device";
import type { LoadedSettings, SettingsStore } from "../settings/settings-store.ts";
import type { LocalServer } from "./local-server.ts";

export interface LocalApiServiceOptions {
  readonly settings: SettingsStore;
  readonly server: LocalServer;
  readonly log: Log;
}

/** The local API for the app: settings, server and tokens. */
export interface LocalApiService {
  view(): LocalApiView;
  /** Checks, saves, then applies (rule LA8). Saved settings stay, even if the server cannot apply them. */
  change(change: unknown): Promise<SettingsChange>;
  /**
   * Enables what the document needs (interface 4.3, rule 5) and resolves to its URL. Rejects with `UNAVAILABLE` and a
   * sentence for the user if the server cannot serve it.
   */
  openDocument(document: LocalDocument): Promise<string>;
  revoke(tokenId: string): boolean;
  revokeAll(): void;
  /** Called with every change of the view. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void;
  /** Loads and applies the settings. Problems are in the result and in the view. */
  start(): Promise<LoadedSettings>;
  /** Stops the server and revokes every token. Later changes are refused. */
  stop(): Promise<void>;
}

const documents = {
  reference: { path: "/docs", settings: { enabled: true, referenceDocsEnabled: true } },
  "static-docs": { path: "/static-docs", settings: { enabled: true, staticDocsEnabled: true } },
} as const satisfies Record<LocalDocument, { path: string; settings: Partial<LocalApiSettings> }>;

const unavailable = (detail: string): ProblemError => new ProblemError("UNAVAILABLE", detail);

const refused = (message: string): SettingsChange => ({ ok: false, issues: [{ path: "", message }] });

class AppLocalApi implements LocalApiService {
  readonly #options: LocalApiServiceOptions;
  #settings = DEFAULT_LOCAL_API_SETTINGS;
  /** Problems of the stored settings, until they are replaced. */
  #trouble: string | null = null;
  #stopped = false;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: LocalApiServiceOptions) {
    this.#options = options;
  }

  view(): LocalApiView {
    const { server } = this.#options;
    const state = server.state();
    return {
      settings: this.#settings,
      state: { ...state, lastError: state.lastError ?? this.#trouble },
      tokens: server.tokens(),
    };
  }

  change(change: unknown): Promise<SettingsChange> {
    return this.#next(() => this.#change(change));
  }

  async openDocument(document: LocalDocument): Promise<string> {
    const { path, settings } = documents[document];
    const changed = await this.change(settings);
    if (!changed.ok) throw unavailable(changed.issues.map(({ message }) => message).join(" "));
    const { urls, lastError } = changed.view.state;
    const [loopback] = urls;
    if (loopback === undefined) throw unavailable(lastError ?? "The local API is off.");
    return `${loopback}${path}`;
  }

  revoke(tokenId: string): boolean {
    return this.#options.server.revoke(tokenId);
  }

  revokeAll(): void {
    this.#options.server.revokeAll();
  }

  onChange(listener: () => void): () => void {
    return this.#options.server.onChange(listener);
  }

  start(): Promise<LoadedSettings> {
    return this.#next(async () => {
      const loaded = await this.#options.settings.load();
      this.#settings = loaded.settings;
      this.#trouble = loaded.trouble;
      await this.#apply();
      return loaded;
    });
  }

  stop(): Promise<void> {
    this.#stopped = true;
    return this.#options.server.stop();
  }

  async #change(change: unknown): Promise<SettingsChange> {
    if (this.#stopped) return refused("The app is closing.");
    const checked = changedSettings(this.#settings, change);
    if (!checked.ok) return checked;
    try {
      await this.#options.settings.save(checked.settings);
    } catch (error) {
      if (error instanceof ProblemError) return refused(error.message);
      throw error;
    }
    this.#options.log.info({ settings: checked.settings }, "settings changed");
    this.#settings = checked.settings;
    this.#trouble = null;
    await this.#apply();
    return { ok: true, view: this.view() };
  }

  /** A stop during a change must not be followed by a start. */
  async #apply(): Promise<void> {
    if (!this.#stopped) await this.#options.server.apply(this.#settings);
  }

  /** Changes run one after the other, each based on the previous one. */
  #next<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }
}

export const createLocalApiService = (options: LocalApiServiceOptions): LocalApiService =>
  new AppLocalApi(options);
