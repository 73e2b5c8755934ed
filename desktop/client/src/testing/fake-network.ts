/** A sent call; `body` is its JSON. */
export interface FakeRequest {
  readonly method: string;
  readonly url: string;
  /** The normalised URL of the instance. */
  readonly origin: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: unknown;
  /** The call continues when the page is closed. */
  readonly keepalive: boolean;
}

/** `body` is sent as JSON and `text` as it is; `no-network` fails like `fetch`; `never` waits until it is cancelled. */
export type FakeAnswer =
  | {
      readonly status: number;
      readonly body?: unknown;
      readonly text?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | "no-network"
  | "never";

export type FakeServer = (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>;

/** All instances of a test. By default there is no network. */
export interface FakeNetwork {
  readonly fetch: typeof fetch;
  readonly requests: readonly FakeRequest[];
  answer(server: FakeServer): void;
}

const calledOff = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const fail = (): void => reject(signal.reason as Error);
    if (signal.aborted) fail();
    else signal.addEventListener("abort", fail, { once: true });
  });

function responseOf(answer: Exclude<FakeAnswer, string>): Response {
  const { status, body, text, headers = {} } = answer;
  if (text !== undefined) return new Response(text, { status, headers });
  if (body === undefined) return new Response(null, { status, headers });
  const type = status < 400 ? "application/json" : "application/problem+json";
  return new Response(JSON.stringify(body), { status, headers: { "content-type": type, ...headers } });
}

export function createFakeNetwork(): FakeNetwork {
  const requests: FakeRequest[] = [];
  let server: FakeServer = () => "no-network";

  const answerOf = async (request: FakeRequest): Promise<Response> => {
    const answer = await server(request);
    if (answer === "no-network") throw new TypeError("fetch failed");
    return answer === "never" ? new Promise<never>(() => undefined) : responseOf(answer);
  };
  return {
    requests,
    answer: (next) => void (server = next),
    fetch: async (input, init = {}) => {
      const call = new Request(input, init);
      const { origin, pathname, search } = new URL(call.url);
      const text = await call.text();
      const body: unknown = text === "" ? undefined : JSON.parse(text);
      const { method, url, headers, keepalive } = call;
      const request = { method, url, origin, path: `${pathname}${search}`, headers, body, keepalive };
      requests.push(request);
      const answer = answerOf(request);
      return init.signal ? Promise.race([calledOff(init.signal), answer]) : answer;
    },
  };
}
