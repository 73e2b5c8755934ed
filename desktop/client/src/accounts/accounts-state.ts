import type { AccountsState, SignalServer, StoredCredential } from "./accounts.ts";
import type { KnownServer, StoredAccounts } from "./credentials.ts";

export const withoutToken = ({
  token: _token,
  ...account
}: StoredCredential): Omit<StoredCredential, "token"> => account;

const unknownServer = (url: string): KnownServer => ({
  url,
  account: null,
  failure: null,
  isNewlyProvisioned: false,
  isSignedOut: false,
  isForgotten: false,
});

/** The list with one server changed, which is on it from then on: where it was, else at the end. */
export function withServer(
  servers: readonly KnownServer[],
  url: string,
  change: Partial<Omit<KnownServer, "url">> = {},
): readonly KnownServer[] {
  if (!servers.some((server) => server.url === url))
    return [...servers, { ...unknownServer(url), ...change }];
  return servers.map((server) =>
    server.url === url ? { ...server, isForgotten: false, ...change } : server,
  );
}

/** Home is in force unless it was refused; a token of any other server is the fallback for one that is missing (5.5). */
export const isSignedIn = ({ ended, credentials }: StoredAccounts): boolean =>
  ended === null && credentials.size > 0;

/** What the screens see of what is stored; `working` has the servers where an account is being made. */
export function stateOf(stored: StoredAccounts, working: ReadonlySet<string>): AccountsState {
  const { homeUrl, credentials, ended } = stored;
  const signedIn = isSignedIn(stored);
  const urls = [
    ...(homeUrl === null ? [] : [homeUrl]),
    ...stored.servers.filter(({ isForgotten }) => !isForgotten).map(({ url }) => url),
    ...credentials.keys(),
  ];
  const servers = [...new Set(urls)].map((url): SignalServer => {
    const known = stored.servers.find((server) => server.url === url) ?? unknownServer(url);
    const credential = signedIn ? credentials.get(url) : undefined;
    const account = credential ? withoutToken(credential) : known.account;
    const shown = { url, isHome: url === homeUrl, account, isNewlyProvisioned: known.isNewlyProvisioned };
    if (credential) return { ...shown, authorization: "authorized", failure: null };
    return {
      ...shown,
      authorization: working.has(url) ? "working" : "needs-sign-in",
      failure: known.failure,
    };
  });
  return { phase: signedIn ? "signed-in" : "signed-out", homeUrl, servers, ended };
}
