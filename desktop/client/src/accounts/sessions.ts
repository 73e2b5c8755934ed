import { userRoutes } from "@hearth/contracts";
import { normaliseServerUrl } from "@hearth/device";
import type { Platform } from "../ports.ts";
import { ClientProblem } from "@hearth/device";
import { createRest } from "../rest/create-rest.ts";
import type { Rest } from "../rest/rest.ts";
import type { SignIn, StoredCredential } from "./accounts.ts";

export function serverUrlOf(text: string): string {
  const server = normaliseServerUrl(text);
  if (!server.ok) throw new ClientProblem("INVALID_SERVER_URL", { message: server.reason });
  return server.url;
}

/** The session that somebody opens with a password of their own. */
export async function openSession(
  rest: Rest,
  url: string,
  { mode, username, password, displayName, invitation }: SignIn,
  deviceName: string,
): Promise<StoredCredential> {
  const body = { username, password, deviceName };
  const more = { ...(displayName && { displayName }), ...(invitation && { invitation }) };
  const { id: userId, ...credential } =
    mode === "login"
      ? await rest.call(url, userRoutes.login, { body })
      : await rest.call(url, userRoutes.register, { body: { ...body, ...more } });
  return { userId, ...credential, autoProvisioned: false };
}

/** The session that an operator's code opens, with the password that it set. */
export async function resetSession(
  rest: Rest,
  url: string,
  body: { readonly code: string; readonly newPassword: string },
): Promise<StoredCredential> {
  const { id: userId, ...credential } = await rest.call(url, userRoutes.resetPassword, { body });
  return { userId, ...credential, autoProvisioned: false };
}

/** Ends a session that this device does not hold any more, as far as its server can be reached. */
export async function revoke(platform: Platform, url: string, token: string): Promise<void> {
  const onAuthFailure = (): void => undefined;
  const rest = createRest({ platform, token: () => token, onAuthFailure, outlivesPage: true });
  await rest.call(url, userRoutes.logout, {}).catch(() => undefined);
}

export const revokeAll = async (
  platform: Platform,
  credentials: ReadonlyMap<string, StoredCredential>,
): Promise<void> => {
  await Promise.all([...credentials].map(([url, { token }]) => revoke(platform, url, token)));
};
