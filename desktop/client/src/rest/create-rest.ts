import type { AuthInvalidReason, RouteContract } from "@hearth/contracts";
import { normaliseServerUrl } from "@hearth/device";
import type { Platform } from "../ports.ts";
import { ClientProblem, isAuthFailure } from "@hearth/device";
import { problemOf } from "./rest-problem.ts";
import { requestOf, urlOf } from "./rest-request.ts";
import type { CallParts } from "./rest-request.ts";
import type { Rest, RestInput, RestResult } from "./rest.ts";

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 8 * 1024 * 1024;

export interface RestOptions {
  readonly platform: Pick<Platform, "fetch" | "now" | "later">;
  /** The token for that instance, by normalised URL. */
  readonly token: (url: string) => string | null;
  /** The instance refused the token of a call. */
  readonly onAuthFailure: (url: string, token: string, reason: AuthInvalidReason | "missing") => void;
  /** Calls continue when the page is closed. */
  readonly outlivesPage?: boolean;
}

/** The text of a response; `null` as soon as it is longer than the limit or not UTF-8. */
async function boundedText(response: Response, maxBytes: number): Promise<string | null> {
  if (response.body === null) return "";
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    try {
      if (done) return text + decoder.decode();
      size += value.byteLength;
      if (size <= maxBytes) text += decoder.decode(value, { stream: true });
      else throw new RangeError("The answer is too long");
    } catch {
      void reader.cancel().catch(() => undefined);
      return null;
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function resultOf({ success }: RouteContract, body: unknown): unknown {
  if (success.schema === undefined) return undefined;
  const checked = success.schema.safeParse(body);
  if (checked.success) return checked.data;
  throw new ClientProblem("BAD_ANSWER", { message: "The answer has not the shape of this route" });
}

class HttpRest implements Rest {
  readonly #options: RestOptions;

  constructor(options: RestOptions) {
    this.#options = options;
  }

  async call<R extends RouteContract>(
    signalServerUrl: string,
    route: R,
    input: RestInput<R>,
  ): Promise<RestResult<R>> {
    const server = normaliseServerUrl(signalServerUrl);
    if (!server.ok) throw new ClientProblem("INVALID_SERVER_URL", { message: server.reason });
    const parts: CallParts = input;
    parts.signal?.throwIfAborted();
    const token = route.auth === "none" ? null : this.#options.token(server.url);
    if (route.auth === "bearer" && token === null) throw new ClientProblem("NEEDS_SIGN_IN");
    const url = urlOf(server.url, route, parts);
    try {
      const { response, body } = await this.#exchange(url, route, parts, token);
      if (!response.ok) throw problemOf(response, body, this.#options.platform.now());
      return resultOf(route, body) as RestResult<R>;
    } catch (error) {
      if (token !== null && isAuthFailure(error))
        this.#options.onAuthFailure(server.url, token, error.reason ?? "unknown");
      throw error;
    }
  }

  /** The response with its JSON body. Any failure is `NO_ANSWER`, except for a cancelled call. */
  async #exchange(url: string, route: RouteContract, parts: CallParts, token: string | null) {
    const { platform, outlivesPage = false } = this.#options;
    const limit = new AbortController();
    const signal = AbortSignal.any([limit.signal, ...(parts.signal ? [parts.signal] : [])]);
    const stop = platform.later(TIMEOUT_MS, () => limit.abort());
    try {
      const init = { ...requestOf(route, parts, token, signal), keepalive: outlivesPage };
      const response = await platform.fetch(url, init);
      const text = await boundedText(response, MAX_BYTES);
      return { response, body: text === null ? undefined : parsed(text) };
    } catch (error) {
      parts.signal?.throwIfAborted();
      throw new ClientProblem("NO_ANSWER", { message: "The server did not answer", retryable: true }, error);
    } finally {
      stop();
    }
  }
}

/** Calls with `fetch`. Reports a refused token to `onAuthFailure`, but no failure that may pass (rule ER6). */
export const createRest = (options: RestOptions): Rest => new HttpRest(options);
