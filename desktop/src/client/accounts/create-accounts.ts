import { userRoutes } from "@hearth/contracts";
import type { AuthInvalidReason } from "@hearth/contracts";
import type { Platform } from "../ports.ts";
import { ClientProblem } from "../problem.ts";
import type { Rest } from "../rest/rest.ts";
import type { Accounts, AccountsEvent, SignIn, StoredCredential } from "./accounts.ts";
import { createAccountsBook } from "./accounts-book.ts";
import type { AccountsBook } from "./accounts-book.ts";
import { isSignedIn, withServer, withoutToken } from "./accounts-state.ts";
import { isAccountKey } from "./credentials.ts";
import type { KnownServer, StoredAccounts } from "./credentials.ts";
import { createDeviceOwner } from "./device-owner.ts";
import type { DeviceOwner, OwnAccount, OwnerStore } from "./device-owner.ts";
import { ForeignAccounts } from "./foreign-accounts.ts";
import { createProvisionSecret } from "./provision-secret.ts";
import type { ProvisionSecret } from "./provision-secret.ts";
import { displayNameFor } from "./provisioning.ts";
import { openSession, revoke, revokeAll, serverUrlOf } from "./sessions.ts";
import { startUp } from "./start-up.ts";

/** How long another tab's writing takes at most. */
const SETTLED_MS = 20;

export interface AccountsOptions {
  readonly platform: Platform;
  readonly rest: Rest;
  readonly store: OwnerStore;
}

class DeviceAccounts implements Accounts {
  readonly state: Accounts["state"];
  readonly #platform: Platform;
  readonly #rest: Rest;
  readonly #book: AccountsBook;
  readonly #owner: DeviceOwner;
  readonly #secret: ProvisionSecret;
  readonly #foreign: ForeignAccounts;
  #recording: Promise<void> = Promise.resolve();

  constructor({ platform, rest, store }: AccountsOptions) {
    this.#platform = platform;
    this.#rest = rest;
    this.#book = createAccountsBook(platform.local);
    this.#owner = createDeviceOwner(store);
    this.#secret = createProvisionSecret(platform);
    const { secret, book, onEntered } = {
      secret: this.#secret,
      book: this.#book,
      onEntered: () => this.#record(),
    };
    this.#foreign = new ForeignAccounts({ platform, rest, book, secret, onEntered });
    this.state = book.state;
  }

  on(listener: (event: AccountsEvent) => void): () => void {
    return this.#book.on(listener);
  }

  async start(): Promise<void> {
    this.#followTabs();
    this.#platform.attention.subscribe(({ isOnline }, before) => {
      if (isOnline && !before.isOnline) this.#foreign.restoreAll();
    });
    const { ended } = this.#readAtStart();
    if (ended !== null) this.#book.tell({ type: "SESSION_EXPIRED", end: ended });
    this.#record();
    this.#foreign.restoreAll();
  }

  async authenticateUser(signIn: SignIn): Promise<void> {
    const url = serverUrlOf(signIn.serverUrl);
    const credential = await openSession(this.#rest, url, signIn, this.#platform.deviceName);
    // A secret that cannot be kept now is made when it is first needed.
    await this.#secret.ensure().catch(() => undefined);
    try {
      await this.#takeHome(url, credential);
    } catch (error) {
      void revoke(this.#platform, url, credential.token);
      throw error;
    }
    this.#record();
    this.#foreign.restoreAll();
  }

  async authorizeSignalServer(signIn: SignIn): Promise<void> {
    const url = serverUrlOf(signIn.serverUrl);
    if (url === this.#book.read().homeUrl) return this.authenticateUser(signIn);
    const credential = await openSession(this.#rest, url, signIn, this.#platform.deviceName);
    const replaced = this.#book.read().credentials.get(url);
    const account = withoutToken(credential);
    this.#book.change(({ credentials, servers }) => ({
      credentials: new Map([...credentials, [url, credential]]),
      servers: withServer(servers, url, {
        account,
        failure: null,
        isNewlyProvisioned: false,
        isSignedOut: false,
      }),
    }));
    if (replaced) void revoke(this.#platform, url, replaced.token);
    this.#record();
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
    const { homeUrl, credentials } = this.#book.read();
    if (url !== homeUrl) return void this.#foreign.onRefused(url, token, reason);
    const home = credentials.get(url);
    if (home?.token !== token) return;
    const end = { signalServerUrl: url, username: home.username, reason };
    this.#book.change((stored) => ({
      credentials: new Map([...stored.credentials].filter(([key]) => key !== url)),
      servers: withServer(stored.servers, url, { failure: reason }),
      ended: end,
    }));
    this.#book.tell({ type: "SESSION_EXPIRED", end });
  }

  async signOut(): Promise<void> {
    const { credentials } = this.#book.read();
    this.#book.change(() => ({ credentials: new Map(), currentUserId: null, ended: null }));
    await revokeAll(this.#platform, credentials);
  }

  async signOutOf(text: string): Promise<void> {
    const url = this.#foreignUrl(text);
    const credential = this.#book.read().credentials.get(url);
    this.#book.change(({ credentials, servers }) => ({
      credentials: new Map([...credentials].filter(([key]) => key !== url)),
      servers: withServer(servers, url, { failure: null, isSignedOut: true }),
    }));
    if (credential) await revoke(this.#platform, url, credential.token);
  }

  async forget(text: string): Promise<void> {
    const url = this.#foreignUrl(text);
    await this.signOutOf(url);
    this.#book.change(({ servers }) => ({ servers: servers.filter((server) => server.url !== url) }));
    await this.#owner.forget(url);
  }

  async add(text: string): Promise<string> {
    const url = serverUrlOf(text);
    this.#book.change(({ servers }) => ({ servers: withServer(servers, url) }));
    return url;
  }

  reorder(urls: readonly string[]): void {
    const placeOf = ({ url }: KnownServer): number => (urls.includes(url) ? urls.indexOf(url) : urls.length);
    this.#book.change(({ servers }) => ({ servers: servers.toSorted((a, b) => placeOf(a) - placeOf(b)) }));
  }

  acknowledge(url: string): void {
    this.#book.change(({ servers }) => ({
      servers: servers.map((server) =>
        server.url === url ? { ...server, isNewlyProvisioned: false } : server,
      ),
    }));
  }

  async rename(wanted: string): Promise<void> {
    const { homeUrl, credentials } = this.#book.read();
    const home = homeUrl === null ? undefined : credentials.get(homeUrl);
    if (homeUrl === null || home === undefined) throw new ClientProblem("NEEDS_SIGN_IN");
    const { displayName } = await this.#rest.call(homeUrl, userRoutes.updateMe, {
      body: { displayName: wanted },
    });
    this.#showAs(homeUrl, displayName);
    await this.#owner.saveProfile(homeUrl, { ...home, displayName }, this.#platform.now());
    this.#record();
    const named = { homeUrl, ...home, displayName };
    const elsewhere = [...credentials].filter(([, { autoProvisioned }]) => autoProvisioned);
    await Promise.all(
      elsewhere.map(async ([url, { username }]) => {
        const body = { displayName: displayNameFor(named, username !== home.username) };
        const account = await this.#rest.call(url, userRoutes.updateMe, { body }).catch(() => null);
        if (account) this.#showAs(url, account.displayName);
      }),
    );
  }

  async changePassword(currentPassword: string, newPassword: string): Promise<void> {
    const { homeUrl } = this.#book.read();
    if (homeUrl === null) throw new ClientProblem("NEEDS_SIGN_IN");
    await this.#rest.call(homeUrl, userRoutes.changePassword, { body: { currentPassword, newPassword } });
  }

  /** Another tab writes several keys, of which this one hears one by one. */
  #followTabs(): void {
    let stop = (): void => undefined;
    this.#platform.onLocalChange((key) => {
      if (!isAccountKey(key)) return;
      stop();
      stop = this.#platform.later(SETTLED_MS, () => this.#book.show());
    });
  }

  /** Where nothing can be written, what is stored counts as it is: its servers say what is over. */
  #readAtStart(): StoredAccounts {
    try {
      return this.#book.change((stored) => startUp(stored, this.#platform.now()));
    } catch {
      this.#book.show();
      return this.#book.read();
    }
  }

  #inForce(url: string): StoredCredential | undefined {
    const stored = this.#book.read();
    return isSignedIn(stored) ? stored.credentials.get(url) : undefined;
  }

  #foreignUrl(text: string): string {
    const url = serverUrlOf(text);
    if (url !== this.#book.read().homeUrl) return url;
    throw new ClientProblem("INVALID_REQUEST", { message: "This is the home server" });
  }

  /** What is on the device belongs to one person: another one starts from nothing. */
  async #takeHome(url: string, credential: StoredCredential): Promise<void> {
    const { userId } = credential;
    const before = this.#book.read();
    const known = before.servers.find((server) => server.url === before.homeUrl)?.account;
    const isSame = known == null || known.userId === userId;
    const isKept = isSame && (await this.#owner.isOwnedBy(userId));
    if (!isKept) await this.#owner.erase();
    const account = withoutToken(credential);
    await this.#owner.saveProfile(url, account, this.#platform.now());
    // The address that home had before is the same server.
    const stays = (it: string): boolean => isKept && it !== before.homeUrl;
    this.#book.change(({ credentials, servers }) => ({
      homeUrl: url,
      currentUserId: userId,
      credentials: new Map([...[...credentials].filter(([it]) => stays(it)), [url, credential]]),
      servers: withServer(
        servers.filter((server) => stays(server.url)),
        url,
        { account, failure: null, isNewlyProvisioned: false },
      ),
      ended: null,
    }));
    const replaced = [...before.credentials].filter(([it]) => it === url || !stays(it));
    void revokeAll(this.#platform, new Map(replaced));
  }

  #showAs(url: string, displayName: string): void {
    this.#book.change(({ credentials, servers }) => {
      const credential = credentials.get(url);
      if (!credential) return {};
      const changed = { ...credential, displayName };
      return {
        credentials: new Map([...credentials, [url, changed]]),
        servers: withServer(servers, url, { account: withoutToken(changed) }),
      };
    });
  }

  /** One after the other and as they are by then; what could not be recorded is recorded at the next start. */
  #record(): void {
    this.#recording = this.#recording.then(async () => {
      await this.#owner.record(this.#book.read());
    });
    this.#recording = this.#recording.catch(() => undefined);
  }
}

export const createAccounts = (options: AccountsOptions): Accounts => new DeviceAccounts(options);
