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

/** `Authorized` or `Needs sign-in`, the same word wherever it is shown; `working` while an account is being made. */
export type Authorization = "authorized" | "needs-sign-in" | "working";

/** A signaling server that this device knows, home or foreign. */
export interface Instance {
  readonly url: string;
  readonly isHome: boolean;
  readonly authorization: Authorization;
  /** The account there; its last known one while it needs sign-in. */
  readonly account: Omit<StoredCredential, "token"> | null;
  /** Why it needs sign-in, where its server said so. */
  readonly failure: AuthInvalidReason | "missing" | "refused" | null;
  /** An account was made silently and nobody has acknowledged it yet (B.2, 2). */
  readonly isNewlyProvisioned: boolean;
}

/** Why the device is signed out of home although it had an account. Local data is kept. */
export interface SessionEnd {
  readonly signalServerUrl: string;
  readonly username: string;
  readonly reason: AuthInvalidReason | "missing";
}

export interface AccountsState {
  /** `starting` until storage was read; then whether the home session is in force. */
  readonly phase: "starting" | "signed-out" | "signed-in";
  readonly homeUrl: string | null;
  /** In the order of the rail: home first, then as the person arranged them. */
  readonly instances: readonly Instance[];
  readonly ended: SessionEnd | null;
}

export interface SignIn {
  readonly mode: "login" | "register";
  readonly serverUrl: string;
  readonly username: string;
  readonly password: string;
  readonly displayName?: string;
  /** AB11: the operator's, where registration is by invitation. */
  readonly invitation?: string;
}

/** `SESSION_EXPIRED` of interface 2.7: the home server refuses us, or there is no token for it. */
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

/** The account at home and those elsewhere (interface 5.5, rules CL1 to CL3). Rejects with `ClientProblem`s. */
export interface Accounts {
  readonly state: Readable<AccountsState>;
  on(listener: (event: AccountsEvent) => void): () => void;
  /** Reads what is stored, checks expiry, and decides `phase`; asks no server. */
  start(): Promise<void>;
  /** Home login or register: resets the local state when it is another account, stores credential and provision secret. */
  authenticateUser(signIn: SignIn): Promise<void>;
  /** AB11: a new password by an operator's one-time code, and in at home with it. */
  resetPassword(serverUrl: string, code: string, newPassword: string): Promise<void>;
  /** Foreign login or register: a credential for that URL only. */
  authorizeSignalServer(signIn: SignIn): Promise<void>;
  /** The token of this server, home or foreign, if it is in force. */
  token(url: string): string | null;
  /** The actor's user id on this server: never the home id elsewhere. */
  actorId(url: string): string | null;
  /**
   * The account there: the stored one, else made or entered silently with the provision secret, once for all who ask at
   * the same time. `NEEDS_SIGN_IN` when that is not possible.
   */
  ensureAccount(url: string): Promise<Omit<StoredCredential, "token">>;
  /**
   * A server refused the token that was sent to it. Foreign: the credential is cleared, and provisioned anew while home
   * is in force. Home: `SESSION_EXPIRED`. A token that is not the one in force changes nothing.
   */
  signalServerAuthFailed(url: string, token: string, reason: AuthInvalidReason | "missing"): void;
  /** Revokes the session at home, forgets home's and all foreign tokens; what the device stored stays. */
  signOut(): Promise<void>;
  /** Revokes and forgets one foreign credential; the server stays listed as `needs-sign-in`. */
  signOutOf(url: string): Promise<void>;
  /** Takes a foreign server off the list as well; what is stored of it is there again when it is added again. */
  forget(url: string): Promise<void>;
  /** Taken off the list, and not added or entered since. */
  isForgotten(url: string): boolean;
  /** Lists a foreign server that is not known yet; answers the normalised URL. */
  add(url: string): Promise<string>;
  reorder(urls: readonly string[]): void;
  acknowledge(url: string): void;
  rename(displayName: string): Promise<void>;
  /** A server said what this account is called there; another device may have renamed it. */
  noteDisplayName(url: string, displayName: string): void;
  changePassword(currentPassword: string, newPassword: string): Promise<void>;
}
