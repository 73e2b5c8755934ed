import type { Credential, Problem } from "@hearth/contracts";

/** The response: status, headers and body, which is parsed JSON, else text, else `null`. */
export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface CallOptions {
  readonly token?: string;
  readonly body?: unknown;
  /** Sent unchanged instead of `body`; set its type in the headers. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One HTTP call; never throws for a status. */
export const call = async <Body = unknown>(
  baseUrl: string,
  method: string,
  path: string,
  { token, body, raw, headers }: CallOptions = {},
): Promise<Answer<Body>> => {
  const response = await fetch(new URL(path, baseUrl), {
    method,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(raw === undefined ? {} : { body: raw }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (isJson(response) && text !== "" ? JSON.parse(text) : text || null) as Body,
  };
};

const isJson = ({ headers }: Response): boolean => /\bjson\b/.test(headers.get("content-type") ?? "");

/** The same; throws unless it succeeds. */
export const expectOk = async <Body>(
  baseUrl: string,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Body> => {
  const answer = await call<Body>(baseUrl, method, path, options);
  if (answer.status < 300) return answer.body;
  const { code, detail } = answer.body as Problem;
  throw new Error(`${method} ${path} answered ${answer.status} ${code}: ${detail}`);
};

let accounts = 0;

/** A name that is unique in this run. */
export const freshName = (prefix = "user"): string => {
  accounts += 1;
  return `${prefix}-${process.pid.toString(36)}-${Date.now().toString(36)}-${accounts.toString(36)}`;
};

export const PASSWORD = "correct horse battery";

/** Creates an account. */
export const register = (
  baseUrl: string,
  username = freshName(),
  displayName = username,
): Promise<Credential> =>
  expectOk(baseUrl, "POST", "/api/users/register", { body: { username, password: PASSWORD, displayName } });

/** Opens another session of an account. */
export const login = (baseUrl: string, username: string): Promise<Credential> =>
  expectOk(baseUrl, "POST", "/api/users/login", { body: { username, password: PASSWORD } });
