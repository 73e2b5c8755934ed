/** What the app writes beside the records of `records.ts`. Everything here may arrive twice and in any order (AS4). */

/** An edit of a message; of several, the greatest by (`revision`, `editedAt`, `content`) is shown everywhere. */
export interface MessageEdit {
  readonly messageId: string;
  readonly roomId: string;
  readonly content: string;
  readonly revision: number;
  readonly editedAt: number;
}

/** Removal wins over every edit, whichever comes first. */
export interface MessageRemoval {
  readonly messageId: string;
  readonly roomId: string;
  readonly deletedAt: number;
}

/** The last word of one user about one emoji on one message: the greater `at` wins, at the same time the removal. */
export interface ReactionChange {
  readonly messageId: string;
  readonly emoji: string;
  readonly userId: string;
  readonly present: boolean;
  readonly at: number;
}

/** A friend of the account; the person is a `DeviceUser`. */
export interface DeviceFriend {
  readonly userId: string;
  readonly addedAt: number;
}

/** A custom emoji of the account. */
export interface DeviceEmoji {
  readonly id: string;
  readonly shortcode: string;
  readonly mime: string;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  readonly bytes: Uint8Array;
  readonly updatedAt: number;
}

/** A plugin's value, for the device alone or for one server. */
export interface PluginDatum {
  readonly pluginId: string;
  readonly key: string;
  readonly scope: "local" | "server";
  /** The server of chat; `null` in the scope `local`. */
  readonly serverId: string | null;
  /** Any JSON value. */
  readonly value: unknown;
}

/** An account that the device holds on a signaling server; its token and secret are kept elsewhere (interface 2.7). */
export interface DeviceCredential {
  readonly signalServerUrl: string;
  readonly userId: string;
  readonly username: string;
  readonly displayName: string;
  readonly expiresAt: number;
  readonly autoProvisioned: boolean;
  readonly isHome: boolean;
}
