import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { INTERNAL_PATHS, errorCode, repeat } from "@hearth/runtime";
import type { Log, Repetition } from "@hearth/runtime";
import { Pool } from "undici";

export interface ReplicasOptions {
  readonly name: string;
  /** `http://host:port`, one or several; a name may stand for many addresses, and for others a moment later. */
  readonly urls: readonly string[];
  readonly log: Log;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly connectTimeoutMs: number;
  /** How often names are looked up and replicas asked whether they are ready; default 500. */
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

/** The connection could not be made. */
const NEVER_SENT = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "ETIMEDOUT",
]);

/** True where nothing of a request can have reached the other side: it may be sent elsewhere, whatever it asks for. */
export const isNeverSent = (error: unknown): boolean => NEVER_SENT.has(errorCode(error) ?? "");

const PROBE_TIMEOUT_MS = 1_000;

const addressesOf = async (host: string): Promise<readonly string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * The processes that serve one service, in turns. One that says that it is not ready, as it does before it stops, gets
 * nothing new; one that does not answer is asked last, since it may be all there is.
 */
export class Replicas {
  readonly #options: ReplicasOptions;
  readonly #known = new Map<string, Known>();
  readonly #looks: Repetition;
  #turn = 0;
  #looking: Promise<void> | undefined;

  constructor(options: ReplicasOptions) {
    this.#options = options;
    for (const url of options.urls) if (isIP(new URL(url).hostname) !== 0) this.#add(url);
    const { name, log, intervalMs: everyMs = 500 } = options;
    this.#looks = repeat(() => this.look(), { everyMs, name: `replicas of ${name}`, log, immediately: true });
  }

  /** All of them, the one whose turn it is first; those that are not ready come last. */
  inTurn(): readonly Replica[] {
    const all = [...this.#known.values()];
    const from = all.length === 0 ? 0 : this.#turn++ % all.length;
    const turned = [...all.slice(from), ...all.slice(0, from)];
    return [...turned.filter(({ ready }) => ready), ...turned.filter(({ ready }) => !ready)];
  }

  /** Nothing new is sent there until it says again that it is ready. */
  failed({ url }: Replica): void {
    const known = this.#known.get(url);
    if (known) known.ready = false;
  }

  /** Looks names up and asks every replica; those who call while it is under way share it. */
  look(): Promise<void> {
    return (this.#looking ??= this.#lookOnce().finally(() => (this.#looking = undefined)));
  }

  async close(): Promise<void> {
    await this.#looks.stop();
    await Promise.all([...this.#known.values()].map(({ pool }) => pool.close()));
  }

  async #lookOnce(): Promise<void> {
    try {
      const found = new Set((await Promise.all(this.#options.urls.map((url) => this.#resolve(url)))).flat());
      for (const url of found) if (!this.#known.has(url)) this.#add(url);
      for (const [url, known] of this.#known) if (!found.has(url)) this.#remove(url, known);
    } catch {
      // A name that cannot be looked up now: what is known still counts.
    }
    // One alone is asked for everything, ready or not.
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
