import { createHash, timingSafeEqual } from "node:crypto";
import { compare, hash } from "bcrypt";
import { parsePasswordHash, tagged } from "./password-format.ts";
import type { PasswordHash } from "./password-format.ts";

/** The asynchronous native functions; the others would block the event loop. */
export interface Bcrypt {
  hash(data: string, cost: number): Promise<string>;
  compare(data: string, hash: string): Promise<boolean>;
}

const nativeBcrypt: Bcrypt = { hash, compare };

/** `stale`: the password is right, and its hash should be replaced because it has an older format or a lower cost. */
export type Verdict = "wrong" | "right" | "stale";

export interface Passwords {
  hash(password: string): Promise<string>;
  /**
   * AU3: a failure costs the same whatever was stored. Without an account (null), or for an unsalted hash or a cheaper
   * bcrypt, the missing work is done on a hash that no password matches.
   */
  verify(password: string, stored: string | null): Promise<Verdict>;
}

const sha256 = (password: string): Buffer => createHash("sha256").update(password).digest();

/** bcrypt ignores everything after byte 72, so it gets 44 characters whatever the length of the password. */
const digested = (password: string): string => sha256(password).toString("base64");

/** A hash of this cost that no known password matches. */
const unmatchable = (cost: number): string =>
  `$2b$${String(cost).padStart(2, "0")}$abcdefghijklmnopqrstuu${"A".repeat(31)}`;

export function createPasswords(cost: number, bcrypt: Bcrypt = nativeBcrypt): Passwords {
  /** Does the work that a hash of cost `from` saved: 2^from + 2^from + 2^(from+1) + … = 2^cost. */
  const makeUpCost = async (password: string, from: number): Promise<void> => {
    for (let step = from; step < cost; step += 1) await bcrypt.compare(password, unmatchable(step));
  };

  const compareStored = async (password: string, stored: PasswordHash | null): Promise<boolean> => {
    if (stored?.format === "sha256" && timingSafeEqual(sha256(password), stored.digest)) return true;
    if (stored === null || stored.format === "sha256") {
      await bcrypt.compare(digested(password), unmatchable(cost));
      return false;
    }
    const data = stored.format === "current" ? digested(password) : password;
    if (await bcrypt.compare(data, stored.hash)) return true;
    await makeUpCost(digested(password), stored.cost);
    return false;
  };

  return {
    hash: async (password) => tagged(await bcrypt.hash(digested(password.normalize("NFC")), cost)),

    verify: async (password, stored) => {
      const parsed = stored === null ? null : parsePasswordHash(stored);
      if (!(await compareStored(password.normalize("NFC"), parsed))) return "wrong";
      return parsed?.format === "current" && parsed.cost >= cost ? "right" : "stale";
    },
  };
}
