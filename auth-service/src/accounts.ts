import { ProblemError, authSubjects, foldUsername } from "@hearth/contracts";
import type { Account, Credential, LoginBody, RegisterBody } from "@hearth/contracts";
import { newId } from "@hearth/runtime";
import type { Bus, Clock } from "@hearth/runtime";
import type { HashingGate } from "./hashing-gate.ts";
import type { PasswordCheck } from "./password-check.ts";
import type { Passwords } from "./passwords.ts";
import type { SessionEndings } from "./session-endings.ts";
import { refusedToken } from "./sessions.ts";
import type { Client, Holder, Sessions } from "./sessions.ts";
import type { AccountRecord, AccountStore, SessionStore } from "./store.ts";

export interface AccountsDeps {
  readonly store: AccountStore & SessionStore;
  readonly passwords: Passwords;
  readonly gate: HashingGate;
  readonly checkPassword: PasswordCheck;
  readonly sessions: Sessions;
  readonly endings: SessionEndings;
  readonly bus: Pick<Bus, "publish">;
  readonly clock: Clock;
}

export interface Accounts {
  /** Refuses with `USERNAME_TAKEN`. */
  register(body: RegisterBody, client: Client): Promise<Credential>;
  /** Refuses as {@link PasswordCheck} does. */
  login(body: LoginBody, client: Client): Promise<Credential>;
  get(accountId: string): Promise<Account>;
  /** Refuses with `CONFLICT` when the account changed meanwhile. */
  rename(accountId: string, displayName: string): Promise<Account>;
  /** Revokes the account's other sessions. Refuses with `CONFLICT` when the password changed meanwhile. */
  changePassword(holder: Holder, current: string, next: string, addressBlock: string): Promise<void>;
  /** AU5: needs the password, so that whoever found an open window cannot lock out its owner. */
  endOtherSessions(holder: Holder, current: string, addressBlock: string): Promise<void>;
}

/** A login loses its race only to a change of the password or an upgrade of its hash; more is no coincidence. */
const LOGIN_TRIES = 3;

export function createAccounts(deps: AccountsDeps): Accounts {
  const { store, sessions, checkPassword } = deps;

  const required = async (id: string): Promise<AccountRecord> => {
    const account = await store.findAccount(id);
    if (account === null) throw refusedToken("unknown");
    return account;
  };

  const provePassword = async (
    id: string,
    password: string,
    addressBlock: string,
  ): Promise<AccountRecord> => {
    const { foldedName } = await required(id);
    return checkPassword(foldedName, password, addressBlock);
  };

  return {
    register: (body, client) => register(deps, body, client),
    login: async (body, client) => {
      for (let tries = 0; tries < LOGIN_TRIES; tries += 1) {
        const account = await checkPassword(foldUsername(body.username), body.password, client.addressBlock);
        const { token, record } = sessions.mint(account.id, client);
        if (await store.createSession(record, account.passwordHash))
          return credentialOf(account, token, record.expiresAt);
      }
      throw new ProblemError("UNAVAILABLE", "The account is being changed; try again", {
        retryAfterMs: 1000,
      });
    },
    get: async (accountId) => accountOf(await required(accountId)),
    rename: async (accountId, displayName) => {
      const account = await required(accountId);
      if (!(await store.renameAccount(accountId, account.version, displayName)))
        throw new ProblemError("CONFLICT", "The account was changed meanwhile");
      await deps.bus.publish(authSubjects.userUpdated, { userId: accountId, displayName });
      return accountOf({ ...account, displayName });
    },
    changePassword: async (holder, current, next, addressBlock) => {
      const account = await provePassword(holder.userId, current, addressBlock);
      const to = await deps.gate.run(account.foldedName, () => deps.passwords.hash(next));
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

/** All of it in the gate: of several who want one name, only the first has a password hashed. */
function register(deps: AccountsDeps, body: RegisterBody, client: Client): Promise<Credential> {
  const { store, passwords, sessions, clock } = deps;
  const foldedName = foldUsername(body.username);
  return deps.gate.run(foldedName, async () => {
    if (await store.findAccountByName(foldedName)) throw new ProblemError("USERNAME_TAKEN");
    const account: AccountRecord = {
      id: newId(),
      username: body.username,
      foldedName,
      displayName: body.displayName ?? body.username,
      passwordHash: await passwords.hash(body.password),
      createdAt: clock.now(),
      version: 1,
    };
    const { token, record } = sessions.mint(account.id, client);
    // The store has the last word on who was first.
    if (!(await store.createAccount(account, record))) throw new ProblemError("USERNAME_TAKEN");
    return credentialOf(account, token, record.expiresAt);
  });
}

const credentialOf = (account: AccountRecord, token: string, expiresAt: number): Credential => ({
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
