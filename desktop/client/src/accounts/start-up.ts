import type { SessionEnd } from "./accounts.ts";
import { withInstance } from "./accounts-state.ts";
import type { StoredAccounts } from "./credentials.ts";

/** If home was not recorded, it is the instance with a manual sign-in. */
function homeOf({ homeUrl, credentials }: StoredAccounts): string | null {
  if (homeUrl !== null) return homeUrl;
  const [first = null] = [...credentials].toSorted(
    ([, a], [, b]) => Number(a.autoProvisioned) - Number(b.autoProvisioned),
  );
  return first?.[0] ?? null;
}

/**
 * The stored accounts without expired tokens. A user without a valid token had their session ended; a signed-out
 * device had not (interface 3 and 5.5).
 */
export function startUp(stored: StoredAccounts, now: number): StoredAccounts {
  const inForce = [...stored.credentials].filter(([, { expiresAt }]) => expiresAt > now);
  const credentials = new Map(inForce);
  let { instances } = stored;
  for (const [url, { token: _token, ...account }] of stored.credentials)
    instances = withInstance(instances, url, {
      account,
      ...(credentials.has(url) ? {} : { failure: "expired" as const }),
    });
  const homeUrl = homeOf(stored);
  const home = instances.find(({ url }) => url === homeUrl);
  const isLost = stored.currentUserId !== null && homeUrl !== null && credentials.size === 0;
  const ended: SessionEnd | null = isLost
    ? {
        signalServerUrl: homeUrl,
        username: home?.account?.username ?? "",
        reason: home?.failure === "expired" ? "expired" : "missing",
      }
    : null;
  return { ...stored, homeUrl, credentials, instances, ended: stored.ended ?? ended };
}
