import { userRoutes } from "@hearth/contracts";
import type { AuthInvalidReason } from "@hearth/contracts";
import type { Platform } from "../ports.ts";
import { ClientProblem } from "@hearth/device";
import type { Rest } from "../rest/rest.ts";
import type { StoredCredential } from "./accounts.ts";
import type { AccountsStorage } from "./accounts-storage.ts";
import { withInstance, withoutToken } from "./accounts-state.ts";
import type { DeviceOwner } from "./device-owner.ts";
import { displayNameFor } from "./provisioning.ts";
import type { ProvisionFor } from "./provisioning.ts";
import { revokeAll } from "./sessions.ts";

export interface HomeAccountOptions {
  readonly platform: Platform;
  readonly rest: Rest;
  readonly storage: AccountsStorage;
  readonly owner: DeviceOwner;
}

/** The account that owns the device (interface 5.5, rule CL3). */
export class HomeAccount {
  readonly #options: HomeAccountOptions;

  constructor(options: HomeAccountOptions) {
    this.#options = options;
  }

  /** All data on the device belongs to one user. Another user starts with an empty store. */
  async take(url: string, credential: StoredCredential): Promise<void> {
    const { platform, storage, owner } = this.#options;
    const { userId } = credential;
    const before = storage.read();
    const known = before.instances.find((server) => server.url === before.homeUrl)?.account;
    const isSame = known == null || known.userId === userId;
    const isKept = isSame && (await owner.isOwnedBy(userId));
    if (!isKept) await owner.erase();
    const account = withoutToken(credential);
    await owner.saveProfile(url, account, platform.now());
    // Home's previous address is the same instance.
    const stays = (it: string): boolean => isKept && it !== before.homeUrl;
    storage.change(({ credentials, instances }) => ({
      homeUrl: url,
      currentUserId: userId,
      credentials: new Map([...[...credentials].filter(([it]) => stays(it)), [url, credential]]),
      instances: withInstance(
        instances.filter((server) => stays(server.url)),
        url,
        { account, failure: null, isNewlyProvisioned: false },
      ),
      ended: null,
    }));
    const replaced = [...before.credentials].filter(([it]) => it === url || !stays(it));
    void revokeAll(platform, new Map(replaced));
  }

  /** Ends the session if its instance refused the current token. Stored data stays. */
  onRefused(url: string, token: string, reason: AuthInvalidReason | "missing"): void {
    const { storage } = this.#options;
    const home = storage.read().credentials.get(url);
    if (home?.token !== token) return;
    const end = { signalServerUrl: url, username: home.username, reason };
    storage.change((stored) => ({
      credentials: new Map([...stored.credentials].filter(([key]) => key !== url)),
      instances: withInstance(stored.instances, url, { failure: reason }),
      ended: end,
    }));
    storage.emit({ type: "SESSION_EXPIRED", end });
  }

  async signOut(): Promise<void> {
    const { platform, storage } = this.#options;
    const { credentials } = storage.read();
    storage.change(() => ({ credentials: new Map(), currentUserId: null, ended: null }));
    await revokeAll(platform, credentials);
  }

  async rename(wanted: string): Promise<void> {
    const { rest, storage } = this.#options;
    const { homeUrl, credentials } = storage.read();
    if (homeUrl === null || !credentials.has(homeUrl)) throw new ClientProblem("NEEDS_SIGN_IN");
    const { displayName } = await rest.call(homeUrl, userRoutes.updateMe, {
      body: { displayName: wanted },
    });
    await this.noteDisplayName(homeUrl, displayName);
  }

  /** Stores a reported display name. A name from home is also set for the silently created accounts. */
  async noteDisplayName(url: string, displayName: string): Promise<void> {
    const { platform, storage, owner } = this.#options;
    const { homeUrl, credentials } = storage.read();
    const known = credentials.get(url);
    if (!known) return;
    this.#showAs(url, displayName);
    if (url !== homeUrl) return;
    const account = { ...withoutToken(known), displayName };
    await owner.saveProfile(url, account, platform.now());
    void this.#renameElsewhere({ homeUrl, ...account });
  }

  async changePassword(currentPassword: string, newPassword: string): Promise<void> {
    const { rest, storage } = this.#options;
    const { homeUrl } = storage.read();
    if (homeUrl === null) throw new ClientProblem("NEEDS_SIGN_IN");
    await rest.call(homeUrl, userRoutes.changePassword, { body: { currentPassword, newPassword } });
  }

  /** Best effort; nobody waits for it. */
  async #renameElsewhere(home: ProvisionFor): Promise<void> {
    const { rest, storage } = this.#options;
    const made = [...storage.read().credentials].filter(([, { autoProvisioned }]) => autoProvisioned);
    const rename = async (url: string, username: string): Promise<void> => {
      const body = { displayName: displayNameFor(home, username !== home.username) };
      const account = await rest.call(url, userRoutes.updateMe, { body });
      this.#showAs(url, account.displayName);
    };
    await Promise.allSettled(made.map(([url, { username }]) => rename(url, username)));
  }

  #showAs(url: string, displayName: string): void {
    this.#options.storage.change(({ credentials, instances }) => {
      const credential = credentials.get(url);
      if (!credential) return {};
      const changed = { ...credential, displayName };
      return {
        credentials: new Map([...credentials, [url, changed]]),
        instances: withInstance(instances, url, { account: withoutToken(changed) }),
      };
    });
  }
}
