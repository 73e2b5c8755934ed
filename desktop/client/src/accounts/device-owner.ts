import type { DeviceReader, DeviceWriter } from "@hearth/store";
import type { StoredCredential } from "./accounts.ts";
import type { StoredAccounts } from "./credentials.ts";

/** The part of the store that says whose device it is. */
export type OwnerStore = Pick<DeviceReader, "profile"> &
  Pick<DeviceWriter, "saveProfile" | "saveCredential" | "removeCredential" | "setMeta"> & {
    eraseAll(): Promise<void>;
  };

export type OwnAccount = Omit<StoredCredential, "token">;

/** The records of the account that owns this device. The local API answers with them and checks them (rule LA7). */
export interface DeviceOwner {
  /** True if nobody else owns the stored data. A home instance with a new address has the same owner. */
  isOwnedBy(userId: string): Promise<boolean>;
  erase(): Promise<void>;
  /** Saves the names that home has just reported. The rest of the user's card stays. */
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
      // With the lowest time of change, so that a card from another device wins.
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
