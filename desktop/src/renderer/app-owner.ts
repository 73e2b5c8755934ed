import type { Accounts, AccountsState } from "../client/accounts/accounts.ts";

const ownerOf = ({ phase, homeUrl, servers }: AccountsState): string | null =>
  phase === "signed-in" ? (servers.find(({ url }) => url === homeUrl)?.account?.userId ?? null) : null;

/** When another tab signs in as somebody else, what this page has in memory is not theirs: it begins anew. */
export function followOwner({ state }: Pick<Accounts, "state">, beginAnew: () => void): () => void {
  let owner = ownerOf(state.getState());
  return state.subscribe((now) => {
    const next = ownerOf(now);
    if (next === null || next === owner) return;
    if (owner !== null) beginAnew();
    owner = next;
  });
}
