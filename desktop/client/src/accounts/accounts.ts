import type { AuthInvalidReason } from "@hearth/contracts";
import type { Readable } from "../observable.ts";

/** One entry of `app.signalServerCredentials` (interface 2.7), by normalised URL. */
export interface StoredCredential {
  readonly userId: string;
  readonly username: string;
  readonly displayName: string;
  readonly token: string;
  /** Epoch ms. */
  readonly expiresAt: number;
  readonly autoProvisioned: boolean;
}

/** `Authorized` or `Needs sign-in`, the same word on every screen; `working` while an account is being created. */
export type Authorization = "authorized" | "needs-sign-in" | "working";

/** An instance that this device knows, home or foreign. */
export interface Instance {
  readonly url: string;
  readonly isHome: boolean;
  readonly authorization: Authorization;
  /** The account there; the last known one while it needs a sign-in. */
  readonly account: Omit<StoredCredential, "token"> | null;
  /** Why it needs a sign-in, if the instance said so. */
  readonly failure: AuthInvalidReason | "missing" | "refused" | null;
  /** An account was created silently and the user has not acknowledged it yet (B.2, 2). */
  readonly isNewlyProvisioned: boolean;
}

/** Why the device was signed out of home. Local data stays. */
export interface SessionEnd {
  readonly signalServerUrl: string;
  readonly username: string;
  readonly reason: AuthInvalidReason | "missing";
}

export interface AccountsState {
  /** `starting` until the storage was read; then whether the home session is valid. */
  readonly phase: "starting" | "signed-out" | "signed-in";
  readonly homeUrl: string | null;
  /** In the order of the rail: home first, then as the user arranged them. */
  readonly instances: readonly Instance[];
  readonly ended: SessionEnd | null;
}

export interface SignIn {
  readonly mode: "login" | "register";
  readonly serverUrl: string;
  readonly username: string;
  readonly password: string;
  readonly displayName?: string;
  /** AB11: the operator's invitation, if registration needs one. */
  readonly invitation?: string;
}

/** `SESSION_EXPIRED` of interface 2.7: home refused the token, or there is none. */
export type AccountsEvent =
  | { readonly type: "SESSION_EXPIRED"; readonly end: SessionEnd }
  | {
      readonly type: "signalServerAuthFailed";
      readonly url: string;
      readonly reason: Instance["failure"];
    }
  | {
      readonly type: "provisioned";
      readonly url: string;
      readonly username: string;
      readonly isRenamed: boolean;
    };

/**
 * The home account and the accounts on foreign instances (interface 5.5, rules CL1 to CL3). Rejects with
 * `ClientProblem`s.
 */
export interface Accounts {
  readonly state: Readable<AccountsState>;
  on(listener: (event: AccountsEvent) => void): () => void;
  /** Reads the storage, checks expiry and decides `phase`, without requests. */
  start(): Promise<void>;
  /**
   * Signs in or registers at home. Another account resets the local state. Stores the credential and the provision
   * secret.
   */
  authenticateUser(signIn: SignIn): Promise<void>;
  /** AB11: sets a new password with an operator's one-time code, and signs in at home with it. */
  resetPassword(serverUrl: string, code: string, newPassword: string): Promise<void>;
  /** Signs in or registers on a foreign instance; stores a credential for that URL only. */
  authorizeSignalServer(signIn: SignIn): Promise<void>;
  /** The valid token for this instance, home or foreign. */
  token(url: string): string | null;
  /** The account's user id on this instance: never the home id on a foreign one. */
  actorId(url: string): string | null;
  /**
   * The account there. If there is none yet, creates it or signs in silently with the provision secret, once for
   * concurrent callers. Rejects with `NEEDS_SIGN_IN` if that is not possible.
   */
  ensureAccount(url: string): Promise<Omit<StoredCredential, "token">>;
  /**
   * Handles a token that its instance refused. On a foreign instance the credential is cleared, and provisioned again
   * while the home session is valid. At home this is `SESSION_EXPIRED`. A token that is not the current one changes
   * nothing.
   */
  signalServerAuthFailed(url: string, token: string, reason: AuthInvalidReason | "missing"): void;
  /** Revokes the home session and forgets all tokens. Stored data stays. */
  signOut(): Promise<void>;
  /** Revokes and forgets one foreign credential. The instance stays listed as `needs-sign-in`. */
  signOutOf(url: string): Promise<void>;
  /** Also removes a foreign instance from the list. Its stored data returns when it is added again. */
  forget(url: string): Promise<void>;
  /** Removed from the list, and neither added nor signed in to since. */
  isForgotten(url: string): boolean;
  /** Lists a foreign instance; returns the normalised URL. */
  add(url: string): Promise<string>;
  reorder(urls: readonly string[]): void;
  acknowledge(url: string): void;
  rename(displayName: string): Promise<void>;
  /** Records the display name that an instance reported; another device may have changed it. */
  noteDisplayName(url: string, displayName: string): void;
  changePassword(currentPassword: string, newPassword: string): Promise<void>;
}
