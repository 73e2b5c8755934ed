import { userRoutes } from "@hearth/contracts";
import type { Credential } from "@hearth/contracts";
import type { Platform } from "../ports.ts";
import { ClientProblem } from "@hearth/device";
import type { Rest } from "../rest/rest.ts";
import type { StoredCredential } from "./accounts.ts";
import type { ProvisionSecret } from "./provision-secret.ts";

const MAX_NAME = 64;
/** How many digits of the home user id are appended to the name, one try after the other (rule CL2). */
const PREFIXES = [8, 12, 16, 20, 32] as const;
const TAG_LENGTH = 24;

/** The home account that a foreign one is created for. */
export interface ProvisionFor {
  readonly homeUrl: string;
  readonly userId: string;
  readonly username: string;
  readonly displayName: string;
}

export interface Provisioned {
  readonly credential: StoredCredential;
  /** True if the account was created, false if it existed. */
  readonly isNew: boolean;
}

const digitsOf = (userId: string): string => userId.replaceAll("-", "");

/** The names to try, the home name first. Home ids distinguish users of the same name. */
export const usernamesFor = ({ username, userId }: ProvisionFor): readonly string[] => [
  username,
  ...PREFIXES.map((length) => {
    const suffix = `-${digitsOf(userId).slice(0, length)}`;
    return username.slice(0, MAX_NAME - suffix.length) + suffix;
  }),
];

/** The display name, with a tag if the username had to be changed. */
export function displayNameFor({ userId, homeUrl, displayName }: ProvisionFor, isRenamed: boolean): string {
  if (!isRenamed) return displayName;
  const marks = `#${digitsOf(userId).slice(0, 8)} #${new URL(homeUrl).host.slice(0, TAG_LENGTH)} `;
  let name = "";
  for (const character of displayName)
    if (marks.length + name.length + character.length <= MAX_NAME) name += character;
    else break;
  return marks + name;
}

/** The result of one name: the account, or why it is not available. */
type Attempt = { readonly credential: Credential; readonly isNew: boolean } | "taken" | "not-ours";

interface Deps {
  readonly rest: Rest;
  readonly secret: ProvisionSecret;
  readonly platform: Pick<Platform, "deviceName">;
}

const orWhen = async <Other>(
  call: Promise<Credential>,
  code: ClientProblem["code"],
  other: Other,
): Promise<Credential | Other> => {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ClientProblem && error.code === code) return other;
    throw error;
  }
};

function attempts({ rest, platform: { deviceName } }: Deps, url: string, password: string) {
  const login = async (username: string): Promise<Attempt> => {
    const call = rest.call(url, userRoutes.login, { body: { username, password, deviceName } });
    const credential = await orWhen(call, "INVALID_CREDENTIALS", null);
    return credential === null ? "not-ours" : { credential, isNew: false };
  };
  const register = async (username: string, displayName: string): Promise<Attempt> => {
    const call = rest.call(url, userRoutes.register, {
      body: { username, password, displayName, deviceName },
    });
    const credential = await orWhen(call, "USERNAME_TAKEN", null);
    return credential === null ? "taken" : { credential, isNew: true };
  };
  return { login, register };
}

/**
 * Creates the account of this install on a foreign instance, or signs in to it (interface 5.5, rule CL2). Tries a
 * known account first. A taken name may be ours from a try whose answer was lost, so a login is tried before the next
 * name. Rejects with the problem of the instance.
 */
export async function provision(
  deps: Deps,
  url: string,
  home: ProvisionFor,
  ours: string | null,
): Promise<Provisioned> {
  const { login, register } = attempts(deps, url, await deps.secret.passwordFor(url, home.userId));
  const found = ({ credential, isNew }: Exclude<Attempt, string>): Provisioned => {
    const { id: userId, username, displayName, token, expiresAt } = credential;
    return { credential: { userId, username, displayName, token, expiresAt, autoProvisioned: true }, isNew };
  };
  if (ours !== null) {
    const entered = await login(ours);
    if (typeof entered !== "string") return found(entered);
  }
  for (const username of usernamesFor(home)) {
    const made = await register(username, displayNameFor(home, username !== home.username));
    const attempt = made === "taken" && username !== ours ? await login(username) : made;
    if (typeof attempt !== "string") return found(attempt);
  }
  throw new ClientProblem("USERNAME_TAKEN", { message: "Every name that could be tried is taken there" });
}
