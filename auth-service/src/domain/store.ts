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

/** `all`: all accounts, or none if any is taken. `free`: the accounts that are not taken. `none`: only checks. */
export type ImportMode = "all" | "free" | "none";

export interface ImportOutcome {
  readonly imported: number;
  /** The accounts whose name or id another account has, by their index in the import. */
  readonly taken: readonly { readonly index: number; readonly field: "username" | "id" }[];
}

export interface AccountStore {
  /** Creates the account with its first session, or neither. False when the name is taken. */
  createAccount(account: AccountRecord, session: SessionRecord): Promise<boolean>;
  findAccount(id: string): Promise<AccountRecord | null>;
  findAccountByName(foldedName: string): Promise<AccountRecord | null>;
  /** False when the account has another version by now. */
  renameAccount(id: string, version: number, displayName: string): Promise<boolean>;
  /** False when the stored hash is no longer `from`. */
  replacePasswordHash(id: string, from: string, to: string): Promise<boolean>;
  /** False when the stored hash is no longer `from`, or the session to keep has ended. */
  changePassword(change: PasswordChange): Promise<boolean>;
  /** Whether the account with this name has had a session from this address block (rule AU8). */
  knowsAddress(foldedName: string, addressBlock: string): Promise<boolean>;
  /** One transaction (rule AU9). */
  importAccounts(accounts: readonly AccountRecord[], mode: ImportMode): Promise<ImportOutcome>;
}

export interface SessionStore {
  /** False when the account is not active, or its hash has changed since the password was checked. */
  createSession(session: SessionRecord, passwordHash: string): Promise<boolean>;
  findSession(tokenHash: string): Promise<FoundSession | null>;
  sessionState(id: string, accountId: string): Promise<SessionState | null>;
  /** Sessions that are valid at `now`, the last used first. */
  listSessions(accountId: string, now: number): Promise<readonly ListedSession[]>;
  /** Skips a session that has ended, or whose last use another replica has written meanwhile. */
  noteUses(notes: readonly UseNote[]): Promise<void>;
  /** False when the account has no such session that is valid at `at`. */
  endSession(id: string, accountId: string, at: number): Promise<boolean>;
  endOtherSessions(accountId: string, keepId: string, at: number): Promise<void>;
  /** Ends the sessions that have reached their `expiresAt`. */
  expireSessions(now: number): Promise<void>;
  /** Ended sessions whose end may not be announced yet; the oldest first. */
  unannounced(limit: number): Promise<readonly EndedSession[]>;
  markAnnounced(ids: readonly string[]): Promise<void>;
  /** Deletes sessions that ended before `before` and were announced, and addresses not used since `unusedBefore`. */
  forgetEnded(before: number, unusedBefore: number): Promise<void>;
}

export type PutOutcome = "stored" | "newer_stored" | "too_many" | "session_ended";

/** AU7: a device token lasts as long as the session that stored it. */
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

/** Every method rejects with `UNAVAILABLE` while the store cannot be reached, and only then. */
export interface AuthStore
  extends AccountStore,
    SessionStore,
    DeviceTokenStore,
    SigningKeyStore,
    PeopleStore,
    OperatorStore {
  /** Whether the store can answer now. */
  ready(): boolean;
  close(): Promise<void>;
}
