import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { INTERNAL_PATHS, errorCode, repeat } from "@hearth/runtime";
import type { Log, Repetition } from "@hearth/runtime";
import { Pool } from "undici";

export interface ReplicasOptions {
  readonly name: string;
  /** One or more `http://host:port`. A name may have several addresses, which may change. */
  readonly urls: readonly string[];
  readonly log: Log;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly connectTimeoutMs: number;
  /** How often names are resolved and replicas asked for their readiness; default 500. */
  readonly intervalMs?: number;
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

/** One process of a service. */
export interface Replica {
  readonly url: string;
  readonly pool: Pool;
}

interface Known extends Replica {
  ready: boolean;
}

/** Errors before a connection existed. */
const NEVER_SENT = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "ETIMEDOUT",
]);

/** True when no byte of the request can have reached the service, so that it may be sent elsewhere, whatever its method. */
export const isNeverSent = (error: unknown): boolean => NEVER_SENT.has(errorCode(error) ?? "");

const PROBE_TIMEOUT_MS = 1_000;

const addressesOf = async (host: string): Promise<readonly string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * The processes of one service, in round robin. A process that is not ready, as before it stops, or does not answer, comes
 * last: it may be all there is.
 */
export class Replicas {
  readonly #options: ReplicasOptions;
  readonly #known = new Map<string, Known>();
  readonly #refreshes: Repetition;
  #turn = 0;
  #refreshing: Promise<void> | undefined;

  constructor(options: ReplicasOptions) {
    this.#options = options;
    for (const url of options.urls) if (isIP(new URL(url).hostname) !== 0) this.#add(url);
    const { name, log, intervalMs: everyMs = 500 } = options;
    this.#refreshes = repeat(() => this.refresh(), {
      everyMs,
      name: `replicas of ${name}`,
      log,
      immediately: true,
    });
  }

  /** All replicas, starting with the one whose turn it is; those that are not ready come last. */
  inTurn(): readonly Replica[] {
    const all = [...this.#known.values()];
    const from = all.length === 0 ? 0 : this.#turn++ % all.length;
    const turned = [...all.slice(from), ...all.slice(0, from)];
    return [...turned.filter(({ ready }) => ready), ...turned.filter(({ ready }) => !ready)];
  }

  /** The replica comes last until it reports again that it is ready. */
  markFailed({ url }: Replica): void {
    const known = this.#known.get(url);
    if (known) known.ready = false;
  }

  /** Resolves the names and asks every replica for its readiness. Concurrent calls share one round. */
  refresh(): Promise<void> {
    return (this.#refreshing ??= this.#refreshOnce().finally(() => (this.#refreshing = undefined)));
  }

  async close(): Promise<void> {
    await this.#refreshes.stop();
    await Promise.all([...this.#known.values()].map(({ pool }) => pool.close()));
  }

  async #refreshOnce(): Promise<void> {
    try {
      const found = new Set((await Promise.all(this.#options.urls.map((url) => this.#resolve(url)))).flat());
      for (const url of found) if (!this.#known.has(url)) this.#add(url);
      for (const [url, known] of this.#known) if (!found.has(url)) this.#remove(url, known);
    } catch {
      // A name that cannot be resolved now keeps its known addresses.
    }
    // A single replica gets every request, ready or not.
    const all = [...this.#known.values()];
    if (all.length > 1) await Promise.all(all.map((known) => this.#probe(known)));
  }

  async #resolve(url: string): Promise<readonly string[]> {
    const { hostname, port, protocol } = new URL(url);
    if (isIP(hostname) !== 0) return [url];
    const addresses = await (this.#options.resolve ?? addressesOf)(hostname);
    return addresses.map(
      (address) => `${protocol}//${address.includes(":") ? `[${address}]` : address}:${port}`,
    );
  }

  async #probe(known: Known): Promise<void> {
    const was = known.ready;
    try {
      const { statusCode, body } = await known.pool.request({
        path: INTERNAL_PATHS.ready,
        method: "GET",
        headers: this.#options.headers,
        headersTimeout: PROBE_TIMEOUT_MS,
      });
      await body.dump();
      known.ready = statusCode === 200;
    } catch {
      known.ready = false;
    }
    const { log, name } = this.#options;
    if (was !== known.ready)
      log.info({ upstream: name, url: known.url, ready: known.ready }, "a replica changed");
  }

  #add(url: string): void {
    const { connections, connectTimeoutMs } = this.#options;
    const pool = new Pool(url, { connections, pipelining: 1, connect: { timeout: connectTimeoutMs } });
    this.#known.set(url, { url, pool, ready: true });
  }

  #remove(url: string, { pool }: Known): void {
    this.#known.delete(url);
    void pool.close();
  }
}
