import type { DeviceToken } from "@hearth/contracts";
import type { OperatorStore } from "./operator-store.ts";
import type { PeopleStore } from "./people-store.ts";
import type {
  AccountRecord,
  EndedSession,
  FoundSession,
  ListedSession,
  PasswordChange,
  SessionRecord,
  SessionState,
  SigningKeyRecord,
  UseNote,
} from "./records.ts";

/** `all`: everything, or nothing when anything is taken. `free`: what is not taken. `none`: only look. */
export type ImportMode = "all" | "free" | "none";

export interface ImportOutcome {
  readonly imported: number;
  /** Accounts whose name or id another account has, by their index in what was to be imported. */
  readonly taken: readonly { readonly index: number; readonly field: "username" | "id" }[];
}

export interface AccountStore {
  /** False when the name is taken; otherwise the account and its first session are there, or neither is. */
  createAccount(account: AccountRecord, session: SessionRecord): Promise<boolean>;
  findAccount(id: string): Promise<AccountRecord | null>;
  findAccountByName(foldedName: string): Promise<AccountRecord | null>;
  /** False when the account is no longer at this version. */
  renameAccount(id: string, version: number, displayName: string): Promise<boolean>;
  /** False when the stored hash is no longer `from`. */
  replacePasswordHash(id: string, from: string, to: string): Promise<boolean>;
  /** False when the stored hash is no longer `from`, or the session that asks has ended. */
  changePassword(change: PasswordChange): Promise<boolean>;
  /** Whether a session of the account of this name was ever opened from this address block (rule AU8). */
  knowsAddress(foldedName: string, addressBlock: string): Promise<boolean>;
  /** One transaction (rule AU9). */
  importAccounts(accounts: readonly AccountRecord[], mode: ImportMode): Promise<ImportOutcome>;
}

export interface SessionStore {
  /** False when the account is not active, or its hash no longer the one that the password was checked against. */
  createSession(session: SessionRecord, passwordHash: string): Promise<boolean>;
  findSession(tokenHash: string): Promise<FoundSession | null>;
  sessionState(id: string, accountId: string): Promise<SessionState | null>;
  /** Those that live at `now`, the one used last first. */
  listSessions(accountId: string, now: number): Promise<readonly ListedSession[]>;
  /** Skips a session that has ended or that somebody else has noted meanwhile. */
  noteUses(notes: readonly UseNote[]): Promise<void>;
  /** False when the account has no such session that lives at `at`. */
  endSession(id: string, accountId: string, at: number): Promise<boolean>;
  endOtherSessions(accountId: string, keepId: string, at: number): Promise<void>;
  /** Ends what has reached its `expiresAt`. */
  expireSessions(now: number): Promise<void>;
  /** Ended sessions that not every node may have heard of, oldest first. */
  unannounced(limit: number): Promise<readonly EndedSession[]>;
  markAnnounced(ids: readonly string[]): Promise<void>;
  /** Deletes sessions that ended before `before` and were announced, and addresses not used since `unusedBefore`. */
  forgetEnded(before: number, unusedBefore: number): Promise<void>;
}

export type PutOutcome = "stored" | "newer_stored" | "too_many" | "session_ended";

/** AU7: a device token is there as long as the session that stored it. */
export interface DeviceTokenStore {
  listDeviceTokens(accountId: string, now: number): Promise<readonly DeviceToken[]>;
  putDeviceToken(
    accountId: string,
    sessionId: string,
    token: DeviceToken,
    limit: number,
  ): Promise<PutOutcome>;
  deleteDeviceToken(accountId: string, deviceId: string): Promise<boolean>;
}

/** GW2: the public keys of all replicas. */
export interface SigningKeyStore {
  addSigningKey(key: SigningKeyRecord): Promise<void>;
  signingKeys(now: number): Promise<readonly SigningKeyRecord[]>;
  forgetSigningKeys(expiredBefore: number): Promise<void>;
}

/** Where accounts live. Every method rejects with `UNAVAILABLE` when the store is away, never otherwise. */
export interface AuthStore
  extends AccountStore,
    SessionStore,
    DeviceTokenStore,
    SigningKeyStore,
    PeopleStore,
    OperatorStore {
  /** Whether a question asked now would be answered. */
  ready(): boolean;
  close(): Promise<void>;
}
