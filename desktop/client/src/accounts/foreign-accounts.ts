import { ERRORS, isErrorCode } from "@hearth/contracts";
import type { AuthInvalidReason } from "@hearth/contracts";
import type { Platform } from "../ports.ts";
import { ClientProblem } from "@hearth/device";
import type { Rest } from "../rest/rest.ts";
import type { StoredCredential } from "./accounts.ts";
import type { AccountsStorage } from "./accounts-storage.ts";
import { isSignedIn, withInstance, withoutToken } from "./accounts-state.ts";
import type { KnownInstance, StoredAccounts } from "./credentials.ts";
import type { OwnAccount } from "./device-owner.ts";
import type { ProvisionSecret } from "./provision-secret.ts";
import { provision } from "./provisioning.ts";
import type { ProvisionFor } from "./provisioning.ts";
import { revoke } from "./sessions.ts";

/** Delays between tries to sign in again on an instance that does not answer. */
const RETRY_MS = [5_000, 15_000, 60_000, 300_000] as const;
/** Limits retries on an instance that refuses the tokens it has just issued. */
const MAX_REFUSALS = 3;
const REFUSALS_WITHIN_MS = 600_000;

const needsSignIn = (message: string, cause?: unknown): ClientProblem =>
  new ClientProblem("NEEDS_SIGN_IN", { message }, cause);

/** True if the instance refused the account for good; false for failures that may pass (rule ER6). */
const isRefusal = (error: unknown): boolean =>
  error instanceof ClientProblem &&
  isErrorCode(error.code) &&
  !error.retryable &&
  ERRORS[error.code].status < 500;

/** The home account, if its session is valid and the instance is another one. */
function homeFor(stored: StoredAccounts, url: string): ProvisionFor | null {
  const { homeUrl, credentials } = stored;
  const home = homeUrl === null || homeUrl === url ? undefined : credentials.get(homeUrl);
  return homeUrl === null || home === undefined || !isSignedIn(stored)
    ? null
    : { homeUrl, ...withoutToken(home) };
}

/** The user signed in there manually, so the password is theirs, and a new account would change who they are there. */
const isByHand = ({ instances }: StoredAccounts, url: string): boolean =>
  instances.find((server) => server.url === url)?.account?.autoProvisioned === false;

const isRestorable = ({ account, isSignedOut }: KnownInstance): boolean =>
  account?.autoProvisioned === true && !isSignedOut;

export interface ForeignAccountsOptions {
  readonly platform: Platform;
  readonly rest: Rest;
  readonly storage: AccountsStorage;
  readonly secret: ProvisionSecret;
  /** Called when an account became valid. */
  readonly onEntered: () => void;
}

/** Accounts on foreign instances that need no password from the user (interface 5.5, rules CL2 and CL3). */
export class ForeignAccounts {
  readonly #options: ForeignAccountsOptions;
  readonly #running = new Map<string, Promise<OwnAccount>>();
  readonly #retries = new Map<string, () => void>();
  readonly #refusals = new Map<string, readonly number[]>();

  constructor(options: ForeignAccountsOptions) {
    this.#options = options;
  }

  async ensure(url: string): Promise<OwnAccount> {
    const stored = this.#options.storage.read();
    const credential = isSignedIn(stored) ? stored.credentials.get(url) : undefined;
    if (credential) return withoutToken(credential);
    const running = this.#running.get(url) ?? this.#enter(url).finally(() => this.#running.delete(url));
    this.#running.set(url, running);
    return running;
  }

  /** Stores a manual sign-in, and revokes the session that it replaces. */
  take(url: string, credential: StoredCredential): void {
    const { storage, platform } = this.#options;
    const replaced = storage.read().credentials.get(url);
    const change = { failure: null, isNewlyProvisioned: false, isSignedOut: false };
    storage.change(({ credentials, instances }) => ({
      credentials: new Map([...credentials, [url, credential]]),
      instances: withInstance(instances, url, { account: withoutToken(credential), ...change }),
    }));
    if (replaced) void revoke(platform, url, replaced.token);
  }

  /** Signs in again wherever the session ended without the user's intention. */
  restoreAll(): void {
    const stored = this.#options.storage.read();
    for (const { url } of stored.instances.filter(isRestorable))
      if (!stored.credentials.has(url)) this.#restore(url);
  }

  /** Clears a refused credential if it is the current one, and signs in again. */
  onRefused(url: string, token: string, reason: AuthInvalidReason | "missing"): void {
    const { storage, platform } = this.#options;
    if (storage.read().credentials.get(url)?.token !== token) return;
    const recent = (this.#refusals.get(url) ?? []).filter((at) => at > platform.now() - REFUSALS_WITHIN_MS);
    this.#refusals.set(url, [...recent, platform.now()]);
    storage.change(({ credentials, instances }) => ({
      credentials: new Map([...credentials].filter(([key]) => key !== url)),
      instances: withInstance(instances, url, { failure: reason }),
    }));
    storage.emit({ type: "signalServerAuthFailed", url, reason });
    const known = storage.read().instances.find((server) => server.url === url);
    if (known && isRestorable(known) && recent.length < MAX_REFUSALS) this.#restore(url);
  }

  #restore(url: string, attempt = 0): void {
    const { storage, platform } = this.#options;
    this.#retries.get(url)?.();
    this.#retries.delete(url);
    const known = storage.read().instances.find((server) => server.url === url);
    if (!known || !isRestorable(known) || homeFor(storage.read(), url) === null) return;
    this.ensure(url).catch((error: unknown) => {
      const delay = RETRY_MS[attempt];
      if (delay === undefined || !(error instanceof ClientProblem) || error.code === "NEEDS_SIGN_IN") return;
      const wait = Math.max(delay, error.retryAfterMs ?? 0) * (1 + platform.random() / 4);
      const retry = platform.later(wait, () => this.#restore(url, attempt + 1));
      this.#retries.set(url, retry);
    });
  }

  async #enter(url: string): Promise<OwnAccount> {
    const { storage, platform } = this.#options;
    const stored = storage.read();
    const home = homeFor(stored, url);
    if (home === null) throw needsSignIn("The home session is not in force");
    if (isByHand(stored, url)) throw needsSignIn("This account was signed in to by hand");
    storage.setWorking(url, true);
    try {
      const entered = { account: null as OwnAccount | null };
      await platform.tabs.exclusive(`provision:${url}`, async () => {
        const byOther = storage.read().credentials.get(url);
        entered.account = byOther ? withoutToken(byOther) : await this.#make(url, home);
      });
      if (entered.account === null) throw needsSignIn("Another tab has not finished");
      return entered.account;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.#noteRefusal(url);
      throw needsSignIn("The server does not take this account", error);
    } finally {
      storage.setWorking(url, false);
    }
  }

  async #make(url: string, home: ProvisionFor): Promise<OwnAccount> {
    const { storage, platform, onEntered } = this.#options;
    const known = storage.read().instances.find((server) => server.url === url)?.account;
    const { credential, isNew } = await provision(this.#options, url, home, known?.username ?? null);
    const now = homeFor(storage.read(), url);
    if (now?.homeUrl !== home.homeUrl || now.userId !== home.userId) {
      void revoke(platform, url, credential.token);
      throw needsSignIn("The home session ended meanwhile");
    }
    const account = withoutToken(credential);
    const change = {
      account,
      failure: null,
      isSignedOut: false,
      ...(isNew ? { isNewlyProvisioned: true } : {}),
    };
    storage.change(({ credentials, instances }) => ({
      credentials: new Map([...credentials, [url, credential]]),
      instances: withInstance(instances, url, change),
    }));
    const { username } = account;
    if (isNew) storage.emit({ type: "provisioned", url, username, isRenamed: username !== home.username });
    onEntered();
    return account;
  }

  /** A failure does not add an unlisted instance to the list. */
  #noteRefusal(url: string): void {
    const { storage } = this.#options;
    if (storage.read().instances.some((server) => server.url === url && !server.isForgotten))
      storage.change(({ instances }) => ({
        instances: withInstance(instances, url, { failure: "refused" }),
      }));
  }
}
