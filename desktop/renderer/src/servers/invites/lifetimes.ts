const DAY_MS = 86_400_000;

/** How long an invite lasts; `null` for good. */
export const EXPIRIES = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS, never: null } as const;
export type Expiry = keyof typeof EXPIRIES;

export const USE_LIMITS = { one: 1, ten: 10, hundred: 100, any: null } as const;
export type UseLimit = keyof typeof USE_LIMITS;

export const EXPIRY_ORDER: readonly Expiry[] = ["day", "week", "month", "never"];
export const USE_ORDER: readonly UseLimit[] = ["one", "ten", "hundred", "any"];

/** The body of `POST /api/servers/:id/invites`. */
export function inviteBody(expiry: Expiry, limit: UseLimit, now: number) {
  const [length, maxUses] = [EXPIRIES[expiry], USE_LIMITS[limit]];
  return {
    ...(length === null ? {} : { expiresAt: now + length }),
    ...(maxUses === null ? {} : { maxUses }),
  };
}
