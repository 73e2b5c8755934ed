const DEFAULT_MS = 30_000;
const MAX_MS = 86_400_000;

/** `Retry-After` in milliseconds, from seconds or a date; what cannot be read counts as half a minute. */
export function retryAfterMs(header: string | null, now: number): number {
  const text = header?.trim() ?? "";
  const seconds = /^\d{1,9}$/.test(text);
  // Dates begin with the day of the week; of other texts a date parser makes something too.
  const date = /^[A-Z][a-z]+, /.test(text) ? Date.parse(text) : Number.NaN;
  const ms = seconds ? Number(text) * 1_000 : date - now;
  return Number.isNaN(ms) ? DEFAULT_MS : Math.min(Math.max(ms, 1_000), MAX_MS);
}
