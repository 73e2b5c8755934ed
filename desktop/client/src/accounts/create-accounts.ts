import type { AuthInvalidReason } from "@hearth/contracts";
import type { Platform } from "../ports.ts";
import { ClientProblem } from "@hearth/device";
import type { Rest } from "../rest/rest.ts";
import type { Accounts, AccountsEvent, SignIn, StoredCredential } from "./accounts.ts";
import { createAccountsStorage } from "./accounts-storage.ts";
import type { AccountsStorage } from "./accounts-storage.ts";
import { isSignedIn, withInstance } from "./accounts-state.ts";
import { isAccountKey } from "./credentials.ts";
import type { KnownInstance, StoredAccounts } from "./credentials.ts";
import { createDeviceOwner } from "./device-owner.ts";
import type { DeviceOwner, OwnAccount, OwnerStore } from "./device-owner.ts";
import { ForeignAccounts } from "./foreign-accounts.ts";
import { HomeAccount } from "./home-account.ts";
import { createProvisionSecret } from "./provision-secret.ts";
import type { ProvisionSecret } from "./provision-secret.ts";
import { openSession, resetSession, revoke, serverUrlOf } from "./sessions.ts";
import { startUp } from "./start-up.ts";

/** How long another tab takes at most to write all keys. */
const SETTLED_MS = 20;

export interface AccountsOptions {
  readonly platform: Platform;
  readonly rest: Rest;
  readonly store: OwnerStore;
}

const notTheirs = (): ClientProblem =>
  new ClientProblem("ACCOUNT_NOT_ON_DEVICE", { message: "Somebody else is signed in at home" });

class DeviceAccounts implements Accounts {
  readonly state: Accounts["state"];
  readonly #platform: Platform;
  readonly #rest: Rest;
  readonly #storage: AccountsStorage;
  readonly #owner: DeviceOwner;
  readonly #secret: ProvisionSecret;
  readonly #home: HomeAccount;
  readonly #foreign: ForeignAccounts;
  #recording: Promise<void> = Promise.resolve();

  constructor({ platform, rest, store }: AccountsOptions) {
    this.#platform = platform;
    this.#rest = rest;
    this.#storage = createAccountsStorage(platform.local);
    this.#owner = createDeviceOwner(store);
    this.#secret = createProvisionSecret(platform);
    const { secret, storage, onEntered } = {
      secret: this.#secret,
      storage: this.#storage,
      onEntered: () => this.#record(),
    };
    this.#home = new HomeAccount({ platform, rest, storage: this.#storage, owner: this.#owner });
    this.#foreign = new ForeignAccounts({ platform, rest, storage, secret, onEntered });
    this.state = storage.state;
  }

  on(listener: (event: AccountsEvent) => void): () => void {
    return this.#storage.on(listener);
  }

  async start(): Promise<void> {
    this.#followTabs();
    this.#platform.attention.subscribe(({ isOnline }, before) => {
      if (isOnline && !before.isOnline) this.#foreign.restoreAll();
    });
    const { ended } = this.#readAtStart();
    if (ended !== null) this.#storage.emit({ type: "SESSION_EXPIRED", end: ended });
    this.#record();
    this.#foreign.restoreAll();
    // A failure here is repeated when the secret is needed.
    if (isSignedIn(this.#storage.read())) void this.#secret.adopt().catch(() => undefined);
  }

  async authenticateUser(signIn: SignIn): Promise<void> {
    const url = serverUrlOf(signIn.serverUrl);
    const credential = await openSession(this.#rest, url, signIn, this.#platform.deviceName);
    await this.#enter(url, credential);
  }

  async resetPassword(serverUrl: string, code: string, newPassword: string): Promise<void> {
    const url = serverUrlOf(serverUrl);
    const credential = await resetSession(this.#rest, url, { code, newPassword });
    await this.#enter(url, credential);
  }

  /** The signed-in user must stay the same: a session that would change that, or comes too late, is revoked. */
  async authorizeSignalServer(signIn: SignIn): Promise<void> {
    const url = serverUrlOf(signIn.serverUrl);
    const { homeUrl, owner } = this.#whoIsIn();
    if (url === homeUrl && signIn.mode === "register") throw notTheirs();
    const credential = await openSession(this.#rest, url, signIn, this.#platform.deviceName);
    await this.#keep(url, credential, async () => {
      const now = this.#whoIsIn();
      if (now.homeUrl !== homeUrl || now.owner !== owner) throw new ClientProblem("NEEDS_SIGN_IN");
      if (url !== homeUrl) return this.#foreign.take(url, credential);
      if (owner !== null && credential.userId !== owner) throw notTheirs();
      return this.#home.take(url, credential);
    });
  }

  token(url: string): string | null {
    return this.#inForce(url)?.token ?? null;
  }

  actorId(url: string): string | null {
    return this.#inForce(url)?.userId ?? null;
  }

  async ensureAccount(url: string): Promise<OwnAccount> {
    return this.#foreign.ensure(serverUrlOf(url));
  }

  signalServerAuthFailed(text: string, token: string, reason: AuthInvalidReason | "missing"): void {
    const url = serverUrlOf(text);
    const isHome = url === this.#storage.read().homeUrl;
    (isHome ? this.#home : this.#foreign).onRefused(url, token, reason);
  }

  signOut(): Promise<void> {
    return this.#home.signOut();
  }

  async signOutOf(text: string): Promise<void> {
    const url = this.#foreignUrl(text);
    const credential = this.#storage.read().credentials.get(url);
    this.#storage.change(({ credentials, instances }) => ({
      credentials: new Map([...credentials].filter(([key]) => key !== url)),
      instances: withInstance(instances, url, { failure: null, isSignedOut: true }),
    }));
    if (credential) await revoke(this.#platform, url, credential.token);
  }

  async forget(text: string): Promise<void> {
    const url = this.#foreignUrl(text);
    const credential = this.#storage.read().credentials.get(url);
    const nothing = { account: null, failure: null, isNewlyProvisioned: false };
    this.#storage.change(({ credentials, instances }) => ({
      credentials: new Map([...credentials].filter(([key]) => key !== url)),
      instances: withInstance(instances, url, { ...nothing, isSignedOut: true, isForgotten: true }),
    }));
    if (credential) void revoke(this.#platform, url, credential.token);
    await this.#owner.forget(url);
  }

  isForgotten(url: string): boolean {
    return this.#storage.read().instances.some((server) => server.url === url && server.isForgotten);
  }

  async add(text: string): Promise<string> {
    const url = serverUrlOf(text);
    this.#storage.change(({ instances }) => ({ instances: withInstance(instances, url) }));
    return url;
  }

  reorder(urls: readonly string[]): void {
    const placeOf = ({ url }: KnownInstance): number =>
      urls.includes(url) ? urls.indexOf(url) : urls.length;
    this.#storage.change(({ instances }) => ({
      instances: instances.toSorted((a, b) => placeOf(a) - placeOf(b)),
    }));
  }

  acknowledge(url: string): void {
    this.#storage.change(({ instances }) => ({
      instances: instances.map((server) =>
        server.url === url ? { ...server, isNewlyProvisioned: false } : server,
      ),
    }));
  }

  async rename(displayName: string): Promise<void> {
    await this.#home.rename(displayName);
    this.#record();
  }

  noteDisplayName(text: string, displayName: string): void {
    const url = serverUrlOf(text);
    if (this.#inForce(url)?.displayName === displayName) return;
    // A failed write is repeated with the next connection.
    void this.#home
      .noteDisplayName(url, displayName)
      .then(() => this.#record())
      .catch(() => undefined);
  }

  changePassword(currentPassword: string, newPassword: string): Promise<void> {
    return this.#home.changePassword(currentPassword, newPassword);
  }

  /** Another tab writes several keys, and each causes an event. */
  #followTabs(): void {
    let stop = (): void => undefined;
    this.#platform.onLocalChange((key) => {
      if (!isAccountKey(key)) return;
      stop();
      stop = this.#platform.later(SETTLED_MS, () => this.#storage.refresh());
    });
  }

  /** If writing fails, the stored tokens are used as they are: their instances report expiry. */
  #readAtStart(): StoredAccounts {
    try {
      return this.#storage.change((stored) => startUp(stored, this.#platform.now()));
    } catch {
      this.#storage.refresh();
      return this.#storage.read();
    }
  }

  #whoIsIn(): { readonly homeUrl: string | null; readonly owner: string | null } {
    const stored = this.#storage.read();
    if (!isSignedIn(stored)) throw new ClientProblem("NEEDS_SIGN_IN");
    const { homeUrl, instances, currentUserId } = stored;
    const home = instances.find(({ url }) => url === homeUrl);
    return { homeUrl, owner: home?.account?.userId ?? currentUserId };
  }

  /** Revokes a session that could not be stored. */
  async #enter(url: string, credential: StoredCredential): Promise<void> {
    // A failure here is repeated when the secret is first needed.
    await this.#secret.ensure().catch(() => undefined);
    await this.#keep(url, credential, () => this.#home.take(url, credential));
    this.#foreign.restoreAll();
  }

  async #keep(url: string, { token }: StoredCredential, take: () => Promise<void> | void): Promise<void> {
    try {
      await take();
    } catch (error) {
      void revoke(this.#platform, url, token);
      throw error;
    }
    this.#record();
  }

  #inForce(url: string): StoredCredential | undefined {
    const stored = this.#storage.read();
    return isSignedIn(stored) ? stored.credentials.get(url) : undefined;
  }

  #foreignUrl(text: string): string {
    const url = serverUrlOf(text);
    if (url !== this.#storage.read().homeUrl) return url;
    throw new ClientProblem("INVALID_REQUEST", { message: "This is the home server" });
  }

  /**
   * Writes records one after the other with the values of that moment. A failed write is repeated at the next start.
   */
  #record(): void {
    this.#recording = this.#recording.then(async () => {
      await this.#owner.record(this.#storage.read());
    });
    this.#recording = this.#recording.catch(() => undefined);
  }
}

export const createAccounts = (options: AccountsOptions): Accounts => new DeviceAccounts(options);
