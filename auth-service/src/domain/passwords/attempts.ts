import { LIMITS } from "@hearth/contracts";
import type { Quota } from "@hearth/contracts";
import type { LimiterFactory } from "@hearth/runtime";

/** Somebody saying they know the password of the account of this folded name, whether or not there is one. */
export interface Attempt {
  readonly foldedName: string;
  readonly addressBlock: string;
  /** The address never held a session of this account. */
  readonly stranger: boolean;
}

/**
 * AU8. A wrong password counts against the account at that address, and — from an address that never held a
 * session of it — against the account at large. Whoever has logged in from an address before is therefore
 * never shut out there by what strangers do elsewhere.
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
  const here = limiters({ name: "account-failures", points: perAddress, windowMs });
  const strangers = limiters({ name: "account-failures-strangers", points: fromStrangers, windowMs });
  const hereKey = ({ addressBlock, foldedName }: Attempt): string => `${addressBlock} ${foldedName}`;

  return {
    countRequest: (addressBlock) => requests.consume(addressBlock),
    check: async (attempt) => {
      await here.check(hereKey(attempt));
      if (attempt.stranger) await strangers.check(attempt.foldedName);
    },
    failed: async (attempt) => {
      await here.consume(hereKey(attempt));
      if (attempt.stranger) await strangers.consume(attempt.foldedName);
    },
    succeeded: async (attempt) => {
      await here.reset(hereKey(attempt));
      await strangers.reset(attempt.foldedName);
    },
  };
}
