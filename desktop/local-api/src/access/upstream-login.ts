import { credentialSchema, foldUsername, lineOfText, ProblemError, retryAfterMs } from "@hearth/contracts";
import { exceedsJsonDepth, systemClock } from "@hearth/runtime";
import type { Clock, Log } from "@hearth/runtime";
import type { UpstreamAccount, UpstreamCredentials, UpstreamLogin } from "./upstream.ts";

export interface UpstreamLoginOptions {
  readonly log: Log;
  readonly clock?: Clock;
  /** For the whole exchange including the body; default 5,000 (rule LA5). */
  readonly timeoutMs?: number;
}

const MAX_BYTES = 64 * 1024;
const MAX_DEPTH = 8;
const TOKEN = /^[0-9a-f]{64}$/;

/** Limited, because names are stored and shown. */
const answerSchema = credentialSchema.extend({
  username: lineOfText(1, 256),
  displayName: lineOfText(1, 256),
});

/**
 * Statuses that refuse the login itself: 401 always, the others only as JSON, because a proxy answers with the same
 * statuses and HTML.
 */
const REFUSALS = new Set([400, 403, 422]);

const isJson = (response: Response): boolean =>
  /^application\/([a-z0-9.-]+\+)?json\s*(;|$)/i.test(response.headers.get("content-type") ?? "");

const unreachable = (detail: string): ProblemError => new ProblemError("UPSTREAM_UNREACHABLE", detail);

/** The text of a response; `undefined` as soon as it is longer than the limit or not UTF-8. */
async function boundedText(response: Response, maxBytes: number): Promise<string | undefined> {
  const { body } = response;
  if (body === null) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the stream, which closes the connection.
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    return undefined;
  }
}

function parse(text: string): unknown {
  if (exceedsJsonDepth(Buffer.from(text), MAX_DEPTH)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;

class HttpUpstream {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #timeoutMs: number;

  constructor({ log, clock = systemClock, timeoutMs = 5_000 }: UpstreamLoginOptions) {
    this.#log = log;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  async login(credentials: UpstreamCredentials): Promise<UpstreamAccount> {
    const { serverUrl, username, password } = credentials;
    try {
      const response = await this.#post(`${serverUrl}/api/users/login`, {
        body: JSON.stringify({ username, password }),
        headers: { "content-type": "application/json", accept: "application/json" },
      });
      return await this.#accountOf(response, credentials);
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      this.#log.warn({ serverUrl, err: error }, "login check failed, instance unreachable");
      const late = memberOf(error, "name") === "TimeoutError";
      throw unreachable(
        late ? "The signaling server took too long" : "The signaling server cannot be reached",
      );
    }
  }

  /** Redirects are not followed (rule LA5). */
  #post(
    url: string,
    init: { readonly body?: string; readonly headers: Record<string, string> },
  ): Promise<Response> {
    return fetch(url, {
      ...init,
      method: "POST",
      redirect: "manual",
      signal: AbortSignal.timeout(this.#timeoutMs),
    });
  }

  async #accountOf(response: Response, asked: UpstreamCredentials): Promise<UpstreamAccount> {
    const { status } = response;
    if (!response.ok) {
      await response.body?.cancel();
      throw this.#refusal(response);
    }
    const text = isJson(response) ? await boundedText(response, MAX_BYTES) : undefined;
    if (text === undefined) await response.body?.cancel().catch(() => undefined);
    const answer = text === undefined ? undefined : parse(text);
    this.#endSession(asked.serverUrl, memberOf(answer, "token"));
    const checked = answerSchema.safeParse(answer);
    if (!checked.success || foldUsername(checked.data.username) !== foldUsername(asked.username)) {
      this.#log.warn(
        { serverUrl: asked.serverUrl, status },
        "a signaling server answered a login with no credential",
      );
      throw unreachable("The signaling server's answer cannot be understood");
    }
    const { id, username, displayName } = checked.data;
    return { id, username, displayName };
  }

  #refusal(response: Response): ProblemError {
    const { status, headers } = response;
    if (status === 401 || (REFUSALS.has(status) && isJson(response))) {
      return new ProblemError(
        "INVALID_CREDENTIALS",
        "The signaling server refused this username and password",
      );
    }
    if (status === 429) {
      return new ProblemError("UPSTREAM_RATE_LIMITED", undefined, {
        retryAfterMs: retryAfterMs(headers.get("retry-after"), this.#clock.now()),
      });
    }
    return unreachable(`The signaling server answered the login with status ${status}`);
  }

  /** The session only served to identify the user and is revoked at once. The login does not depend on that. */
  #endSession(serverUrl: string, token: unknown): void {
    if (typeof token !== "string" || !TOKEN.test(token)) return;
    void this.#post(`${serverUrl}/api/users/logout`, { headers: { authorization: `Bearer ${token}` } })
      .then(async (response) => {
        await response.body?.cancel();
        if (!response.ok) throw new Error(`status ${response.status}`);
      })
      .catch((error: unknown) => {
        this.#log.warn({ serverUrl, err: error }, "login session not revoked");
      });
  }
}

/** Logins with the instance's REST API, using the built-in `fetch`. */
export function createUpstreamLogin(options: UpstreamLoginOptions): UpstreamLogin {
  const upstream = new HttpUpstream(options);
  return (credentials) => upstream.login(credentials);
}
