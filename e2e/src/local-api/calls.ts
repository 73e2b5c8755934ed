import { call, expectOk, PASSWORD } from "../client/rest.ts";

/** The answer of a local login (interface 2.4). */
export interface LocalLogin {
  readonly token: string;
  readonly expiresAt: number;
  readonly user: { readonly id: string; readonly username: string; readonly displayName: string };
}

const LOGIN = "/api/auth/login";

/** Logs in to the local API, successfully or not. */
export const tryLogin = (localUrl: string, body: unknown) => call(localUrl, "POST", LOGIN, { body });

/** Logs in an account of the signaling server. */
export const localLogin = (
  localUrl: string,
  serverUrl: string,
  username: string,
  password = PASSWORD,
): Promise<LocalLogin> => expectOk(localUrl, "POST", LOGIN, { body: { serverUrl, username, password } });

export const localLogout = (localUrl: string, token: string) =>
  call(localUrl, "POST", "/api/auth/logout", { token });
