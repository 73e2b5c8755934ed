import type { SessionEnd } from "./accounts.ts";
import { withInstance } from "./accounts-state.ts";
import type { StoredAccounts } from "./credentials.ts";

/** A home server that was not recorded is the one that somebody signed in to by hand. */
function homeOf({ homeUrl, credentials }: StoredAccounts): string | null {
  if (homeUrl !== null) return homeUrl;
  const [first = null] = [...credentials].toSorted(
    ([, a], [, b]) => Number(a.autoProvisioned) - Number(b.autoProvisioned),
  );
  return first?.[0] ?? null;
}

/**
 * What is stored, without the tokens whose time is over. A device with a user but without a token in force has its
 * session ended; one that nobody is signed in to has not (interface 3 and 5.5).
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
