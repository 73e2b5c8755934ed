import { ProblemError, resemblesUsername } from "@hearth/contracts";

/** AB13: refuses new passwords that are easy to guess. */
export interface NewPasswords {
  /** Refuses with `INVALID_REQUEST`; `path` names the field. */
  require(password: string, username: string, path: "password" | "newPassword"): void;
}

export const createNewPasswords = (common: ReadonlySet<string>): NewPasswords => ({
  require: (password, username, path) => {
    const message = common.has(password.normalize("NFC").toLowerCase())
      ? "is one of the most common passwords"
      : resemblesUsername(password, username)
        ? "must not be the username"
        : null;
    if (message !== null)
      throw new ProblemError("INVALID_REQUEST", undefined, { errors: [{ path, message }] });
  },
});
