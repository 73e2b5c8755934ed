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

/** Opens a session with the user's own password. */
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

/** Opens a session with an operator's code and sets a new password. */
export async function resetSession(
  rest: Rest,
  url: string,
  body: { readonly code: string; readonly newPassword: string },
): Promise<StoredCredential> {
  const { id: userId, ...credential } = await rest.call(url, userRoutes.resetPassword, { body });
  return { userId, ...credential, autoProvisioned: false };
}

/** Ends a session that this device does not keep. Best effort. */
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
