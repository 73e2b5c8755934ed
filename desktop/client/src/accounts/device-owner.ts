import type { DeviceReader, DeviceWriter } from "@hearth/store";
import type { StoredCredential } from "./accounts.ts";
import type { StoredAccounts } from "./credentials.ts";

/** The part of the device's store that is about whose device it is. */
export type OwnerStore = Pick<DeviceReader, "profile"> &
  Pick<DeviceWriter, "saveProfile" | "saveCredential" | "removeCredential" | "setMeta"> & {
    eraseAll(): Promise<void>;
  };

export type OwnAccount = Omit<StoredCredential, "token">;

/** The records of the account that this device belongs to; the local API answers and checks them (rule LA7). */
export interface DeviceOwner {
  /** True when what is stored belongs to nobody else. Who moves with their server to another address is still the same. */
  isOwnedBy(userId: string): Promise<boolean>;
  erase(): Promise<void>;
  /** The names as the home server just told them; what the person wrote on the card stays. */
  saveProfile(url: string, account: OwnAccount, now: number): Promise<void>;
  record(stored: StoredAccounts): Promise<void>;
  forget(url: string): Promise<void>;
}

export function createDeviceOwner(store: OwnerStore): DeviceOwner {
  return {
    async isOwnedBy(userId) {
      const profile = await store.profile();
      return profile === undefined || profile.id === userId;
    },
    erase: () => store.eraseAll(),
    async saveProfile(url, { userId, username, displayName }, now) {
      const known = await store.profile();
      const isKnown = known?.username === username && known.displayName === displayName;
      if (isKnown && known.homeSignalServerUrl === url) return;
      // Without a time of its own, so that a card that another device has written stands against it.
      const fresh = { avatarHash: null, avatarMime: null, cardText: "", updatedAt: 0 };
      const change = known === undefined ? fresh : { updatedAt: Math.max(now, known.updatedAt + 1) };
      await store.saveProfile({
        ...(known ?? fresh),
        ...change,
        ...{ id: userId, username, displayName, homeSignalServerUrl: url },
      });
    },
    async record({ homeUrl, currentUserId, credentials }) {
      for (const [signalServerUrl, { token: _token, ...account }] of credentials)
        await store.saveCredential({ signalServerUrl, ...account, isHome: signalServerUrl === homeUrl });
      if (currentUserId !== null) await store.setMeta("app_currentUserId", currentUserId);
      if (homeUrl !== null) await store.setMeta("homeSignalServerUrl", homeUrl);
    },
    forget: (url) => store.removeCredential(url),
  };
}
