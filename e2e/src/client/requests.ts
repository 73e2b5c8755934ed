import { type CallOptions, call, freshName, PASSWORD } from "./rest.ts";
import { requestText, sendRaw } from "./raw-http.ts";

export const JSON_TYPE = { "content-type": "application/json" };
export const json = (raw: string): CallOptions => ({ raw, headers: JSON_TYPE });
export const bodyOf = (value: unknown): CallOptions => ({ body: value });
export const loginBody = (fields: object): CallOptions =>
  bodyOf({ username: "somebody", password: PASSWORD, ...fields });
export const registerBody = (fields: object): CallOptions =>
  bodyOf({ username: freshName(), password: PASSWORD, ...fields });
export const authorization = (token: string): string => `Authorization: Bearer ${token}`;

/** Well-formed and raw requests to a server that is started later. */
export const requestsTo = (url: () => string) => ({
  post: (path: string, options: CallOptions) => call(url(), "POST", path, options),
  raw: (text: string) => sendRaw(url(), text),
  request: (...args: Parameters<typeof requestText> extends [string, ...infer Rest] ? Rest : never) =>
    requestText(url(), ...args),
});
