import { ProblemError, authSubjects, foldUsername } from "@hearth/contracts";
import type { Account, Credential, LoginBody, RegisterBody } from "@hearth/contracts";
import { newId } from "@hearth/runtime";
import type { Bus, Clock } from "@hearth/runtime";
import type { HashingGate } from "../passwords/hashing-gate.ts";
import type { NewPasswords } from "../passwords/new-passwords.ts";
import type { Registration } from "./registration.ts";
import type { PasswordCheck } from "../passwords/password-check.ts";
import type { Passwords } from "../passwords/passwords.ts";
import type { SessionEndings } from "../sessions/session-endings.ts";
import type { SessionNotice } from "../sessions/session-notice.ts";
import { refusedToken } from "../sessions/sessions.ts";
import type { Client, Holder, Sessions } from "../sessions/sessions.ts";
import type { AccountStore, SessionStore } from "../store.ts";
import type { AccountRecord } from "../records.ts";

export interface AccountsDeps {
  readonly store: AccountStore & SessionStore;
  readonly passwords: Passwords;
  readonly newPasswords: NewPasswords;
  readonly registration: Registration;
  readonly notice: SessionNotice;
  readonly gate: HashingGate;
  readonly checkPassword: PasswordCheck;
  readonly sessions: Sessions;
  readonly endings: SessionEndings;
  readonly bus: Pick<Bus, "publish">;
  readonly clock: Clock;
}

export interface Accounts {
  /** Refuses with `REGISTRATION_CLOSED` and `USERNAME_TAKEN`. */
  register(body: RegisterBody, client: Client): Promise<Credential>;
  /** Refuses as {@link PasswordCheck} does, and with `ACCOUNT_SUSPENDED`. */
  login(body: LoginBody, client: Client): Promise<Credential>;
  /** Refuses as {@link PasswordCheck} does. */
  provePassword(accountId: string, password: string, addressBlock: string): Promise<AccountRecord>;
  get(accountId: string): Promise<Account>;
  /** Refuses with `CONFLICT` when the account changed meanwhile. */
  rename(accountId: string, displayName: string): Promise<Account>;
  /** Revokes the account's other sessions. Refuses with `CONFLICT` when the password changed meanwhile. */
  changePassword(holder: Holder, current: string, next: string, addressBlock: string): Promise<void>;
  /** AU5: requires the password, so that a stranger at an open window cannot lock out the owner. */
  endOtherSessions(holder: Holder, current: string, addressBlock: string): Promise<void>;
}

/** A login repeats when the password or its hash changes meanwhile, which rarely happens more than once. */
const MAX_LOGIN_ATTEMPTS = 3;

export function createAccounts(deps: AccountsDeps): Accounts {
  const { store, sessions, checkPassword } = deps;

  const findAccount = async (id: string): Promise<AccountRecord> => {
    const account = await store.findAccount(id);
    if (account === null) throw refusedToken("unknown");
    return account;
  };

  const provePassword: Accounts["provePassword"] = async (id, password, addressBlock) => {
    const { foldedName } = await findAccount(id);
    return checkPassword(foldedName, password, addressBlock);
  };

  return {
    register: (body, client) => register(deps, body, client),
    login: async (body, client) => {
      for (let attempt = 0; attempt < MAX_LOGIN_ATTEMPTS; attempt += 1) {
        const account = await checkPassword(foldUsername(body.username), body.password, client.addressBlock);
        if (account.state === "suspended") throw suspended();
        const { token, record } = sessions.create(account.id, client);
        if (!(await store.createSession(record, account.passwordHash))) continue;
        deps.notice(record);
        return credentialOf(account, token, record.expiresAt);
      }
      throw new ProblemError("UNAVAILABLE", "The account is being changed; try again", {
        retryAfterMs: 1000,
      });
    },
    provePassword,
    get: async (accountId) => accountOf(await findAccount(accountId)),
    rename: async (accountId, displayName) => {
      const account = await findAccount(accountId);
      if (!(await store.renameAccount(accountId, account.version, displayName)))
        throw new ProblemError("CONFLICT", "The account was changed meanwhile");
      await deps.bus.publish(authSubjects.userUpdated, { userId: accountId, displayName });
      return accountOf({ ...account, displayName });
    },
    changePassword: async (holder, current, next, addressBlock) => {
      const { username } = await findAccount(holder.userId);
      deps.newPasswords.require(next, username, "newPassword");
      const account = await provePassword(holder.userId, current, addressBlock);
      const to = await deps.gate.run(
        { account: account.foldedName, address: addressBlock, known: true },
        () => deps.passwords.hash(next),
      );
      const { id: accountId, passwordHash: from } = account;
      const change = { accountId, from, to, keepSessionId: holder.sessionId, at: deps.clock.now() };
      if (!(await store.changePassword(change)))
        throw new ProblemError("CONFLICT", "The password or the session was changed meanwhile");
      await deps.endings.announce();
    },
    endOtherSessions: async (holder, current, addressBlock) => {
      await provePassword(holder.userId, current, addressBlock);
      await sessions.endOthers(holder);
    },
  };
}

export const suspended = (): ProblemError => new ProblemError("ACCOUNT_SUSPENDED");

async function register(deps: AccountsDeps, body: RegisterBody, client: Client): Promise<Credential> {
  const { store, registration } = deps;
  deps.newPasswords.require(body.password, body.username, "password");
  const foldedName = foldUsername(body.username);
  await registration.check(body.invitation);
  // Checks the name inside the gate: of several requests for one name, only the first has its password hashed.
  return deps.gate.run({ account: foldedName, address: client.addressBlock, known: false }, async () => {
    if (await store.findAccountByName(foldedName)) throw new ProblemError("USERNAME_TAKEN");
    const passwordHash = await deps.passwords.hash(body.password);
    return registration.admit(body.invitation, () => create(deps, body, passwordHash, client));
  });
}

async function create(
  { store, sessions, clock }: AccountsDeps,
  body: RegisterBody,
  passwordHash: string,
  client: Client,
): Promise<Credential> {
  const account: AccountRecord = {
    id: newId(),
    username: body.username,
    foldedName: foldUsername(body.username),
    displayName: body.displayName ?? body.username,
    passwordHash,
    createdAt: clock.now(),
    version: 1,
    state: "active",
  };
  const { token, record } = sessions.create(account.id, client);
  // The store decides which of several requests was first.
  if (!(await store.createAccount(account, record))) throw new ProblemError("USERNAME_TAKEN");
  return credentialOf(account, token, record.expiresAt);
}

export const credentialOf = (account: AccountRecord, token: string, expiresAt: number): Credential => ({
  id: account.id,
  username: account.username,
  displayName: account.displayName,
  token,
  expiresAt,
});

const accountOf = ({ id, username, displayName, createdAt }: AccountRecord): Account => ({
  id,
  username,
  displayName,
  createdAt,
});
