import type { LocalTokenInfo } from "@hearth/bridge";
import type {
  BridgeFailure,
  DeepLink,
  HearthBridge,
  LocalApiView,
  LocalDocument,
  SecretLevel,
  SettingsChange,
} from "@hearth/bridge";
import { storeOf } from "@hearth/bridge";
import type { StoreMethod } from "@hearth/bridge";
import { ClientProblem } from "@hearth/device";
import { openIndexedDbStore } from "@hearth/store/indexeddb";
import type { LocalServerState } from "@hearth/bridge";
import type { LocalApiSettings } from "@hearth/device";
import { changedSettings } from "@hearth/device";
import type { ClientStore } from "@hearth/store";

/** How a device stands before the window opens. */
export interface Scenario {
  readonly settings?: Partial<LocalApiSettings>;
  readonly tokens?: readonly LocalTokenInfo[];
  /** Ports that another program holds. */
  readonly takenPorts?: readonly number[];
  readonly secretLevel?: SecretLevel;
  readonly autoStart?: boolean;
  /** The operating system refuses to start the app by itself. */
  readonly autoStartRefused?: boolean;
  /** Calls that reject, and calls that are never answered, by their names (`localApi.view`). */
  readonly failing?: readonly string[];
  readonly silent?: readonly string[];
  /** Milliseconds that every answer takes. */
  readonly latency?: number;
}

export interface FakeBridge {
  readonly bridge: HearthBridge;
  /** The calls so far, as `localApi.change {"port":18000}`, but for those of the store. */
  readonly calls: readonly string[];
  readonly opened: readonly LocalDocument[];
  issueToken(token: LocalTokenInfo): void;
  openLink(link: DeepLink): void;
  setScenario(changes: Scenario): void;
}

const DEFAULTS: LocalApiSettings = {
  enabled: false,
  port: 17_878,
  exposeOnLan: false,
  referenceDocsEnabled: false,
  staticDocsEnabled: false,
  allowedSignalingServers: [],
};

const STOPPED: LocalServerState = { status: "stopped", urls: [], lastError: null };

/** A machine with one name on its network; what listens is decided by the settings and the ports that are taken. */
function bind(settings: LocalApiSettings, taken: readonly number[]): LocalServerState {
  if (!settings.enabled) return STOPPED;
  if (taken.includes(settings.port)) {
    const lastError = `Port ${settings.port} is in use by another program. Choose another one, or end that program.`;
    return { status: "failed", urls: [], lastError };
  }
  const hosts = settings.exposeOnLan ? ["127.0.0.1", "192.168.178.24", "kitchen.local"] : ["127.0.0.1"];
  return {
    status: "listening",
    urls: hosts.map((host) => `http://${host}:${settings.port}`),
    lastError: null,
  };
}

/** As the preload script rejects: with a plain object, since an `Error` would lose its code on the way. */
function rejected(code: string, message: string): Promise<never> {
  const failure: BridgeFailure = { name: "BridgeFailure", code, message };
  const { promise, reject } = Promise.withResolvers<never>();
  reject(failure);
  return promise;
}

/** The app's side of the bridge in memory: what it answers is what a device with these settings would. */
class FakeDevice {
  scenario: Scenario;
  settings: LocalApiSettings;
  state: LocalServerState;
  tokens: readonly LocalTokenInfo[];
  autoStart: boolean;
  readonly secrets = new Map<string, string>();
  readonly calls: string[] = [];
  readonly opened: LocalDocument[] = [];
  readonly listeners = new Set<(view: LocalApiView) => void>();
  readonly linkListeners = new Set<(link: DeepLink) => void>();
  #store: Promise<ClientStore> | undefined;

  constructor(scenario: Scenario) {
    this.scenario = scenario;
    this.settings = { ...DEFAULTS, ...scenario.settings };
    this.state = bind(this.settings, scenario.takenPorts ?? []);
    this.tokens = scenario.tokens ?? [];
    this.autoStart = scenario.autoStart ?? false;
  }

  /** A copy, as everything that crosses to the window is one. */
  view(): LocalApiView {
    return structuredClone({ settings: this.settings, state: this.state, tokens: this.tokens });
  }

  announce(): LocalApiView {
    for (const listener of this.listeners) listener(this.view());
    return this.view();
  }

  answer<T>(call: string, details: unknown, answer: () => T): Promise<T> {
    this.calls.push(details === undefined ? call : `${call} ${JSON.stringify(details)}`);
    return this.run(call, answer);
  }

  async run<T>(call: string, answer: () => T | Promise<T>): Promise<T> {
    const { latency = 0, silent = [], failing = [] } = this.scenario;
    if (silent.includes(call)) await new Promise(() => undefined);
    if (latency > 0) await new Promise((resolve) => setTimeout(resolve, latency));
    if (failing.includes(call)) return rejected("INTERNAL", "The app has hit an error of its own.");
    return answer();
  }

  /** A database of the browser stands in for the app's; it is opened when it is first asked. */
  ask(method: StoreMethod, args: readonly unknown[]): Promise<unknown> {
    return this.run(`store.${method}`, async () => {
      this.#store ??= openIndexedDbStore({ name: "fake device", now: Date.now });
      const store = await this.#store;
      try {
        return await (store[method] as (...args: readonly unknown[]) => Promise<unknown>)(...args);
      } catch (error) {
        const isRefusal = error instanceof ClientProblem && error.code === "INVALID_REQUEST";
        return rejected(isRefusal ? "INVALID_REQUEST" : "UNAVAILABLE", String(error));
      }
    });
  }

  /** Rebinds where that is needed; a server that stops forgets its tokens, and a list ends those of others. */
  apply(settings: LocalApiSettings): LocalApiView {
    const keys = ["enabled", "port", "exposeOnLan"] as const;
    const isSame = keys.every((key) => settings[key] === this.settings[key]);
    this.settings = settings;
    const { allowedSignalingServers } = settings;
    this.tokens = this.tokens.filter(({ serverUrl }) => allowedSignalingServers.includes(serverUrl));
    if (isSame && this.state.status !== "failed") return this.announce();
    if (settings.enabled) {
      this.state = { status: "starting", urls: [], lastError: null };
      this.announce();
    }
    this.state = bind(settings, this.scenario.takenPorts ?? []);
    if (this.state.status !== "listening") this.tokens = [];
    return this.announce();
  }

  change(changes: Partial<LocalApiSettings>): SettingsChange {
    const checked = changedSettings(this.settings, changes);
    return checked.ok ? { ok: true, view: this.apply(checked.settings) } : checked;
  }

  open(document: LocalDocument): LocalApiView {
    const flag = document === "reference" ? "referenceDocsEnabled" : "staticDocsEnabled";
    const view = this.apply({ ...this.settings, enabled: true, [flag]: true });
    if (view.state.status === "listening") this.opened.push(document);
    return view;
  }

  keep(tokens: readonly LocalTokenInfo[]): LocalApiView {
    this.tokens = tokens;
    return this.announce();
  }

  setAutoStart(enabled: boolean): boolean {
    if (this.scenario.autoStartRefused !== true) this.autoStart = enabled;
    return this.autoStart;
  }
}

function bridgeTo(device: FakeDevice): HearthBridge {
  const level = (): SecretLevel => device.scenario.secretLevel ?? "protected";
  return {
    version: "0.1.0",
    localApi: {
      view: () => device.answer("localApi.view", undefined, () => device.view()),
      change: (settings) => device.answer("localApi.change", settings, () => device.change(settings)),
      revokeToken: (id) =>
        device.answer("localApi.revokeToken", id, () =>
          device.keep(device.tokens.filter((token) => token.id !== id)),
        ),
      revokeAllTokens: () => device.answer("localApi.revokeAllTokens", undefined, () => device.keep([])),
      onChange(listener) {
        device.listeners.add(listener);
        return () => void device.listeners.delete(listener);
      },
    },
    openDocument: (document) => device.answer("openDocument", document, () => device.open(document)),
    secrets: {
      level: () => device.answer("secrets.level", undefined, level),
      get: (name) => device.answer("secrets.get", name, () => device.secrets.get(name) ?? null),
      set: (name, value) =>
        device.answer("secrets.set", name, () => (device.secrets.set(name, value), level())),
      remove: (name) => device.answer("secrets.remove", name, () => void device.secrets.delete(name)),
    },
    notifications: {
      show: ({ title }) => device.answer("notifications.show", title, () => undefined),
      onActivate: () => () => undefined,
    },
    links: {
      onOpen(listener) {
        device.linkListeners.add(listener);
        return () => void device.linkListeners.delete(listener);
      },
    },
    autoStart: {
      get: () => device.answer("autoStart.get", undefined, () => device.autoStart),
      set: (enabled) => device.answer("autoStart.set", enabled, () => device.setAutoStart(enabled)),
    },
    store: storeOf(
      (method) =>
        (...args) =>
          device.ask(method, args),
    ),
  };
}

export function createFakeBridge(scenario: Scenario = {}): FakeBridge {
  const device = new FakeDevice(scenario);
  return {
    bridge: bridgeTo(device),
    calls: device.calls,
    opened: device.opened,
    issueToken: (token) => void device.keep([token, ...device.tokens]),
    openLink(link) {
      for (const listener of device.linkListeners) listener(link);
    },
    setScenario: (changes) => void (device.scenario = { ...device.scenario, ...changes }),
  };
}
