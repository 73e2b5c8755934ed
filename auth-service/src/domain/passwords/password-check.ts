import { ProblemError } from "@hearth/contracts";
import type { Attempts } from "./attempts.ts";
import type { HashingGate } from "./hashing-gate.ts";
import type { Passwords } from "./passwords.ts";
import type { AccountStore } from "../store.ts";
import type { AccountRecord } from "../records.ts";

export interface PasswordCheckDeps {
  readonly store: AccountStore;
  readonly passwords: Passwords;
  readonly gate: HashingGate;
  readonly attempts: Attempts;
}

/**
 * The only way to prove a password (rules AU3, AU8). Refuses with `INVALID_CREDENTIALS`, equally for a wrong password and
 * an unknown name, or with `RATE_LIMITED` before it hashes. Resolves with the account and the hash that matched, after an
 * upgrade to the current format unless the hash was changed meanwhile.
 */
export type PasswordCheck = (
  foldedName: string,
  password: string,
  addressBlock: string,
) => Promise<AccountRecord>;

export function createPasswordCheck({ store, passwords, gate, attempts }: PasswordCheckDeps): PasswordCheck {
  const upgrade = async (account: AccountRecord, password: string): Promise<AccountRecord> => {
    const passwordHash = await passwords.hash(password);
    const replaced = await store.replacePasswordHash(account.id, account.passwordHash, passwordHash);
    return replaced ? { ...account, passwordHash } : account;
  };

  return async (foldedName, password, addressBlock) => {
    const stranger = !(await store.knowsAddress(foldedName, addressBlock));
    const attempt = { foldedName, addressBlock, stranger };
    await attempts.check(attempt);
    return gate.run({ account: foldedName, address: addressBlock, known: !stranger }, async () => {
      // Checks again: earlier attempts in the queue may have used up the limit.
      await attempts.check(attempt);
      const account = await store.findAccountByName(foldedName);
      const verdict = await passwords.verify(password, account?.passwordHash ?? null);
      if (account === null || verdict === "wrong") {
        await attempts.failed(attempt);
        throw new ProblemError("INVALID_CREDENTIALS");
      }
      await attempts.succeeded(attempt);
      return verdict === "stale" ? upgrade(account, password) : account;
    });
  };
}
