import { LIMITS } from "@hearth/contracts";
import type { Quota } from "@hearth/contracts";
import type { LimiterFactory } from "@hearth/runtime";

/** An attempt to prove a password. The account with this folded name need not exist. */
export interface Attempt {
  readonly foldedName: string;
  readonly addressBlock: string;
  /** The account never had a session from this address. */
  readonly stranger: boolean;
}

/**
 * AU8. A wrong password counts against the account at that address. From an address where the account never had a
 * session, it also counts against the account as a whole. So strangers cannot lock an owner out of an address that the
 * owner has logged in from.
 */
export interface Attempts {
  /** Counts a register or login; refuses with `RATE_LIMITED`. */
  countRequest(addressBlock: string): Promise<Quota>;
  /** Refuses with `RATE_LIMITED`, without counting. */
  check(attempt: Attempt): Promise<void>;
  failed(attempt: Attempt): Promise<void>;
  succeeded(attempt: Attempt): Promise<void>;
}

const { perAddress, fromStrangers, windowMs } = LIMITS.accountFailures;

export function createAttempts(limiters: LimiterFactory): Attempts {
  const requests = limiters({ name: "auth-attempts", ...LIMITS.authAttempts });
  const perAddressFailures = limiters({ name: "account-failures", points: perAddress, windowMs });
  const strangers = limiters({ name: "account-failures-strangers", points: fromStrangers, windowMs });
  const addressKey = ({ addressBlock, foldedName }: Attempt): string => `${addressBlock} ${foldedName}`;

  return {
    countRequest: (addressBlock) => requests.consume(addressBlock),
    check: async (attempt) => {
      await perAddressFailures.check(addressKey(attempt));
      if (attempt.stranger) await strangers.check(attempt.foldedName);
    },
    failed: async (attempt) => {
      await perAddressFailures.consume(addressKey(attempt));
      if (attempt.stranger) await strangers.consume(attempt.foldedName);
    },
    succeeded: async (attempt) => {
      await perAddressFailures.reset(addressKey(attempt));
      await strangers.reset(attempt.foldedName);
    },
  };
}
