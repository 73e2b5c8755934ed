import type { AccountsState, Instance, StoredCredential } from "./accounts.ts";
import type { KnownInstance, StoredAccounts } from "./credentials.ts";

export const withoutToken = ({
  token: _token,
  ...account
}: StoredCredential): Omit<StoredCredential, "token"> => account;

const unknownInstance = (url: string): KnownInstance => ({
  url,
  account: null,
  failure: null,
  isNewlyProvisioned: false,
  isSignedOut: false,
  isForgotten: false,
});

/** The list with one instance changed; a new instance is added at the end. */
export function withInstance(
  servers: readonly KnownInstance[],
  url: string,
  change: Partial<Omit<KnownInstance, "url">> = {},
): readonly KnownInstance[] {
  if (!servers.some((server) => server.url === url))
    return [...servers, { ...unknownInstance(url), ...change }];
  return servers.map((server) =>
    server.url === url ? { ...server, isForgotten: false, ...change } : server,
  );
}

/**
 * True unless home refused its token. If the home token is missing, the token of any other instance is enough (5.5).
 */
export const isSignedIn = ({ ended, credentials }: StoredAccounts): boolean =>
  ended === null && credentials.size > 0;

/** The state for the screens. `working` holds the instances where an account is being created. */
export function stateOf(stored: StoredAccounts, working: ReadonlySet<string>): AccountsState {
  const { homeUrl, credentials, ended } = stored;
  const signedIn = isSignedIn(stored);
  const urls = [
    ...(homeUrl === null ? [] : [homeUrl]),
    ...stored.instances.filter(({ isForgotten }) => !isForgotten).map(({ url }) => url),
    ...credentials.keys(),
  ];
  const instances = [...new Set(urls)].map((url): Instance => {
    const known = stored.instances.find((server) => server.url === url) ?? unknownInstance(url);
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
  return { phase: signedIn ? "signed-in" : "signed-out", homeUrl, instances, ended };
}
