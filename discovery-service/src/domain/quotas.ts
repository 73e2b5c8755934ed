import { ProblemError } from "@hearth/contracts";

/** AB4: limits that the operator sets. */
export interface Quotas {
  readonly serversOwned: number;
  readonly serversMadePerHour: number;
  readonly channels: number;
  readonly invites: number;
  readonly invitesOfMember: number;
  readonly bans: number;
}

const SENTENCES = {
  servers_owned: (limit: number) => `An account owns at most ${limit} servers`,
  servers_made: (limit: number) => `An account creates at most ${limit} servers per hour`,
  channels: (limit: number) => `A server has at most ${limit} channels`,
  invites: (limit: number) => `A server has at most ${limit} invites that can be used`,
  invites_member: (limit: number) => `A member has at most ${limit} invites that can be used in a server`,
  bans: (limit: number) => `A server has at most ${limit} bans`,
} as const;

export type QuotaName = keyof typeof SENTENCES;

export const quotaExceeded = (name: QuotaName, limit: number, retryAfterMs?: number): ProblemError =>
  new ProblemError("QUOTA_EXCEEDED", SENTENCES[name](limit), {
    reason: name,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });

/** Throws if `count` has reached the limit. */
export function requireQuota(name: QuotaName, count: number, limit: number): void {
  if (count >= limit) throw quotaExceeded(name, limit);
}
