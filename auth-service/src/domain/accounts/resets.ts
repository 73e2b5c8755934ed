import { ProblemError } from "@hearth/contracts";
import type { Credential } from "@hearth/contracts";
import { sha256Hex } from "@hearth/runtime";
import type { Clock } from "@hearth/runtime";
import { credentialOf, suspended } from "./accounts.ts";
import type { HashingGate } from "../passwords/hashing-gate.ts";
import type { NewPasswords } from "../passwords/new-passwords.ts";
import type { Passwords } from "../passwords/passwords.ts";
import type { SessionEndings } from "../sessions/session-endings.ts";
import type { SessionNotice } from "../sessions/session-notice.ts";
import type { Client, Sessions } from "../sessions/sessions.ts";
import type { AuthStore } from "../store.ts";

export interface ResetsDeps {
  readonly store: AuthStore;
  readonly passwords: Passwords;
  readonly newPasswords: NewPasswords;
  readonly gate: HashingGate;
  readonly sessions: Sessions;
  readonly endings: SessionEndings;
  readonly notice: SessionNotice;
  readonly clock: Clock;
}

/** AB11: a new password by the code of a reset link. Refuses with `FORBIDDEN` (`code_invalid`). */
export type ResetPassword = (code: string, newPassword: string, client: Client) => Promise<Credential>;

const invalid = (): ProblemError =>
  new ProblemError("FORBIDDEN", "The code is not valid, or no longer", { reason: "code_invalid" });

export const createResets =
  (deps: ResetsDeps): ResetPassword =>
  async (code, newPassword, client) => {
    const { store, clock, sessions } = deps;
    const codeHash = sha256Hex(code);
    const accountId = await store.findResetCode(codeHash, clock.now());
    const account = accountId === null ? null : await store.findAccount(accountId);
    if (account === null || account.state === "deleted") throw invalid();
    if (account.state === "suspended") throw suspended();
    deps.newPasswords.require(newPassword, account.username, "newPassword");
    const to = await deps.gate.run(
      { account: account.foldedName, address: client.addressBlock, known: false },
      () => deps.passwords.hash(newPassword),
    );
    const { token, record } = sessions.create(account.id, client);
    const reset = { codeHash, accountId: account.id, to, session: record, at: clock.now() };
    if (!(await store.resetPassword(reset))) throw invalid();
    await deps.endings.announce();
    deps.notice(record);
    return credentialOf(account, token, record.expiresAt);
  };
