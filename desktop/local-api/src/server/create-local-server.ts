import type { RequestListener } from "node:http";
import { createHttpListener, errorCode } from "@hearth/runtime";
import type { HttpListener, Log } from "@hearth/runtime";
import { isAllowed } from "../access/login-request.ts";
import type { LocalAccess } from "../access/local-access.ts";
import type { LocalTokenInfo } from "@hearth/bridge";
import { DEFAULT_LOCAL_API_SETTINGS } from "@hearth/device";
import type { LocalApiSettings } from "@hearth/device";
import { createHostGuard } from "./host-guard.ts";
import type { HostGuard } from "./host-guard.ts";
import type { LocalServer } from "./local-server.ts";
import type { LocalServerState } from "@hearth/bridge";
import { createOwnNames, thisMachine } from "./own-names.ts";
import type { Machine } from "./own-names.ts";

/** What the HTTP interface gets for one listening period. */
export interface LocalApiContext {
  /** Must run first on every request (rule LA4). */
  readonly guard: HostGuard;
  readonly access: LocalAccess;
  /** The current settings, such as the enabled documents. */
  readonly settings: () => LocalApiSettings;
}

export interface LocalServerOptions {
  readonly access: LocalAccess;
  readonly createApi: (context: LocalApiContext) => RequestListener;
  readonly log: Log;
  readonly machine?: Machine;
}

interface Listening {
  readonly listener: HttpListener;
  readonly port: number;
  readonly exposeOnLan: boolean;
}

const STOPPED: LocalServerState = { status: "stopped", urls: [], lastError: null };
const LOOPBACK_HOST = "127.0.0.1";
const EVERY_HOST = "0.0.0.0";

const FIXES = new Map<string | undefined, string>([
  ["EADDRINUSE", "Choose another port in the settings, or end the program that uses it"],
  ["EACCES", "Choose a port above 1023 in the settings"],
]);

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return "The local API could not start";
  const fix = FIXES.get(errorCode(error.cause)) ?? "Choose another port in the settings";
  return `${error.message}. ${fix}.`;
}

class HttpLocalServer implements LocalServer {
  readonly #options: LocalServerOptions;
  readonly #machine: Machine;
  readonly #listeners = new Set<() => void>();
  readonly #draining = new Set<Promise<void>>();
  #settings = DEFAULT_LOCAL_API_SETTINGS;
  #state = STOPPED;
  #listening: Listening | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: LocalServerOptions) {
    this.#options = options;
    this.#machine = options.machine ?? thisMachine;
    options.access.onChange(() => this.#notify());
  }

  /** LAN addresses change, so they are read on demand. */
  state(): LocalServerState {
    const listening = this.#listening;
    return listening ? { ...this.#state, urls: this.#urlsOf(listening) } : this.#state;
  }

  apply(settings: LocalApiSettings): Promise<LocalServerState> {
    return this.#next(async () => {
      await this.#apply(settings);
      return this.state();
    });
  }

  /** Revokes tokens at the call, and again after the last response, so that no login slips through. */
  stop(): Promise<void> {
    this.#options.access.revokeAll();
    return this.#next(async () => {
      await this.#end({ ...STOPPED });
      await Promise.all(this.#draining);
      this.#options.access.revokeAll();
    });
  }

  tokens(): readonly LocalTokenInfo[] {
    return this.#options.access.tokens();
  }

  revoke(tokenId: string): boolean {
    return this.#options.access.revoke(tokenId);
  }

  revokeAll(): void {
    this.#options.access.revokeAll();
  }

  onChange(listener: () => void): () => void {
    const own = () => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  #next<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  async #apply(settings: LocalApiSettings): Promise<void> {
    this.#settings = settings;
    this.#endTokensOfOthers(settings.allowedSignalingServers);
    const old = this.#listening;
    if (!settings.enabled) {
      await this.#end({ ...STOPPED });
      return;
    }
    if (old?.port === settings.port && old.exposeOnLan === settings.exposeOnLan) {
      this.#set({ status: "listening", urls: [], lastError: null });
      return;
    }
    if (old) this.#release(old);
    await this.#listen(settings);
  }

  /** Rebinding keeps the tokens: for their owners the server did not stop (interface 5.6). */
  async #listen({ port, exposeOnLan }: LocalApiSettings): Promise<void> {
    this.#set({ status: "starting", urls: [], lastError: null });
    const { access, createApi, log } = this.#options;
    const guard = createHostGuard(
      () => ({ port: listener.port, exposeOnLan }),
      createOwnNames(this.#machine),
    );
    const listener = createHttpListener({
      name: "local API",
      host: exposeOnLan ? EVERY_HOST : LOOPBACK_HOST,
      port,
      listener: createApi({ guard, access, settings: () => this.#settings }),
      log,
    });
    try {
      await listener.start();
    } catch (error) {
      log.error({ err: error, port, exposeOnLan }, "local API cannot listen");
      await this.#end({ status: "failed", urls: [], lastError: sentenceOf(error) });
      return;
    }
    this.#listening = { listener, port, exposeOnLan };
    log.info({ port: listener.port, exposeOnLan }, "local API listening");
    this.#set({ status: "listening", urls: [], lastError: null });
  }

  /** Frees the port at once; responses under way go on. */
  #release(listening: Listening): void {
    this.#listening = undefined;
    const drained = listening.listener.stop().finally(() => this.#draining.delete(drained));
    this.#draining.add(drained);
  }

  async #end(state: LocalServerState): Promise<void> {
    if (this.#listening) this.#release(this.#listening);
    this.#options.access.revokeAll();
    this.#set(state);
    await Promise.all(this.#draining);
  }

  /** Revokes the tokens of users whose instance is no longer allowed. */
  #endTokensOfOthers(allowed: readonly string[]): void {
    for (const { id, serverUrl } of this.tokens()) {
      if (!isAllowed(serverUrl, allowed)) this.#options.access.revoke(id);
    }
  }

  #urlsOf({ listener, exposeOnLan }: Listening): readonly string[] {
    const lan = this.#machine
      .addresses()
      .filter((address) => !address.includes(":") && !address.startsWith("127."));
    const hosts = [LOOPBACK_HOST, ...(exposeOnLan ? lan : [])];
    return hosts.map((host) => `http://${host}:${listener.port}`);
  }

  #set(state: LocalServerState): void {
    this.#state = state;
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        this.#options.log.error({ err: error }, "local server listener failed");
      }
    }
  }
}

export const createLocalServer = (options: LocalServerOptions): LocalServer => new HttpLocalServer(options);
